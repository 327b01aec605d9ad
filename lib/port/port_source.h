/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The source of an input of a model: a file, or the files of a directory in the order of
 * their names. There are three kinds:
 *
 * - arrays: files of NumPy or raw files (port_file.h). A file holds the whole input. A
 *   directory has one file for each element of the first dimension.
 * - pictures: JPEG or PNG files, each of which is one element of the first dimension of
 *   four, or the whole input if it has three dimensions (port_picture.h).
 * - sequences of tokens: text files with the extension txt (port_tokens.h). Each line is
 *   one element of the first dimension of two, or the whole input if it has one dimension.
 *   A sequence longer than the input is truncated, and a shorter one is padded.
 *
 * If there are more elements than the first dimension has, they form several batches; the
 * last one is completed with the first elements. Fewer elements are repeated.
 */
#ifndef PORT_PORT_SOURCE_H
#define PORT_PORT_SOURCE_H

#include "bench-engine.h"
#include "port/port_spec.h"
#include "port/port_tokens.h"

/* The input. */
struct port_source_opts {
	const struct backend_port *port; /* outlives the source */
	const int64_t *size;             /* copied */
	double rows;   /* of the table that ids of tokens select from; 0: unknown */
	bool has_mask; /* whether another input gets the mask of the padding */
};

struct port_source {
	struct port_source_opts opts;
	int64_t size[BACKEND_PORT_DIMS];
	struct port_spec spec;
	enum port_kind kind;
	bool directory;
	char **file;
	size_t files;
	struct port_tokens tokens;
	struct picture_input picture;
	size_t count;   /* of elements of the first dimension that the files have */
	size_t rows;    /* elements of the first dimension of a batch */
	size_t batches; /* at least 1 */
};

enum { PORT_SOURCE_BYTES_MAX = 1 << 30 }; /* of all batches, unless their number is set */

/* Opens a source, whose syntax is that of port_spec.h: lists its files, and reads them if
 * they contain tokens. Returns 0, or -1 and the message; the source is then empty. */
int port_source_open(const char *spec, const struct port_source_opts *opts,
    struct port_source *s, struct fault *f);
void port_source_free(struct port_source *s);

/* Returns the number of the file or sequence that is element `row` of a batch. */
size_t port_source_at(const struct port_source *s, size_t batch, size_t row);
/* Stores the elements of a batch of pictures or tokens. Returns 0, or -1 and the
 * message. */
int port_source_numbers(
    const struct port_source *s, size_t batch, double *out, struct fault *f);
/* Appends the elements of a batch of any kind, in the type of the input. Returns 0, or -1
 * and the message. */
int port_source_read(
    const struct port_source *s, size_t batch, struct buf *out, struct fault *f);
/* Returns whether sequences of tokens are shorter than the input. */
bool port_source_is_padded(const struct port_source *s);
/* Stores the mask of a batch of tokens: 1 for each token, 0 for padding. */
void port_source_mask(const struct port_source *s, size_t batch, double *out);

#endif
