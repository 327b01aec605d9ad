/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a benchmark gets for its parameters: the hooks of struct bench_ops. A parameter that
 * is missing, or is no number, ends the helper with a message.
 */
#ifndef TOOLS_HELPERS_HELPER_PARAMS_H
#define TOOLS_HELPERS_HELPER_PARAMS_H

#include "bench.h"

const char *helper_param_text(struct bench *b, const char *name);
double helper_param_number(struct bench *b, const char *name);

#endif
