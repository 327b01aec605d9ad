/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds and opens shared libraries that plug-ins use and users install: as packages of the
 * system, in directories of their own, or as Python packages. Python is not run.
 */
#ifndef LIBRARY_H
#define LIBRARY_H

#include <stddef.h>

/* Where a library may be. Only what, file and remedy are required. */
struct library_search {
	const char *what; /* its name in messages, such as "ONNX Runtime" */
	/* The environment variable that names its file or directory. */
	const char *variable;
	/* The names for the dynamic loader, NULL at the end. */
	const char *const *names;
	const char *file; /* a glob of the file's name */
	/* A glob of its directory in a directory of Python packages. */
	const char *package;
	const char *remedy; /* how to install it */
	/* Other directories, as globs that may begin with a variable ("$NAME/lib"), NULL at
	 * the end. */
	const char *const *places;
};

/*
 * Opens a library: the one that the environment variable names, unless it is "none"; else
 * the one that the loader finds; else one in a place or in a directory of Python packages,
 * the highest version if there are several. The library stays open. Stores its path, which
 * is a bare name if the loader found it. Returns NULL and the reason in `why`, of
 * BACKEND_WHY bytes, if there is none, or if users other than root and the caller could
 * have changed it; a library that the variable names is opened in any case.
 */
void *library_open(const struct library_search *of, char *path, size_t size, char *why);
/* Stores the path of a library without opening it. Returns 0, or -1 and the reason. The
 * loader's names are not searched. */
int library_find(const struct library_search *of, char *path, size_t size, char *why);

#endif
