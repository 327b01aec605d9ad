/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-run that depend on the kinds of its subjects.
 */
#ifndef RUN_SETUP_KINDS_H
#define RUN_SETUP_KINDS_H

#include "run/setup.h"

/* Returns whether the options ask for the machine's energy. */
bool run_wants_energy(const struct run_opts *o);
/* Returns the number of subjects that are kernels or models. */
size_t setup_computes(const struct setup *s);
/* Checks that each option is one of these subjects. Returns 0, or -1 and the message. */
int setup_check_kinds(const struct setup *s, const struct run_opts *o, struct fault *f);

#endif
