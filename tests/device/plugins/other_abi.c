/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A backend that was built for a later version of benchutils. */
#include "whole.h"

__attribute__((visibility("default")))
const struct backend bench_backend = { .abi = BACKEND_ABI + 1 };
