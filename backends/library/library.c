/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds and opens libraries; see library.h. */
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/hook/hook.h"
#include "library.h"

/* Directories of Python packages. $NAME is a variable, and $PYTHON the prefix of the first
 * python3 in PATH. */
static const char *const package_directories[] = {
	"$VIRTUAL_ENV/lib/python3*/site-packages",
	"$CONDA_PREFIX/lib/python3*/site-packages",
	"$HOME/.local/lib/python3*/site-packages",
	"$PYTHON/lib/python3*/site-packages",
	"/usr/local/lib/python3*/site-packages",
	"/usr/local/lib/python3*/dist-packages",
	"/usr/lib/python3*/site-packages",
	"/usr/lib/python3/dist-packages",
	"/opt/*/lib/python3*/site-packages",
};
enum { PACKAGE_DIRECTORIES = sizeof(package_directories) / sizeof(*package_directories) };

/* The places below a directory that the variable names where the library may be. */
static const char *const below_directory[] = { "", "lib/", "libs/" };

/* Stores the directory that has bin/python3, from PATH. */
static const char *prefix_of_python(char *prefix, size_t size)
{
	const char *path = getenv("PATH");

	while (path && *path) {
		const int length = (int)strcspn(path, ":");

		snprintf(prefix, size, "%.*s/python3", length, path);
		if (*path == '/' && access(prefix, X_OK) == 0) {
			snprintf(prefix, size, "%.*s/..", length, path);
			return prefix;
		}
		path += length + (path[length] == ':');
	}
	return NULL;
}

/* Stores the last path that a glob matches, by the numbers in it. Returns whether there is
 * one. */
static int find_newest(const char *pattern, char *path, size_t size)
{
	const char *newest = NULL;
	glob_t found;

	if (glob(pattern, GLOB_BRACE, NULL, &found))
		return 0;
	for (size_t i = 0; i < found.gl_pathc; i++)
		if (!newest || strverscmp(found.gl_pathv[i], newest) > 0)
			newest = found.gl_pathv[i];
	snprintf(path, size, "%s", newest ? newest : "");
	globfree(&found);
	return *path != '\0';
}

/* Stores the newest path of the file in a directory, which may begin with a variable, or
 * in a package below it. Returns whether there is one. */
static int find_below(const struct library_search *of, const char *directory,
    const char *package, char *path, size_t size)
{
	char name[32] = "", prefix[PATH_MAX], pattern[2 * PATH_MAX];
	const char *root = "", *rest = directory;

	if (*directory == '$') {
		const size_t length = strcspn(directory + 1, "/");

		snprintf(name, sizeof(name), "%.*s", (int)length, directory + 1);
		root = strcmp(name, "PYTHON") == 0
		           ? prefix_of_python(prefix, sizeof(prefix))
		           : getenv(name);
		if (!root || !*root)
			return 0;
		rest = directory + 1 + length;
	}
	snprintf(pattern, sizeof(pattern), "%s%s/%s%s%s", root, rest,
	    package ? package : "", package ? "/" : "", of->file);
	return find_newest(pattern, path, size);
}

/* Stores the path that the value of the variable names: a file, or one in a directory.
 * Returns 0, or -1 and the reason. */
static int find_named(
    const struct library_search *of, const char *value, char *path, size_t size, char *why)
{
	char pattern[PATH_MAX];
	struct stat st;

	if (stat(value, &st))
		return hook_fail(why, "%s: %s does not exist", of->variable, value);
	if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode))
		return hook_fail(
		    why, "%s: %s is not a file or directory", of->variable, value);
	if (!S_ISDIR(st.st_mode)) {
		snprintf(path, size, "%s", value);
		return 0;
	}
	for (size_t i = 0; i < sizeof(below_directory) / sizeof(*below_directory); i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s%s", value, below_directory[i],
		    of->file);
		if (find_newest(pattern, path, size))
			return 0;
		for (const char *const *name = of->names; name && *name; name++) {
			snprintf(pattern, sizeof(pattern), "%s/%s%s", value,
			    below_directory[i], *name);
			if (find_newest(pattern, path, size))
				return 0;
		}
	}
	if (of->package) {
		snprintf(
		    pattern, sizeof(pattern), "%s/%s/%s", value, of->package, of->file);
		if (find_newest(pattern, path, size))
			return 0;
	}
	return hook_fail(
	    why, "%s: the directory %s has no %s", of->variable, value, of->file);
}

/* Checks that nobody but root and the user can change a file or a directory. Returns 0, or
 * -1 and the reason. */
static int check_owner(
    const struct library_search *of, const char *path, const char *found, char *why)
{
	const char *who = NULL;
	struct stat st;

	if (stat(path, &st))
		return hook_fail(why, "%s does not exist", path);
	if (st.st_uid != 0 && st.st_uid != geteuid())
		who = "another user owns";
	else if (st.st_mode & S_IWOTH && !(S_ISDIR(st.st_mode) && st.st_mode & S_ISVTX))
		who = "everybody can write to";
	else if (st.st_mode & S_IWGRP && st.st_gid != 0 && st.st_gid != getegid())
		who = "another group can write to";
	if (!who)
		return 0;
	if (!of->variable)
		return hook_fail(why,
		    "%s is not loaded, because %s %s; to load it anyway, add its directory "
		    "to LD_LIBRARY_PATH",
		    found, who, path);
	return hook_fail(why,
	    "%s is not loaded, because %s %s; to load it anyway, set %s to its path", found,
	    who, path, of->variable);
}

/* Checks the owners of a file and of all directories above it. */
static int check_trust(const struct library_search *of, const char *path, char *why)
{
	char resolved[PATH_MAX];

	if (!realpath(path, resolved))
		return hook_fail(why, "%s does not exist", path);
	if (check_owner(of, resolved, path, why))
		return -1;
	for (char *slash; (slash = strrchr(resolved, '/')) && slash != resolved;) {
		*slash = '\0';
		if (check_owner(of, resolved, path, why))
			return -1;
	}
	return 0;
}

int library_find(const struct library_search *of, char *path, size_t size, char *why)
{
	const char *value = of->variable ? getenv(of->variable) : NULL;

	if (value && strcmp(value, "none") == 0)
		return hook_fail(why, "%s is none", of->variable);
	if (value && *value)
		return find_named(of, value, path, size, why);
	for (const char *const *place = of->places; place && *place; place++)
		if (find_below(of, *place, NULL, path, size))
			return check_trust(of, path, why);
	for (size_t i = 0; of->package && i < PACKAGE_DIRECTORIES; i++)
		if (find_below(of, package_directories[i], of->package, path, size))
			return check_trust(of, path, why);
	if (!of->variable)
		return hook_fail(why, "%s is not found: %s", of->what, of->remedy);
	return hook_fail(why, "%s is not found: %s, or set %s to the path of its library",
	    of->what, of->remedy, of->variable);
}

void *library_open(const struct library_search *of, char *path, size_t size, char *why)
{
	const char *value = of->variable ? getenv(of->variable) : NULL;
	void *library = NULL;

	if (!value || !*value)
		for (const char *const *name = of->names; name && *name && !library;
		     name++) {
			library = dlopen(*name, RTLD_NOW | RTLD_LOCAL);
			snprintf(path, size, "%s", *name);
		}
	if (library || library_find(of, path, size, why))
		return library;
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		hook_fail(why, "%s cannot be loaded: %s", of->what, dlerror());
	return library;
}
