/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds files that may contain benchmarks; see discover.h.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/intern.h"
#include "discover/benchmarks.h"
#include "discover/discover.h"
#include "elf/elf_file.h"

struct discover {
	struct discover_sink sink;
	struct intern seen; /* device and inode of files found in directories */
};

struct discover *discover_open(const struct discover_sink *sink)
{
	struct discover *d = mem_zero(1, sizeof(*d));

	d->sink = *sink;
	return d;
}

static bool is_new(struct discover *d, const struct stat *st)
{
	const uint64_t id[] = { st->st_dev, st->st_ino };
	size_t seen = d->seen.count;

	return intern_add(&d->seen, (struct text){ (const char *)id, sizeof(id) }) == seen;
}

static void report_error(struct discover *d, const char *path)
{
	struct fault f;

	fault_errno(&f, "%s", path);
	d->sink.trouble(d->sink.ctx, f.text);
}

static bool is_command_name(const char *path)
{
	static const char *const prefixes[] = { "benchmark_", "run_", "bench_" };
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
			return true;
	return false;
}

/* Returns whether an executable file is a program: a shared object can also be executable.
 */
static bool is_program(const char *path)
{
	struct elf_file *e = elf_file_peek(path);
	struct elf_head head;
	bool is = e && elf_file_head(e, &head) && head.kind == ELF_PROGRAM;

	elf_file_close(e);
	return is;
}

/* Returns 1 or 0, or -1 with errno if the file cannot be read. */
static int has_elf_magic(const char *path)
{
	static const char magic[] = { 0x7f, 'E', 'L', 'F' };
	char begin[sizeof(magic)];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got;

	if (fd < 0)
		return -1;
	posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM); /* no read-ahead */
	got = read(fd, begin, sizeof(begin));
	close(fd);
	if (got < 0)
		return -1;
	return got == sizeof(begin) && memcmp(begin, magic, sizeof(magic)) == 0;
}

static void report_file(struct discover *d, const char *path, const struct stat *st,
    const char *glob, bool named)
{
	const struct discover_sink *s = &d->sink;
	bool is_executable, is_command;
	int is_elf;

	if (!S_ISREG(st->st_mode)) {
		s->other(s->ctx, path, "not a regular file", named);
		return;
	}
	is_executable = !glob && is_command_name(path) && access(path, X_OK) == 0;
	is_elf = has_elf_magic(path);
	/* A program can be executable without being readable. */
	if (is_elf < 0 && !is_executable) {
		report_error(d, path);
		return;
	}
	is_command = is_executable && (is_elf <= 0 || is_program(path));
	if (is_command)
		s->command(s->ctx, path, named);
	if (is_elf > 0)
		s->object(s->ctx, path, glob, named && !is_command);
	else if (!is_command)
		s->other(s->ctx, path,
		    is_command_name(path) ? "not executable and not an ELF file"
		                          : "neither an ELF file nor a command",
		    named);
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Returns the names in a directory, sorted, or NULL with errno if it cannot be read. */
static char **read_folder(const char *path, size_t *count)
{
	DIR *dir = opendir(path);
	char **name = mem_zero(1, sizeof(*name));
	size_t cap = 0;

	*count = 0;
	for (struct dirent *entry; dir && (errno = 0, entry = readdir(dir));)
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			*VEC_ADD(name, *count, cap) = str_copy(entry->d_name);
	if (!dir || errno) {
		int reason = errno;

		if (dir)
			closedir(dir);
		for (size_t i = 0; i < *count; i++)
			free(name[i]);
		free(name);
		errno = reason;
		return NULL;
	}
	closedir(dir);
	qsort(name, *count, sizeof(*name), compare_names);
	return name;
}

static void walk_folder(struct discover *d, const char *path)
{
	size_t count, len = strlen(path);
	char **name = read_folder(path, &count);

	if (!name) {
		report_error(d, path);
		return;
	}
	for (size_t i = 0; i < count; i++) {
		char *below = str_format(
		    "%s%s%s", path, len && path[len - 1] == '/' ? "" : "/", name[i]);
		struct stat st;

		free(name[i]);
		if (stat(below, &st) < 0) {
			/* A broken link, or a loop of links, is not an error. */
			if (errno == ENOENT || errno == ELOOP)
				d->sink.other(
				    d->sink.ctx, below, "a broken symbolic link", false);
			else
				report_error(d, below);
		} else if (is_new(d, &st)) {
			if (S_ISDIR(st.st_mode))
				walk_folder(d, below);
			else
				report_file(d, below, &st, NULL, false);
		}
		free(below);
	}
	free(name);
}

/* Visits a path. Returns false if it does not exist. */
static bool report_path(struct discover *d, const char *path, const char *glob, bool named)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	if (S_ISDIR(st.st_mode) && !glob) {
		if (is_new(d, &st))
			walk_folder(d, path);
	} else if (named || is_new(d, &st))
		report_file(d, path, &st, glob, named);
	return true;
}

/* Visits the matches of a pattern. Returns false if there are none. */
static bool report_glob(struct discover *d, const char *pattern, const char *glob_of)
{
	glob_t found;
	bool any = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;

	if (!any)
		return false;
	qsort(found.gl_pathv, found.gl_pathc, sizeof(*found.gl_pathv), compare_names);
	for (size_t i = 0; i < found.gl_pathc; i++)
		report_path(d, found.gl_pathv[i], glob_of, false);
	globfree(&found);
	return true;
}

void discover_operand(struct discover *d, const char *operand)
{
	const char *glob;
	size_t len = benchmarks_split(operand, &glob);
	char *object = mem_text(operand, len),
	     *found = benchmark_object_path((struct text){ operand, len });
	struct stat st;

	if (!report_path(d, object, glob, true) && !report_path(d, found, glob, true)) {
		int reason = errno;

		if (!report_glob(d, operand, NULL) &&
		    (!glob || !report_glob(d, object, glob))) {
			errno = reason;
			report_error(d, lstat(operand, &st) == 0 ? operand : object);
		}
	}
	free(object);
	free(found);
}

void discover_close(struct discover *d)
{
	intern_free(&d->seen);
	free(d);
}
