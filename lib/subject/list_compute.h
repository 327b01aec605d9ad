/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of what can be computed and where: backends, devices, kernels and models.
 */
#ifndef SUBJECT_LIST_COMPUTE_H
#define SUBJECT_LIST_COMPUTE_H

#include <stdio.h>

#include "io/render.h"
#include "text/shell_words.h"

/* Names that are wanted, as globs; none: all. */
struct roster {
	FILE *out;
	enum render_format format;
	char *const *glob;
	size_t globs;
	const struct binding *param; /* of kernels and models */
	size_t params;
};

/*
 * Each prints its table and gives the number of its rows that are of use: backends that
 * have devices, devices, lists. -1 and the message when one cannot be read or written.
 */
long list_compute_backends(const struct roster *r, struct fault *f);
long list_compute_devices(const struct roster *r, struct fault *f);
long list_compute_kernels(const struct roster *r, struct fault *f);
long list_compute_models(const struct roster *r, struct fault *f);

#endif
