/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Basics of every module: allocation that ends the program instead of failing, slices of
 * text, growing buffers, the error message that a library function leaves for its caller,
 * and a checked close of standard output.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define PRINTF_LIKE(fmt, args) __attribute__((format(printf, fmt, args)))

/* The exit statuses that all programs share. */
enum { STATUS_FINE = 0, STATUS_NO = 1, STATUS_TROUBLE = 2 };

/* Allocate memory, which the caller frees with free(). Without memory, these functions end
 * the program with status 2. */
void *mem_zero(size_t count, size_t size);
void *mem_resize(void *ptr, size_t count, size_t size);
char *mem_text(const void *bytes, size_t len); /* returns a copy that ends with a NUL */
char *str_copy(const char *s);
char *str_format(const char *fmt, ...) PRINTF_LIKE(1, 2);

/*
 * Makes room for one more element at the end of an array, which is described by a pointer,
 * a count and a capacity. Its value is the address of the new element, which is not
 * cleared.
 */
#define VEC_ADD(ptr, count, cap)                                                    \
	((ptr) = (count) < (cap) ? (ptr) : mem_more((ptr), &(cap), sizeof(*(ptr))), \
	    &(ptr)[(count)++])
void *mem_more(void *ptr, size_t *cap, size_t size);
/* Does the same for an array that mostly has one element: the first allocation has room for
 * one. */
#define VEC_ADD_ONE(ptr, count, cap)                                                       \
	((ptr) = (count) < (cap) ? (ptr) : mem_more_or_one((ptr), &(cap), sizeof(*(ptr))), \
	    &(ptr)[(count)++])
void *mem_more_or_one(void *ptr, size_t *cap, size_t size);
/* Does the same without a capacity, for arrays that are many and mostly have one element.
 * The room follows from the count, so only this macro may change the count until the array
 * is complete. */
#define VEC_ADD_MANY(ptr, count)                                                       \
	((ptr) = (count) & ((count) - 1) ? (ptr)                                       \
	                                 : mem_double((ptr), (count), sizeof(*(ptr))), \
	    &(ptr)[(count)++])
/* Doubles the room of an array whose count is 0 or a power of two. */
void *mem_double(void *ptr, size_t count, size_t size);

/* A slice of bytes that it does not own, not terminated by a NUL. In an empty string, ptr
 * may be NULL. */
struct text {
	const char *ptr;
	size_t len;
};

#define TEXT(literal) ((struct text){ "" literal, sizeof(literal) - 1 })

static inline struct text text_of(const char *s)
{
	return (struct text){ s, strlen(s) };
}

static inline bool text_equal(struct text a, struct text b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool text_is(struct text a, const char *s)
{
	return text_equal(a, text_of(s));
}

static inline bool text_begins(struct text t, const char *with)
{
	size_t len = strlen(with);

	return t.len >= len && memcmp(t.ptr, with, len) == 0;
}

static inline bool text_ends(struct text t, const char *with)
{
	size_t len = strlen(with);

	return t.len >= len && memcmp(t.ptr + t.len - len, with, len) == 0;
}

/* Returns a string without this many bytes at its beginning, which it must have. */
static inline struct text text_after(struct text t, size_t bytes)
{
	return (struct text){ t.ptr + bytes, t.len - bytes };
}

/* Returns the string without white space at its ends. */
struct text text_trim(struct text t);
/* Removes the first line from a string, and returns it. */
struct text text_next_line(struct text *lines);
/* Removes the blanks at the beginning of a line and its first word, and returns the word,
 * which is empty at the end of the line. */
struct text text_next_word(struct text *line);

/*
 * Returns a hash of 64 bits. It must never change: checksum.h and seal.h use it for hashes
 * that databases store, db_spool for names of files, and the inputs of tensors and the
 * colors of plots depend on it. Hash tables in memory also use it, because it is fast.
 *
 * The other hashes that must not change are FNV-1a, which other programs can compute from a
 * description: 32 bits at the end of each chunk of samples (format 1 of pack.h), and 64
 * bits, folded to 48, as the name of an environment (host.h). Neither can be replaced by
 * this one.
 */
uint64_t text_hash(struct text a, uint64_t seed);
/* Replaces two seeds by the hashes with each of them. This takes less time than two hashes,
 * because the processor computes them side by side. */
void text_hash_twice(struct text a, uint64_t hash[2]);

/* A growing buffer. Once anything was put into it, a NUL follows its bytes. Zero it to
 * begin. */
struct buf {
	char *ptr;
	size_t len, cap;
};

void buf_room(struct buf *b, size_t more); /* make room for more bytes and a NUL */
void buf_put(struct buf *b, const void *bytes, size_t len);
void buf_byte(struct buf *b, char c);
void buf_str(struct buf *b, const char *s);
void buf_text(struct buf *b, struct text t);
void buf_printf(struct buf *b, const char *fmt, ...) PRINTF_LIKE(2, 3);
void buf_vprintf(struct buf *b, const char *fmt, va_list ap) PRINTF_LIKE(2, 0);
void buf_free(struct buf *b);
/* Returns the contents as an allocated string, "" if nothing was appended, and empties the
 * buffer. */
char *buf_detach(struct buf *b);
/* Returns the contents as a string, valid until the buffer changes. */
static inline struct text text_in(const struct buf *b)
{
	return (struct text){ b->ptr, b->len };
}

/* An error message: one line without the program's name and without a newline. */
struct fault {
	char text[1024];
};

/* Fills the message and returns -1, so that a function can `return fault_set(...)`. */
int fault_set(struct fault *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Fills the message like fault_set(), and appends ": " and strerror(errno). */
int fault_errno(struct fault *f, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* Puts a name, such as that of a file or an option, and ": " before the message. Returns
 * -1. */
int fault_prefix(struct fault *f, const char *fmt, ...) PRINTF_LIKE(2, 3);

/*
 * Opens a file for reading. The path "-" is standard input, which a program can open once;
 * if it is a terminal, a message on standard error says so. Stores the name for messages.
 * Returns the descriptor, for input_close, or -1 and the message.
 */
int input_open(const char *path, const char **name, struct fault *f);
void input_close(int fd);
/* The largest file that is read whole, because a device such as /dev/zero never ends. */
#define FILE_READ_MAX ((size_t)1 << 30)
/* Reads a whole file ("-": standard input) into out, if it has at most FILE_READ_MAX bytes.
 * Returns 0 or -1. */
int file_read(const char *path, struct buf *out, struct fault *f);
/* Reads a whole file, as file_read() does, if it has at most max bytes. Returns 0 or -1. */
int file_read_up_to(const char *path, size_t max, struct buf *out, struct fault *f);
/* Reads an open file to its end; name is for the message. Returns 0 or -1. */
int file_read_fd(int fd, const char *name, struct buf *out, struct fault *f);
/* Writes all of it to a descriptor. Returns 0, or -1 (errno set). */
int file_write_all(int fd, struct text t);

/*
 * Flushes and closes standard output at the end of a program. Returns the given status. On
 * an error, such as a full disk, it reports the error on standard error and returns 2.
 */
int stdout_close(int status);
/* Reports that a write to standard output failed, for the reason in errno. A closed pipe is
 * not reported. */
int stdout_failed(void); /* returns STATUS_TROUBLE */

#endif
