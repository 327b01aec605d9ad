/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Basics of every module; see base.h. Without memory, allocation ends the program: no
 * caller could do better, and code that checks every malloc() is harder to read.
 */
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

static void *check_memory(void *ptr)
{
	if (!ptr)
		errx(STATUS_TROUBLE, "out of memory");
	return ptr;
}

void *mem_zero(size_t count, size_t size)
{
	return check_memory(calloc(count ? count : 1, size ? size : 1));
}

void *mem_resize(void *ptr, size_t count, size_t size)
{
	return check_memory(reallocarray(ptr, count ? count : 1, size ? size : 1));
}

char *mem_text(const void *bytes, size_t len)
{
	char *copy = mem_zero(len + 1, 1);

	if (len)
		memcpy(copy, bytes, len);
	return copy;
}

char *str_copy(const char *s)
{
	return mem_text(s, strlen(s));
}

char *str_format(const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return check_memory(s);
}

void *mem_more(void *ptr, size_t *cap, size_t size)
{
	*cap = *cap + *cap / 2 + 8;
	return mem_resize(ptr, *cap, size);
}

void *mem_more_or_one(void *ptr, size_t *cap, size_t size)
{
	if (*cap)
		return mem_more(ptr, cap, size);
	*cap = 1;
	return mem_resize(ptr, *cap, size);
}

void *mem_double(void *ptr, size_t count, size_t size)
{
	return mem_resize(ptr, count ? 2 * count : 1, size);
}

struct text text_trim(struct text t)
{
	for (; t.len && isspace((unsigned char)t.ptr[0]); t.ptr++)
		t.len--;
	while (t.len && isspace((unsigned char)t.ptr[t.len - 1]))
		t.len--;
	return t;
}

struct text text_next_line(struct text *lines)
{
	const char *end = memchr(lines->ptr, '\n', lines->len);
	struct text line = { lines->ptr, end ? (size_t)(end - lines->ptr) : lines->len };
	size_t used = line.len + (end != NULL);

