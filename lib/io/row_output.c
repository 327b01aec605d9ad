/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes whole rows; see row_output.h. stdio cannot do this: its write fails when a
 * signal interrupts it, and its buffer may end in the middle of a row.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/row_output.h"

enum { KEPT_BYTES = 56 << 10 };

void row_output_init(struct row_output *r, FILE *out)
{
	int fd = fileno(out);
	long size = fd < 0 ? -1 : fcntl(fd, F_GETPIPE_SZ);

	*r = (struct row_output){ .out = out, .pipe = size > 0 ? (size_t)size : 0 };
}

/* Returns how many of the bytes, which begin with a row of CSV, are whole rows. */
static size_t whole_rows(const char *bytes, size_t len)
{
	size_t whole = 0;
	bool quoted = false;

	for (size_t i = 0; i < len; i++) {
		quoted ^= bytes[i] == '"';
		if (bytes[i] == '\n' && !quoted)
			whole = i + 1;
	}
	return whole;
}

/* Removes the incomplete row at the end of a file, if the file still ends with the
 * last write. */
static void cut_back(int fd, size_t torn)
{
	off_t end = lseek(fd, 0, SEEK_CUR);
	struct stat st;

	if (!torn || end < (off_t)torn || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    st.st_size != end || ftruncate(fd, end - (off_t)torn) < 0)
		return;
	lseek(fd, end - (off_t)torn, SEEK_SET);
}

/* Writes to the descriptor. Returns 0 or errno. */
static int write_fd(int fd, const char *bytes, size_t len)
{
	size_t done = 0;
	int error;

	while (done < len) {
		ssize_t put = write(fd, bytes + done, len - done);

		if (put > 0) {
			done += (size_t)put;
		} else if (put < 0 && errno == EAGAIN) {
			/* Another program made the descriptor non-blocking. */
			poll(&(struct pollfd){ .fd = fd, .events = POLLOUT }, 1, -1);
		} else if (put == 0 || errno != EINTR) {
			error = put ? errno : ENOSPC;
			cut_back(fd, done - whole_rows(bytes, done));
			return error;
		}
	}
	return 0;
}

/*
 * Writes to a pipe part by part, because the kernel writes up to PIPE_BUF bytes
 * atomically if there is room. The remaining parts are written together if the pipe
 * contains at most the previous part, in one of its pages, and the other pages have room
 * for all of them. Most readers keep the pipe empty.
 */
static int write_parts(struct row_output *r, int fd)
{
	size_t begin = 0;
	int error = 0;

	for (size_t i = 0; i <= r->parts && begin < r->bytes.len && !error; i++) {
		size_t end = i < r->parts ? r->part[i] : r->bytes.len, left;
		int unread;

		error = write_fd(fd, r->bytes.ptr + begin, end - begin);
		left = r->bytes.len - end;
		if (!error && left && end - begin <= PIPE_BUF &&
		    r->pipe >= left + PIPE_BUF && ioctl(fd, FIONREAD, &unread) == 0 &&
		    (size_t)unread <= end - begin) {
			error = write_fd(fd, r->bytes.ptr + end, left);
			end = r->bytes.len;
		}
		begin = end;
	}
	return error;
}

/* Writes all bytes. After an error, nothing is written. */
static void write_out(struct row_output *r)
{
	int fd = fileno(r->out);

	if (!r->bytes.len || r->error)
		;
	else if (fd < 0) /* memory */
		r->error = fwrite(r->bytes.ptr, 1, r->bytes.len, r->out) == r->bytes.len
		               ? 0
		               : errno;
	else if (fflush(r->out) != 0)
		r->error = errno;
	else if (r->pipe)
		r->error = write_parts(r, fd);
	else
		r->error = write_fd(fd, r->bytes.ptr, r->bytes.len);
	r->bytes.len = r->whole = r->parts = 0;
}

void row_output_end_row(struct row_output *r)
{
	size_t begin = r->parts ? r->part[r->parts - 1] : 0;

	if (r->pipe && r->bytes.len - begin > PIPE_BUF && r->whole > begin)
		*VEC_ADD(r->part, r->parts, r->cap) = r->whole;
	r->whole = r->bytes.len;
	if (r->bytes.len >= KEPT_BYTES)
		write_out(r);
}

int row_output_flush(struct row_output *r)
{
	write_out(r);
	if (!r->error && fflush(r->out) != 0)
		r->error = errno;
	errno = r->error;
	return r->error ? -1 : 0;
}

void row_output_free(struct row_output *r)
{
	buf_free(&r->bytes);
	free(r->part);
}
