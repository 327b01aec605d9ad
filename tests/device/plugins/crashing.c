/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend whose probe crashes. */
#include "whole.h"

static int crash(struct backend_device *list, size_t max, char *why)
{
	(void)list;
	(void)max;
	(void)why;
	abort();
}

__attribute__((visibility("default")))
const struct backend bench_backend = { WHOLE_BACKEND, .name = "crashing", .probe = crash };