	lines->ptr += used;
	lines->len -= used;
	return line;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct text text_next_word(struct text *line)
{
	for (; line->len && is_blank(line->ptr[0]); line->ptr++)
		line->len--;
	struct text word = { line->ptr, 0 };
	for (; line->len && !is_blank(line->ptr[0]) && line->ptr[0] != '\n'; line->ptr++) {
		line->len--;
		word.len++;
	}
	return word;
}

static uint64_t mix_hash(uint64_t h)
{
	h ^= h >> 32;
	h *= 0xd6e8feb86659fd93u;
	h ^= h >> 32;
	return h;
}

static const uint64_t hash_step = 0x9e3779b97f4a7c15u;

/* Returns the last bytes of a string, which are fewer than those of a word. */
static uint64_t last_word(struct text t)
{
	uint64_t word = 0;

	memcpy(&word, t.ptr, t.len);
	return word;
}

uint64_t text_hash(struct text a, uint64_t seed)
{
	uint64_t h = seed ^ (a.len * hash_step), word;

	for (; a.len >= sizeof(word); a.ptr += sizeof(word), a.len -= sizeof(word)) {
		memcpy(&word, a.ptr, sizeof(word));
		h = mix_hash(h ^ word) + hash_step;
	}
	return mix_hash(a.len ? mix_hash(h ^ last_word(a)) : h);
}

void text_hash_twice(struct text a, uint64_t hash[2])
{
	uint64_t h = hash[0] ^ (a.len * hash_step), other = hash[1] ^ (a.len * hash_step);
	uint64_t word;

	for (; a.len >= sizeof(word); a.ptr += sizeof(word), a.len -= sizeof(word)) {
		memcpy(&word, a.ptr, sizeof(word));
		h = mix_hash(h ^ word) + hash_step;
		other = mix_hash(other ^ word) + hash_step;
	}
	if (a.len) {
		word = last_word(a);
		h = mix_hash(h ^ word);
		other = mix_hash(other ^ word);
	}
	hash[0] = mix_hash(h);
	hash[1] = mix_hash(other);
}

void buf_room(struct buf *b, size_t more)
{
	if (b->cap - b->len > more)
		return;
	if (more > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		errx(STATUS_TROUBLE, "out of memory");
	b->cap = (b->len + more + 64) * 3 / 2;
	b->ptr = mem_resize(b->ptr, b->cap, 1);
}

void buf_put(struct buf *b, const void *bytes, size_t len)
{
	buf_room(b, len);
	if (len)
		memcpy(b->ptr + b->len, bytes, len);
	b->len += len;
	b->ptr[b->len] = '\0';
}

void buf_byte(struct buf *b, char c)
{
	buf_put(b, &c, 1);
}

void buf_str(struct buf *b, const char *s)
{
	buf_put(b, s, strlen(s));
}

void buf_text(struct buf *b, struct text t)
{
	buf_put(b, t.ptr, t.len);
}

/* Most texts fit, so they are formatted once, not first to measure them. */
void buf_vprintf(struct buf *b, const char *fmt, va_list ap)
{
	size_t room = b->cap - b->len;
	va_list again;
	int len;

	va_copy(again, ap);
	len = vsnprintf(room ? b->ptr + b->len : NULL, room, fmt, ap);
	if (len < 0)
		errx(STATUS_TROUBLE, "out of memory");
	if ((size_t)len >= room) {
		buf_room(b, (size_t)len);
		if (vsnprintf(b->ptr + b->len, (size_t)len + 1, fmt, again) != len)
			errx(STATUS_TROUBLE, "out of memory");
	}
	b->len += (size_t)len;
	va_end(again);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(b, fmt, ap);
	va_end(ap);
}

void buf_free(struct buf *b)
{
	free(b->ptr);
	*b = (struct buf){ 0 };
}

char *buf_detach(struct buf *b)
{
	char *s = b->ptr ? b->ptr : str_copy("");

	*b = (struct buf){ 0 };
	return s;
}

/* Makes the message one line without control characters, even if names contain them. */
static void fault_put(struct fault *f, const char *fmt, va_list ap)
{
	vsnprintf(f->text, sizeof(f->text), fmt, ap);
	for (unsigned char *p = (unsigned char *)f->text; *p; p++)
		if (*p == '\n' || *p == '\t')
			*p = ' ';
		else if (*p < ' ' || *p == 0x7f)
			*p = '?';
		else if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0) /* C1 in UTF-8 */
			p[0] = p[1] = '?';
}

int fault_set(struct fault *f, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fault_put(f, fmt, ap);
	va_end(ap);
	return -1;
}

int fault_errno(struct fault *f, const char *fmt, ...)
{
	int reason = errno;
	va_list ap;

	va_start(ap, fmt);
	fault_put(f, fmt, ap);
	va_end(ap);
	size_t len = strlen(f->text);
	snprintf(f->text + len, sizeof(f->text) - len, ": %s%s", strerror(reason),
	    reason == EMFILE ? " (see ulimit -n)" : "");
	return -1;
}

int fault_prefix(struct fault *f, const char *fmt, ...)
{
	const struct fault inner = *f;
	va_list ap;

	va_start(ap, fmt);
	fault_put(f, fmt, ap);
	va_end(ap);
	size_t len = strlen(f->text);
	(void)snprintf(f->text + len, sizeof(f->text) - len, ": %s", inner.text);
	return -1;
}

int file_write_all(int fd, struct text t)
{
	while (t.len) {
		ssize_t put = write(fd, t.ptr, t.len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -1;
		t.ptr += put;
		t.len -= (size_t)put;
	}
	return 0;
}

/* Appends an open file to out, and stops when out has more than max bytes. */
static int read_file_fd(
    int fd, const char *name, size_t max, struct buf *out, struct fault *f)
{
	ssize_t got;

	do {
		buf_room(out, 1 << 16);
		got = read(fd, out->ptr + out->len, out->cap - out->len - 1);
		if (got > 0)
			out->len += (size_t)got;
	} while ((got > 0 && out->len <= max) || (got < 0 && errno == EINTR));
	out->ptr[out->len] = '\0';
	return got < 0 ? fault_errno(f, "%s", name) : 0;
}

int file_read_fd(int fd, const char *name, struct buf *out, struct fault *f)
{
	return read_file_fd(fd, name, SIZE_MAX, out, f);
}

int input_open(const char *path, const char **name, struct fault *f)
{
	static bool stdin_is_read;

	*name = path;
	if (!*path) {
		errno = ENOENT;
		return fault_set(f, "the name of an input file is empty");
	}
	if (strcmp(path, "-") != 0) {
		const int fd = open(path, O_RDONLY | O_CLOEXEC);

		return fd < 0 ? fault_errno(f, "%s", path) : fd;
	}
	*name = "standard input";
	if (stdin_is_read)
		return fault_set(f, "standard input can be read only once: give '-' once");
	stdin_is_read = true;
	if (isatty(STDIN_FILENO))
		warnx("reading from the terminal; end with Ctrl-D, or give the name of a "
		      "file");
	return STDIN_FILENO;
}

void input_close(int fd)
{
	if (fd != STDIN_FILENO)
		close(fd);
}

int file_read_up_to(const char *path, size_t max, struct buf *out, struct fault *f)
{
	const char *name;
	const int fd = input_open(path, &name, f);

	if (fd < 0)
		return -1;
	const int status = read_file_fd(fd, name, max, out, f);

	input_close(fd);
	if (status == 0 && out->len > max)
		return fault_set(f, "%s is larger than the limit of %zu bytes", name, max);
	return status;
}

int file_read(const char *path, struct buf *out, struct fault *f)
{
	return file_read_up_to(path, FILE_READ_MAX, out, f);
}

int stdout_failed(void)
{
	if (errno != EPIPE)
		warnx("standard output: %s", errno ? strerror(errno) : "write failed");
	return STATUS_TROUBLE;
}

int stdout_close(int status)
{
	bool failed = ferror(stdout) != 0;

	errno = 0;
	if (fflush(stdout) != 0)
		failed = true;
	else if (fclose(stdout) != 0 && errno != EBADF)
		failed = true;
	return failed ? stdout_failed() : status;
}
