/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens a stream to a file that appears when it is complete; see output_stream.h.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "results/output_stream.h"
#include "results/run_dir.h"
#include "sys/file_room.h"
#include "sys/partial_file.h"
#include "sys/temp_file.h"

struct output_stream {
	struct temp_file *file;
	FILE *out; /* the same file with another descriptor */
	struct file_room room;
};

static FILE *open_again(int fd)
{
	int own = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	FILE *out = own < 0 ? NULL : fdopen(own, "w");

	if (!out && own >= 0)
		close(own);
	return out;
}

struct output_stream *output_stream_open(const char *path, int flags, struct fault *f)
{
	struct output_stream *s = mem_zero(1, sizeof(*s));

	s->file = temp_file_open(path, flags, f);
	s->out = s->file ? open_again(temp_file_fd(s->file)) : NULL;
	if (s->file && !s->out)
		fault_errno(f, "%s", path);
	if (s->out)
		return s;
	output_stream_discard(s);
	return NULL;
}

FILE *output_stream_file(struct output_stream *s)
{
	return s->out;
}

void output_stream_name_partial(struct output_stream *s)
{
	temp_file_name_partial(s->file);
}

int output_stream_reserve(struct output_stream *s)
{
	return file_room_reserve(&s->room, temp_file_fd(s->file));
}

int output_stream_end(
    struct output_stream *s, int status, char **partial, const char *what, struct fault *f)
{
	struct temp_file *file = s->file;

	status = run_dir_finish(s->out, status, what, f);
	s->out = NULL;
	file_room_release(&s->room, temp_file_fd(file));
	if (status == 0 || partial)
		s->file = NULL;
	if (status == 0)
		status = temp_file_commit_or_keep(file, partial, f);
	else if (partial)
		*partial = temp_file_keep(file);
	output_stream_discard(s);
	return status;
}

void output_stream_discard(struct output_stream *s)
{
	if (!s)
		return;
	if (s->out)
		fclose(s->out);
	if (s->file)
		temp_file_discard(s->file);
	free(s);
}
