/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of bench-list for backends, devices, kernels and models; list_events.h has
 * that of events.
 */
#ifndef SUBJECT_LIST_COMPUTE_H
#define SUBJECT_LIST_COMPUTE_H

#include <stdio.h>

#include "io/render.h"
#include "text/near_name.h"
#include "text/shell_words.h"

/* The requested names, as globs; none: all. */
struct roster {
	FILE *out;
	enum render_format format;
	bool all; /* also the events that cannot be counted */
	char *const *glob;
	size_t globs;
	const struct binding *param; /* for kernels and models */
	size_t params;
	bool *unusable; /* set if a backend or device is listed that cannot be used */
	/* Gets the names of the parameters that the listed kernels and models have. */
	struct known_names *parameters;
};

/*
 * Prints the table of backends. Like the functions below, returns the number of its
 * rows that are usable (backends with devices; devices; lists), or -1 and the message
 * if one cannot be read or the table cannot be written.
 */
long list_compute_backends(const struct roster *r, struct fault *f);
/* Returns 0 if a listed kernel or model has each given parameter; else -1 and the message.
 */
int list_compute_check_params(const struct roster *r, struct fault *f);
/* Notes that a listed kernel or model has a parameter; copies its name. */
void list_compute_note_parameter(const struct roster *r, const char *name);
/* Prints the table of devices. */
long list_compute_devices(const struct roster *r, struct fault *f);
/* Prints the table of kernels. */
long list_compute_kernels(const struct roster *r, struct fault *f);
/* Prints the table of models. */
long list_compute_models(const struct roster *r, struct fault *f);

#endif
