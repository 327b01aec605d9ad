/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend whose probe hangs. */
#include <unistd.h>

#include "whole.h"

static int hang(struct backend_device *list, size_t max, char *why)
{
	(void)list;
	(void)max;
	(void)why;
	while (pause() < 0)
		;
	return 0;
}

__attribute__((visibility("default")))
const struct backend bench_backend = { WHOLE_BACKEND, .name = "hanging", .probe = hang };
