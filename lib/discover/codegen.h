/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generates a C file with a benchmark for each exported function of shared objects whose
 * signature is in their debug information (bench-list --generate).
 */
#ifndef DISCOVER_CODEGEN_H
#define DISCOVER_CODEGEN_H

#include "base/base.h"

/* The numbers of generated benchmarks and of skipped functions, with the reasons, which are
 * also in the file. */
struct codegen {
	char *path; /* path of the file */
	size_t benchmarks;
	struct skipped_function {
		char *name, *why;
	} *skipped; /* of each object, sorted by name */
	size_t skipped_count, skipped_cap;
};

/*
 * Writes benchmarks of all objects, of which there is at least one, to DIR/NAME, which must
 * not exist; creates the directory if it does not exist. Returns 0; 1 with a message and
 * without a file if no benchmark can be generated; or -1. Free the result with codegen_free
 * in each case.
 */
int codegen_file(char *const *object, size_t objects, const char *dir, const char *name,
    struct codegen *result, struct fault *f);
void codegen_free(struct codegen *result);

#endif
