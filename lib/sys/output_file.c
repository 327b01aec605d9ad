/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of a program; see output_file.h. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/output_file.h"
#include "sys/partial_file.h"
#include "sys/temp_file.h"

struct output_file {
	struct temp_file *file; /* NULL: standard output */
	FILE *stream;
	char *path;
};

static int open_stream(struct output_file *o, struct fault *f)
{
	int fd = fcntl(temp_file_fd(o->file), F_DUPFD_CLOEXEC, 0);

	o->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (o->stream)
		return 0;
	fault_errno(f, "%s", o->path);
	if (fd >= 0)
		close(fd);
	return -1;
}

struct output_file *output_file_open(const char *path, struct fault *f)
{
	struct output_file *o = mem_zero(1, sizeof(*o));

	if (!path || strcmp(path, "-") == 0) {
		o->stream = stdout;
		return o;
	}
	o->path = str_copy(path);
	o->file = temp_file_open(path, TEMP_FILE_OUTPUT, f);
	if (o->file && open_stream(o, f) == 0)
		return o;
	output_file_discard(o);
	return NULL;
}

FILE *output_file_stream(const struct output_file *o)
{
	return o->stream;
}

bool output_file_is_stdout(const struct output_file *o)
{
	struct stat out, own;

	if (!o->file)
		return true;
	if (fstat(STDOUT_FILENO, &out) < 0 || fstat(fileno(o->stream), &own) < 0)
		return false;
	/* Two users of /dev/null do not disturb each other. */
	if (S_ISCHR(own.st_mode) && !isatty(fileno(o->stream)))
		return false;
	return out.st_dev == own.st_dev && out.st_ino == own.st_ino;
}

char *output_file_keep(struct output_file *o)
{
	char *partial = NULL;

	if (o->file) {
		fclose(o->stream);
		o->stream = NULL;
		partial = temp_file_keep(o->file);
		o->file = NULL;
	}
	output_file_discard(o);
	return partial;
}

int output_file_commit(struct output_file *o, struct fault *f)
{
	return output_file_commit_or_keep(o, NULL, f);
}

int output_file_commit_or_keep(struct output_file *o, char **partial, struct fault *f)
{
	struct temp_file *file = o->file;
	int status = 0;

	if (!file) {
		output_file_discard(o);
		return 0;
	}
	if (fclose(o->stream) != 0)
		status = fault_errno(f, "%s", o->path);
	o->stream = NULL;
	if (status == 0 || partial)
		o->file = NULL;
	if (status == 0)
		status = temp_file_commit_or_keep(file, partial, f);
	else if (partial)
		*partial = temp_file_keep(file);
	output_file_discard(o);
	return status;
}

void output_file_discard(struct output_file *o)
{
	int error = errno;

	if (o->file && o->stream)
		fclose(o->stream);
	temp_file_discard(o->file);
	free(o->path);
	free(o);
	errno = error;
}
