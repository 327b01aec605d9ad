/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs lists of operations. Where the driver can record work, a list is recorded once, as a
 * graph, and a run of the list is one call that replays it.
 */
#ifndef GPU_GPU_LIST_H
#define GPU_GPU_LIST_H

#include "gpu_session.h"

/* Runs each operation of a list; a gpu_operation. */
typedef int gpu_list_runner(
    struct gpu *g, const struct backend_op *op, size_t count, char *why);

/* Adds a prepared list, and records it if it has several operations. If the scratch memory
 * has moved, also records the other lists again. */
void gpu_list_add(
    struct gpu *g, const struct backend_op *op, size_t count, gpu_list_runner *run);
/* Forgets a list. */
void gpu_list_remove(struct gpu *g, const struct backend_op *op);
/* Enqueues all operations of a list. Returns 0, or -1 and why. */
int gpu_list_run(struct gpu *g, const struct backend_op *op, size_t count,
    gpu_list_runner *run, char *why);
/* Runs a list, and stores when each operation ran, as time_list of bench-backend.h does.
 * Returns 0; 1 if the device cannot measure time; or -1 and why. */
int gpu_list_time(struct gpu *g, const struct backend_op *op, size_t count,
    gpu_list_runner *run, struct backend_op_span *span, char *why);
/* Returns whether a list is replayed. */
bool gpu_list_is_graph(const struct gpu *g, const struct backend_op *op);
/* Frees the lists of a session. */
void gpu_lists_free(struct gpu *g);

#endif
