/* SPDX-License-Identifier: GPL-3.0-or-later */
/* As if built for a version of benchutils to come. */
#include "whole.h"

__attribute__((visibility("default")))
const struct backend bench_backend = { .abi = BACKEND_ABI + 1 };
