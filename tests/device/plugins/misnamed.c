/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend whose name differs from that of its file. */
#include "whole.h"

__attribute__((visibility("default"))) const struct backend bench_backend = { WHOLE_BACKEND,
	.name = "another", .probe = no_device };
