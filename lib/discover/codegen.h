/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A C file with a benchmark for each exported function of a shared object whose signature
 * its debug information tells (bench-list --generate).
 */
#ifndef DISCOVER_CODEGEN_H
#define DISCOVER_CODEGEN_H

#include "base/base.h"

/* The result for each function; the reasons are also in the file. */
struct codegen {
	char *path; /* of the file */
	size_t stubs;
	struct by_hand {
		char *name, *why;
	} * by_hand; /* those without a stub, by name */
	size_t by_hands, by_hand_cap;
};

/*
 * Writes DIR/NAME, which must not be there yet; the folder is made when missing. Returns 0;
 * 1 with a message and no file when there is nothing to make stubs of; or -1. The result is
 * to be freed by codegen_free() in each case.
 */
int codegen_file(const char *object, const char *dir, const char *name,
    struct codegen *result, struct fault *f);
void codegen_free(struct codegen *result);

#endif
