/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources of inputs; see port_source.h.
 */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "port/port_file.h"
#include "port/port_picture.h"
#include "port/port_shape.h"
#include "port/port_source.h"
#include "port/port_store.h"

enum { BEGIN_BYTES = 8 }; /* that identify a picture */

static int is_visible(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* Lists the files. Returns 0, or -1 and the message. */
static int list_files(struct port_source *s, struct fault *f)
{
	const char *path = s->spec.path;
	struct dirent **entry;
	struct stat st;
	int count;

	s->directory = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
	if (!s->directory) {
		s->file = mem_zero(1, sizeof(*s->file));
		s->file[s->files++] = str_copy(path);
		return 0;
	}
	count = scandir(path, &entry, is_visible, alphasort);
	if (count < 0)
		return fault_errno(f, "%s", path);
	s->file = mem_zero((size_t)count + 1, sizeof(*s->file));
	for (int i = 0; i < count; i++) {
		s->file[s->files++] = str_format("%s%s%s", path,
		    path[strlen(path) - 1] == '/' ? "" : "/", entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return count ? 0 : fault_set(f, "%s: the directory is empty", path);
}

static bool file_is_picture(const char *path)
{
	char begin[BEGIN_BYTES];
	struct text text = { begin, 0 };
	struct stat st;
	FILE *file = stat(path, &st) == 0 && S_ISREG(st.st_mode) ? fopen(path, "re") : NULL;

	if (!file)
		return false;
	text.len = fread(begin, 1, sizeof(begin), file);
	fclose(file);
	return picture_is(text);
}

static bool file_is_text(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && strcmp(dot, ".txt") == 0;
}

/* Determines the kind from the first file. Returns 0, or -1 and the message if settings are
 * for another kind. */
static int find_kind(struct port_source *s, struct fault *f)
{
	static const char *const has_no[] = {
		[PORT_PICTURES] = "no JPEG or PNG file",
		[PORT_SEQUENCES] = "no text file of tokens (.txt)",
	};
	const char *path = s->file[0];

	if (s->spec.format == PORT_TOKENS ||
	    (s->spec.format == PORT_ANY_FORMAT && file_is_text(path)))
		s->kind = PORT_SEQUENCES;
	else if (s->spec.format == PORT_ANY_FORMAT && file_is_picture(path))
		s->kind = PORT_PICTURES;
	for (int kind = PORT_PICTURES; kind < PORT_KINDS; kind++)
		if (s->spec.only[kind] && s->kind != (enum port_kind)kind)
			return fault_set(f, "setting %s: %s is %s", s->spec.only[kind],
			    path, has_no[kind]);
	return 0;
}

/* Returns the least number that an integer input cannot hold, at most 2^53. */
static double integer_end(const struct backend_port *p)
{
	const int bits = (int)p->element_bytes * 8 - (*p->type == 'i');

	return ldexp(1, bits < 53 ? bits : 53);
}

/* Reads the sequences of all files. Returns 0, or -1 and the message. */
static int read_tokens(struct port_source *s, struct fault *f)
{
	const struct backend_port *p = s->opts.port;
	struct fault why;

	if (p->dims != 1 && p->dims != 2)
		return fault_set(f,
		    "%s: input '%s' has %u dimensions, but tokens need 1 or 2", s->file[0],
		    p->name, (unsigned)p->dims);
	if (!port_takes_numbers(p) || port_is_float(p) || strcmp(p->type, "bool") == 0)
		return fault_set(f, "%s: input '%s' is %s, but tokens need integers",
		    s->file[0], p->name, p->type);
	if (s->opts.rows > 0 && (double)s->spec.pad >= s->opts.rows)
		return fault_set(f,
		    "setting pad: token %lld is out of range: the table has %.17g rows",
		    (long long)s->spec.pad, s->opts.rows);
	for (size_t i = 0; i < s->files; i++) {
		struct buf file = { 0 };
		int status = port_file_bytes(s->file[i], p->name, &file, f);

		if (status == 0 &&
		    port_tokens_add(&s->tokens, text_in(&file),
		        integer_end(p), s->opts.rows, &why) < 0)
			status = fault_set(f, "%s: %s", s->file[i], why.text);
		buf_free(&file);
		if (status < 0)
			return -1;
	}
	return s->tokens.sequences ? 0 : fault_set(f, "%s: it has no tokens", s->spec.path);
}

bool port_source_is_padded(const struct port_source *s)
{
	const int64_t length =
	    s->kind == PORT_SEQUENCES ? s->size[s->opts.port->dims - 1] : 0;

	for (size_t i = 0; s->kind == PORT_SEQUENCES && i < s->tokens.sequences; i++) {
		size_t count;

		port_tokens_of(&s->tokens, i, &count);
		if ((int64_t)count < length)
			return true;
	}
	return false;
}

/* Refuses padding that the model would take for tokens. Returns 0, or -1 and the message.
 */
static int check_padding(const struct port_source *s, struct fault *f)
{
	return s->opts.has_mask || s->spec.pads || !port_source_is_padded(s)
	           ? 0
	           : fault_set(f,
	                 "%s: it has sequences of fewer than %lld tokens, and no mask "
	                 "marks "
	                 "padding: set pad=ID to pad nevertheless",
	                 s->spec.path, (long long)s->size[s->opts.port->dims - 1]);
}

/* Counts elements and batches. Returns 0, or -1 and the message. */
static int count_batches(struct port_source *s, struct fault *f)
{
	const struct backend_port *p = s->opts.port;
	const uint32_t whole = s->kind == PORT_PICTURES    ? 3
	                       : s->kind == PORT_SEQUENCES ? 1
	                                                   : p->dims - s->directory;
	const double bytes = (double)port_elements(s->size, p->dims) * p->element_bytes;

	s->count = s->kind == PORT_SEQUENCES ? s->tokens.sequences : s->files;
	s->rows = p->dims > whole ? (size_t)s->size[0] : 1;
	s->batches = s->rows ? (s->count + s->rows - 1) / s->rows : 1;
	if (s->spec.batches) {
		if (s->spec.batches < s->batches)
			s->batches = s->spec.batches;
		return 0;
	}
	return bytes * (double)s->batches <= PORT_SOURCE_BYTES_MAX || s->batches == 1
	           ? 0
	           : fault_set(f,
	                 "%s: its %zu batches need more than 1 GiB of memory: use the "
	                 "first "
	                 "%.0f with the setting batches=%.0f",
	                 s->spec.path, s->batches,
	                 fmax(floor(PORT_SOURCE_BYTES_MAX / bytes), 1),
	                 fmax(floor(PORT_SOURCE_BYTES_MAX / bytes), 1));
}

static int prepare_kind(struct port_source *s, struct fault *f)
{
	struct fault why;

	if (s->kind == PORT_SEQUENCES)
		return read_tokens(s, f) < 0 || check_padding(s, f) < 0 ? -1 : 0;
	if (s->kind == PORT_PICTURES && port_picture_input(s->opts.port, s->size,
	                                    &s->spec.picture, &s->picture, &why) < 0)
		return fault_set(f, "%s: %s", s->file[0], why.text);
	if (s->kind == PORT_ARRAYS && s->directory && s->opts.port->dims == 0)
		return fault_set(f,
		    "%s: input '%s' has no dimensions, so it is read from "
		    "a file",
		    s->spec.path, s->opts.port->name);
	return 0;
}

int port_source_open(const char *spec, const struct port_source_opts *opts,
    struct port_source *s, struct fault *f)
{
	*s = (struct port_source){ .opts = *opts };
	memcpy(s->size, opts->size, opts->port->dims * sizeof(*s->size));
	if (port_spec_parse(spec, &s->spec, f) == 0 && list_files(s, f) == 0 &&
	    find_kind(s, f) == 0 && prepare_kind(s, f) == 0 && count_batches(s, f) == 0)
		return 0;
	port_source_free(s);
	return -1;
}

void port_source_free(struct port_source *s)
{
	for (size_t i = 0; i < s->files; i++)
		free(s->file[i]);
	free(s->file);
	port_tokens_free(&s->tokens);
	port_spec_free(&s->spec);
	*s = (struct port_source){ 0 };
}

size_t port_source_at(const struct port_source *s, size_t batch, size_t row)
{
	return (batch * s->rows + row) % s->count;
}

int port_source_numbers(
    const struct port_source *s, size_t batch, double *out, struct fault *f)
{
	const size_t elements = port_elements(s->size, s->opts.port->dims),
	             each = s->rows ? elements / s->rows : 0;

	for (size_t row = 0; row < s->rows; row++, out += each) {
		const size_t at = port_source_at(s, batch, row);
		const double *id;
		size_t count;

		if (s->kind == PORT_PICTURES) {
			if (port_picture_read(
			        s->file[at], &s->spec.picture, &s->picture, out, f) < 0)
				return -1;
			continue;
		}
		id = port_tokens_of(&s->tokens, at, &count);
		for (size_t i = 0; i < each; i++)
			out[i] = i < count ? id[i] : (double)s->spec.pad;
	}
	return 0;
}

void port_source_mask(const struct port_source *s, size_t batch, double *out)
{
	const size_t length = (size_t)s->size[s->opts.port->dims - 1];

	for (size_t row = 0; row < s->rows; row++, out += length) {
		size_t count;

		port_tokens_of(&s->tokens, port_source_at(s, batch, row), &count);
		for (size_t i = 0; i < length; i++)
			out[i] = i < count;
	}
}

/* Appends the elements of a batch of arrays. Returns 0, or -1 and the message. */
static int read_arrays(
    const struct port_source *s, size_t batch, struct buf *out, struct fault *f)
{
	struct backend_port part = *s->opts.port;
	int status = 0;

	if (!s->directory)
		return port_file_read(s->file[0], &part, s->size, out, f);
	part.dims--;
	for (size_t row = 0; status == 0 && row < s->rows; row++)
		status = port_file_read(
		    s->file[port_source_at(s, batch, row)], &part, s->size + 1, out, f);
	return status;
}

int port_source_read(
    const struct port_source *s, size_t batch, struct buf *out, struct fault *f)
{
	const size_t elements = port_elements(s->size, s->opts.port->dims);
	double *numbers;
	int status;

	if (s->kind == PORT_ARRAYS)
		return read_arrays(s, batch, out, f);
	numbers = mem_zero(elements + 1, sizeof(*numbers));
	status = port_source_numbers(s, batch, numbers, f);
	if (status == 0)
		port_store(s->opts.port, numbers, elements, out);
	free(numbers);
	return status;
}
