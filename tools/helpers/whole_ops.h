/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports the time of each operation of a model that an engine runs.
 */
#ifndef TOOLS_HELPERS_WHOLE_OPS_H
#define TOOLS_HELPERS_WHOLE_OPS_H

#include "bench-backend.h"

/* Runs a model that was loaded with a profile, and adds its operations to the timeline,
 * named "000 NODE", "001 NODE" and so on. With `rows`, also adds the mean time of each to
 * the next answer, and gives up if the engine cannot measure operations. */
void whole_ops_report(
    const struct backend_engine *engine, struct backend_model *m, bool rows);

#endif
