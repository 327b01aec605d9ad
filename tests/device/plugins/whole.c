/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A valid backend without devices. */
#include "whole.h"

__attribute__((visibility("default")))
const struct backend bench_backend = { WHOLE_BACKEND, .name = "whole", .probe = no_device };
