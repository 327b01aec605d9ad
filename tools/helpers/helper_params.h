/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Returns the parameters of a benchmark, as hooks of struct bench_ops. A parameter that is
 * missing or not a number ends the helper with a message.
 */
#ifndef TOOLS_HELPERS_HELPER_PARAMS_H
#define TOOLS_HELPERS_HELPER_PARAMS_H

#include "bench.h"

/* Returns the value of a parameter as text. */
const char *helper_param_text(struct bench *b, const char *name);
/* Returns the value of a parameter as a number. */
double helper_param_number(struct bench *b, const char *name);

#endif
