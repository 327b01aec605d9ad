/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file of bench-run --timeline: the phases, samples and operations of the measured
 * processes as spans of time; see io/trace_events.h.
 */
#ifndef RESULTS_RUN_TIMELINE_H
#define RESULTS_RUN_TIMELINE_H

#include "protocol/helper_proto.h"
#include "subject/subject.h"

struct run_timeline;

/* Begins a file, which gets its name in run_timeline_close. `run` is the id of the run.
 * Returns NULL and the message on failure. */
struct run_timeline *run_timeline_open(const char *path, const char *run, struct fault *f);
/* Begins the next process of a subject, by its number. */
void run_timeline_begin_process(
    struct run_timeline *t, const struct subject *subject, int64_t number);
/* Adds spans to the current process. */
void run_timeline_add(struct run_timeline *t, const struct helper_span *span, size_t count);
/*
 * Completes the file, unless it has no process, and frees the timeline; NULL is allowed.
 * Returns 0, or -1, the message and errno. It then stores the path of the incomplete file,
 * which the caller frees, or NULL if nothing is kept (temp_file_keep).
 */
int run_timeline_close(struct run_timeline *t, char **partial, struct fault *f);

#endif
