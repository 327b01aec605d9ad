/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the functions of a library that is loaded on demand, so that programs start without
 * it and run where it is not installed.
 */
#ifndef SYS_LIBRARY_FUNCTIONS_H
#define SYS_LIBRARY_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* A function, and its place: a member of a struct, which is a pointer to a function. */
struct library_function {
	const char *name;
	size_t at;        /* the offset of the member */
	bool is_optional; /* the member is NULL if the library lacks the function */
};

/* Stores the functions of a library, which dlopen() returned, in the members of a struct.
 * Returns NULL, or the name of the first function that is missing. */
const char *library_functions_find(
    void *library, const struct library_function *function, size_t count, void *members);

#endif
