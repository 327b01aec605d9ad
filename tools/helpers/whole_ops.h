/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports the time of each operation of a model that an engine runs.
 */
#ifndef TOOLS_HELPERS_WHOLE_OPS_H
#define TOOLS_HELPERS_WHOLE_OPS_H

#include "bench-backend.h"

/* Reports the mean time of each operation, as the parts "000 NODE", "001 NODE" and so on.
 * Gives up if the engine cannot measure operations. */
void whole_ops_report(const struct backend_engine *engine, struct backend_model *m);

#endif
