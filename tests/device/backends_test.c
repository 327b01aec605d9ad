/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that plug-ins are found and that invalid ones are rejected. The plug-ins are those
 * of tests/device/plugins, which were built next to this program.
 */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/backends.h"
#include "tests/lib/tap.h"

/* Returns the directory of the plug-ins, which is next to the program. */
static char *plugin_dir(void)
{
	char self[PATH_MAX];
	ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);

	self[len > 0 ? len : 0] = '\0';
	*(strrchr(self, '/') ? strrchr(self, '/') : self) = '\0';
	return str_format("%s/plugins", self);
}

static char abi_message[80]; /* main fills it */

static const struct {
	const char *name, *want; /* a part of the message; NULL if it is loaded */
} plugins[] = {
	{ "ref", NULL },
	{ "whole", NULL },
	{ "crashing", NULL },
	{ "hanging", NULL },
	{ "peaks", NULL },
	{ "fake_engine", NULL },
	{ "listed", NULL },
	{ "timed", NULL },
	{ "hip", NULL },
	{ "onnxruntime", NULL },
	{ "openvino", NULL },
	{ "other_abi", abi_message },
	{ "no_sync", "the backend has no `sync`, which is required" },
	{ "misnamed",
	    "the backend is named another; rename the file to backend-another.so" },
	{ "no_symbol", "no symbol bench_backend" },
	{ "text", "cannot load the backend text: " },
};

static const struct backend_file *find(
    const struct backend_file *list, size_t count, const char *name)
{
	const struct backend_file *found = NULL;

	for (size_t i = 0; i < count; i++)
		if (strcmp(list[i].name, name) == 0)
			found = found ? NULL : &list[i];
	return found;
}

static void check_loads(const struct backend_file *list, size_t count)
{
	for (size_t i = 0; i < COUNT(plugins); i++) {
		const struct backend_file *file = find(list, count, plugins[i].name);
		struct fault f = { "" };
		const struct backend *b;

		if (!tap_ok(file != NULL, "the backend %s is found once", plugins[i].name))
			continue;
		b = backend_load(file, &f);
		if (!plugins[i].want)
			tap_ok(b && strcmp(b->name, plugins[i].name) == 0,
			    "the backend %s is loaded", plugins[i].name);
		else if (!tap_ok(
		             !b && strstr(f.text, plugins[i].want) && !strchr(f.text, '\n'),
		             "the backend %s is rejected with: %s", plugins[i].name,
		             plugins[i].want))
			printf("# got: %s\n", f.text);
	}
}

int main(void)
{
	char *dir = plugin_dir(), scratch[] = "/tmp/bench-backends-XXXXXX", *text, *path;
	struct backend_file *list;
	size_t count;
	FILE *file;

	snprintf(abi_message, sizeof(abi_message),
	    "its ABI is %u and that of this program is %u", (unsigned)BACKEND_ABI + 1,
	    (unsigned)BACKEND_ABI);
	if (!mkdtemp(scratch))
		return 2;
	text = str_format("%s/backend-text.so", scratch);
	file = fopen(text, "w");
	if (!file || fputs("no ELF\n", file) < 0 || fclose(file) != 0)
		return 2;
	unsetenv("BENCH_BACKEND_PATH");
	list = backends_find(scratch, &count);
	tap_ok(count == 2 && strcmp(list[0].name, "ref") == 0 && !list[0].path &&
	           strcmp(list[1].name, "text") == 0,
	    "backends are searched in ref and the library directory without "
	    "BENCH_BACKEND_PATH");
	backends_free(list, count);
	path = str_format(":/nonexistent:%s:%s:", dir, dir);
	setenv("BENCH_BACKEND_PATH", path, 1);
	list = backends_find(scratch, &count);
	tap_ok(count == COUNT(plugins) && strcmp(list[0].name, "ref") == 0 &&
	           strcmp(list[count - 1].name, "text") == 0,
	    "the directories of BENCH_BACKEND_PATH are searched first, and names are found "
	    "once");
	check_loads(list, count);
	backends_free(list, count);
	unlink(text);
	rmdir(scratch);
	free(text);
	free(path);
	free(dir);
	return tap_end();
}
