/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds and opens the shared library of an engine, which the user has installed: as a
 * package of the system, or as a Python package. Python is not run.
 */
#ifndef ENGINE_FIND_H
#define ENGINE_FIND_H

#include <stddef.h>

/* Where the library of an engine may be. */
struct engine_library {
	const char *what; /* its name in messages, such as "ONNX Runtime" */
	/* The environment variable that names its file or directory. */
	const char *variable;
	/* The names for the dynamic loader; NULL if the loader is not asked. */
	const char *const *names;
	/* A glob of the file's path in a directory of Python packages. */
	const char *package;
	const char *remedy; /* how to install it */
	/* Directories of the system, as globs that may begin with a variable ("$NAME/lib"),
	 * for a library whose name has its version; NULL if there are none. */
	const char *const *places;
};

/*
 * Opens a library: the one that the environment variable names, unless it is "none"; else
 * the one that the loader finds; else one in a place of the system or in a directory of
 * Python packages, the highest version if there are several. The library stays open. Stores
 * its path, which is a bare name if the loader found it. Returns NULL and the reason in
 * `why` if there is none, or if users other than root and the caller could have changed it;
 * a library that the variable names is opened in any case.
 */
void *engine_library_open(
    const struct engine_library *of, char *path, size_t size, char *why);
/* Stores the path of a library without opening it. Returns 0, or -1 and the reason. The
 * loader's names are not searched. */
int engine_library_find(
    const struct engine_library *of, char *path, size_t size, char *why);

#endif
