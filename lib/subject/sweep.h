/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps: the values of a parameter, such as those of -P. The numbers of workers and the
 * rates of a load are also sweeps.
 */
#ifndef SUBJECT_SWEEP_H
#define SUBJECT_SWEEP_H

#include "text/shell_words.h"

struct sweep {
	const char *name;
	char **value;
	size_t count;
	bool is_default;   /* is replaced by a common sweep of the same name */
	uint32_t *workers; /* the values as numbers of workers; NULL for other sweeps */
	double *rate;      /* the values as requests per second; NULL for other sweeps */
	bool of_threads;   /* workers that are threads, not processes */
	bool of_engine;    /* an option of engines, which run whole models */
};

/*
 * Parses "name=value" of --label. The name is allocated and must not be a reserved
 * column. Returns 0, or -1 and the message.
 */
int label_parse(const char *spec, struct binding *out, struct fault *f);
/*
 * Parses "name=list" of -P. The name must not be a reserved column. Returns 0, or -1
 * and the message.
 */
int sweep_parse(const char *spec, struct sweep *out, struct fault *f);
/* Appends a note if a value, such as 1-2 or a..c, looks like a range but is one value. */
void sweep_note(const struct sweep *s, struct buf *notes);
/*
 * Parses "1,2,4" of -J or -j into a sweep of workers with this name: distinct counts up
 * to WIRE_WORKERS_MAX. If the list lacks 1 and with_one is true, it is added as the first
 * value, because the others are compared with it. Returns 0, or -1 and the message.
 */
int sweep_workers(const char *list, const char *name, bool of_threads, bool with_one,
    struct sweep *out, struct fault *f);
/*
 * Parses "50/s,100/s" of --rate into a sweep with the name "rate", whose values are in
 * requests per second. Returns 0, or -1 and the message.
 */
int sweep_rates(const char *list, struct sweep *out, struct fault *f);
/* Parses "name=value" of --engine-option into a sweep with one value. Returns 0, or -1 and
 * the message. */
int sweep_engine_option(const char *spec, struct sweep *out, struct fault *f);
void sweep_free(struct sweep *s);

#endif
