/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The request of bench-list, and the parameters of the kernels and models in its tables.
 */
#ifndef CATALOG_LIST_REQUEST_H
#define CATALOG_LIST_REQUEST_H

#include "io/render.h"
#include "text/near_name.h"
#include "text/shell_words.h"

/* The requested names, as globs; none: all. */
struct list_request {
	const struct output *out;
	bool all; /* also the events that cannot be counted */
	char *const *glob;
	size_t globs;
	const struct binding *param; /* for kernels and models */
	size_t params;
	bool *unusable; /* set if a backend or device is listed that cannot be used */
	/* Gets the names of the parameters that the listed kernels and models have. */
	struct known_names *parameters;
};

/* Returns 0 if a listed kernel or model has each given parameter; else -1 and the message.
 */
int list_request_check_params(const struct list_request *r, struct fault *f);
/* Notes that a listed kernel or model has a parameter; copies its name. */
void list_request_note_parameter(const struct list_request *r, const char *name);

#endif
