/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model that an engine has loaded: a model file, or a phase of an exported list. Failures
 * end the process, unless stated otherwise.
 */
#ifndef TOOLS_HELPERS_WHOLE_PASS_H
#define TOOLS_HELPERS_WHOLE_PASS_H

#include "bench-backend.h"
#include "engine/exported_list.h"

/* A loaded model. */
struct whole_pass {
	const struct backend *backend;
	struct exported_list *list; /* NULL for a model file */
	struct backend_model *model;
	struct backend_port *port;
	size_t ports;
	int64_t load_start_ns; /* when loading began, by CLOCK_MONOTONIC */
	double load_ns;        /* the time to load it, without the export */
};

/* Loads a model into a session and lists its inputs and outputs. If the pass has a list,
 * it is exported, and `source` has no model. Sessions of profiled models keep their
 * files. */
void whole_pass_load(struct whole_pass *p, struct backend_session *session,
    struct backend_model_source source);
/* Unloads the model, if there is one, and frees the list. */
void whole_pass_close(struct whole_pass *p);

/* Returns the number of the input or output of this name, or the number of all ports. */
size_t whole_pass_find(const struct whole_pass *p, const char *name, bool output);
/* Sets an input. */
void whole_pass_set(struct whole_pass *p, size_t port, const int64_t *size,
    const void *elements, size_t bytes);
/* Gives an input the elements of an output of the last run of another model. */
void whole_pass_adopt(
    struct whole_pass *p, size_t input, const struct whole_pass *from, size_t output);
/* Runs the model once. */
void whole_pass_run(struct whole_pass *p);
/* Stores all `count` elements of an output after a run or, with `state`, of a state of the
 * list. Returns 0, or -1 and the message. */
int whole_pass_read(const struct whole_pass *p, const char *name, bool state, double *out,
    size_t count, struct fault *f);

#endif
