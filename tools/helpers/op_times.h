/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures the time of each operation of a kernel or model.
 */
#ifndef TOOLS_HELPERS_OP_TIMES_H
#define TOOLS_HELPERS_OP_TIMES_H

#include "engine/engine.h"

/* Runs the operations of a phase one by one, waiting for the device after each, and adds
 * the spans of the pass with the median time to the timeline. With `rows`, also adds their
 * times to the next answer. Their names begin with this prefix. */
void op_times_tell(struct engine *e, enum model_phase phase, const char *before, bool rows);

#endif
