/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend that lacks a required hook. */
#include "whole.h"

__attribute__((visibility("default"))) const struct backend bench_backend = {
	.abi = BACKEND_ABI,
	.name = "no_sync",
	.summary = "for tests",
	.probe = no_device,
	.open = no_session,
	.close = close_session,
	.alloc = no_memory,
	.free = free_memory,
	.write = write_memory,
	.read = read_memory,
};
