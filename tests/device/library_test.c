/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests where plug-ins find the libraries of others: by a variable, in places, and in
 * Python packages.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/library/library.h"
#include "bench-backend.h"
#include "tests/lib/tap.h"

static const char *const names[] = { "libbench-nowhere.so.2", NULL };
static const char *const places[] = { "$NOWHERE_HOME/lib64", "toolkit/lib64", NULL };
static const struct library_search nowhere = {
	.what = "Nowhere",
	.names = names,
	.file = "libbench-nowhere.so.[0-9]*",
	.package = "maker/{cu1[0-9],nowhere}/lib",
	.remedy = "install the package nowhere",
	.places = places,
};

/* Makes an empty file, and the directories above it. */
static void file_make(const char *path)
{
	char directory[256];

	for (size_t i = 1; path[i]; i++)
		if (path[i] == '/') {
			snprintf(directory, sizeof(directory), "%.*s", (int)i, path);
			mkdir(directory, 0755);
		}
	FILE *file = fopen(path, "we");
	if (!file || fclose(file))
		exit(2);
}

/* Returns the path that is found, or the reason why there is none. */
static const char *found(const struct library_search *of)
{
	static char path[4096], why[BACKEND_WHY];

	return library_find(of, path, sizeof(path), why) ? why : path;
}

static void check_places(void)
{
	tap_text(found(&nowhere), "Nowhere is not found: install the package nowhere",
	    "a library that is nowhere is reported with how to install it");
	file_make(
	    "env/lib/python3.11/site-packages/maker/nowhere/lib/libbench-nowhere.so.9");
	tap_text(found(&nowhere), "Nowhere is not found: install the package nowhere",
	    "packages of a virtual environment that is not active are not used");
	setenv("VIRTUAL_ENV", "env", 1);
	tap_text(found(&nowhere),
	    "env/lib/python3.11/site-packages/maker/nowhere/lib/libbench-nowhere.so.9",
	    "a library is found in a package of the active virtual environment");
	file_make(
	    "env/lib/python3.11/site-packages/maker/nowhere/lib/libbench-nowhere.so.12");
	tap_text(found(&nowhere),
	    "env/lib/python3.11/site-packages/maker/nowhere/lib/libbench-nowhere.so.12",
	    "version 12 of a library is newer than version 9");
	file_make("toolkit/lib64/libbench-nowhere.so.8");
	tap_text(found(&nowhere), "toolkit/lib64/libbench-nowhere.so.8",
	    "a place of the system is searched before packages");
	setenv("NOWHERE_HOME", "home", 1);
	tap_text(found(&nowhere), "toolkit/lib64/libbench-nowhere.so.8",
	    "a place whose variable names no directory is ignored");
	file_make("home/lib64/libbench-nowhere.so.7");
	tap_text(found(&nowhere), "home/lib64/libbench-nowhere.so.7",
	    "a place that a variable names comes first");
}

static void check_owners(void)
{
	struct library_search named = nowhere;

	chmod("home/lib64", 0777);
	tap_ok(strstr(found(&nowhere), "is not loaded, because everybody can write to ") &&
	           strstr(found(&nowhere),
	               "; to load it anyway, add its directory to LD_LIBRARY_PATH"),
	    "a library in a directory that everybody can write to is refused");
	named.variable = "BENCH_NOWHERE";
	tap_ok(strstr(found(&named),
	           "; to load it anyway, set BENCH_NOWHERE to its path") != NULL,
	    "the message names the variable if the library has one");
	setenv("BENCH_NOWHERE", "home/lib64", 1);
	tap_text(found(&named), "home/lib64/libbench-nowhere.so.7",
	    "a library that the variable names is used whoever can write to it");
	setenv("BENCH_NOWHERE", "none", 1);
	tap_text(
	    found(&named), "BENCH_NOWHERE is none", "the variable can turn a library off");
}

static void check_loader(void)
{
	static const char *const standard[] = { "libm.so.6", NULL };
	const struct library_search math = {
		.what = "libm", .names = standard, .file = "libm.so.6", .remedy = "-"
	};
	char path[4096], why[BACKEND_WHY];

	tap_ok(
	    library_open(&math, path, sizeof(path), why) && strcmp(path, "libm.so.6") == 0,
	    "a library that the loader finds is opened by its name");
	chmod("home/lib64", 0755);
	tap_ok(!library_open(&nowhere, path, sizeof(path), why) &&
	           strncmp(why, "Nowhere cannot be loaded: ", 26) == 0,
	    "a file that is no library is reported");
}

int main(void)
{
	char directory[] = "/tmp/library_test.XXXXXX", remove[64];

	if (!mkdtemp(directory) || chdir(directory))
		return 2;
	umask(022);
	setenv("HOME", directory, 1);
	setenv("PATH", directory, 1);
	unsetenv("VIRTUAL_ENV");
	unsetenv("CONDA_PREFIX");
	check_places();
	check_owners();
	check_loader();
	snprintf(remove, sizeof(remove), "/bin/rm -rf %s", directory);
	return system(remove) ? 2 : tap_end();
}
