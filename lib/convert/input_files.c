/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Input files; see input_files.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir_names.h"
#include "convert/input_files.h"

/* Adds a file. One in a directory that is too large is added with this fault, so that it
 * is skipped. */
static int add_file(
    struct input_files *files, const char *path, bool in_directory, struct fault *f)
{
	bool is_input = strcmp(path, "-") == 0, too_large = false;
	struct buf text = { 0 };

	if (file_read_up_to(path, FILE_READ_MAX, &text, f) < 0) {
		too_large = text.len > FILE_READ_MAX;
		buf_free(&text);
		if (!too_large || !in_directory)
			return -1;
	}
	*VEC_ADD(files->input, files->count, files->cap) = (struct convert_input){
		.name = str_copy(is_input ? "standard input" : path),
		.path = is_input ? NULL : str_copy(path),
		.text = { text.ptr, text.len },
		.fault = too_large ? str_copy(f->text) : NULL,
		.in_directory = in_directory,
	};
	return 0;
}

/* Returns whether a file in a directory of Criterion.rs is not to be read because of
 * another file there. */
static bool is_superseded(const char *directory, const char *name)
{
	static const struct {
		const char *name, *by;
	} superseded[] = {
		{ "base", "new/estimates.json" },
		{ "change", "new/estimates.json" },
		{ "estimates.json", "sample.json" },
		{ "raw.csv", "sample.json" },
	};
	bool found = false;

	for (size_t i = 0; i < COUNT(superseded) && !found; i++)
		if (strcmp(name, superseded[i].name) == 0) {
			char *by = str_format("%s/%s", directory, superseded[i].by);

			found = access(by, F_OK) == 0;
			free(by);
		}
	return found;
}

static int add_directory(struct input_files *files, const char *path, struct fault *f);

/* Reads a file or a directory in a directory; skips anything else, also links to nothing
 * and to themselves. */
static int add_inner(struct input_files *files, const char *path, struct fault *f)
{
	struct stat own, target;

	if (lstat(path, &own) < 0 || stat(path, &target) < 0)
		return errno == ENOENT || errno == ELOOP ? 0 : fault_errno(f, "%s", path);
	if (S_ISDIR(own.st_mode))
		return add_directory(files, path, f);
	return S_ISREG(target.st_mode) ? add_file(files, path, true, f) : 0;
}

static int add_directory(struct input_files *files, const char *path, struct fault *f)
{
	char **names;
	size_t count = dir_names(path, &names);
	int status = names ? 0 : fault_errno(f, "%s", path);

	for (size_t i = 0; i < count && status == 0; i++) {
		char *inner = str_format("%s/%s", path, names[i]);

		if (!is_superseded(path, names[i]))
			status = add_inner(files, inner, f);
		free(inner);
	}
	if (names)
		dir_names_free(names, count);
	return status;
}

int input_files_add(struct input_files *files, const char *path, struct fault *f)
{
	size_t before = files->count;
	struct stat s;

	if (strcmp(path, "-") == 0 || stat(path, &s) < 0 || !S_ISDIR(s.st_mode))
		return add_file(files, path, false, f);
	if (add_directory(files, path, f) < 0)
		return -1;
	if (files->count == before)
		return fault_set(f, "%s: no files in the directory", path);
	return 0;
}

void input_files_free(struct input_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		free((char *)files->input[i].name);
		free((char *)files->input[i].path);
		free((char *)files->input[i].text.ptr);
		free((char *)files->input[i].fault);
	}
	free(files->input);
}
