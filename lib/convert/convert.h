/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats of other programs: one table, a row a format, with what recognizes its files,
 * reads and writes them.
 */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "convert/row_builder.h"
#include "io/json_doc.h"
#include "io/render.h"

/* A file that is to be read. */
struct source {
	const char *name;         /* for messages */
	struct text text;         /* all of it */
	const struct json_t *doc; /* NULL: it is not JSON */
	const char *const *melt;  /* columns of a foreign CSV */
	size_t melts;
};

/* What a writer writes to. */
struct output {
	FILE *out;
	const char *name; /* for messages */
	enum render_format render;
	const struct row_builder *rows; /* which columns there are */
};

struct subject_values;
struct format {
	const char *name, *meaning;
	bool is_json;
	bool is_json_lines; /* a text of which each line is JSON */
	/* Readers: both or none. */
	bool (*recognize)(const struct source *s);
	int (*read)(const struct source *s, struct row_builder *out, struct fault *f);
	/* Writers: row by row as they are read ... */
	const struct row_writer {
		void *(*open)(const struct output *o, struct fault *f);
		int (*row)(void *writer, const struct row *row, struct fault *f);
		/* 0, or -1 and the message; frees the writer. */
		int (*close)(void *writer, struct fault *f);
	} * writer;
	/* ... or all values of all subjects at the end, which puts the text into out. */
	int (*write)(const struct subject_values *t, struct buf *out, struct fault *f);
};

extern const struct format *const formats_known[];
extern const size_t formats_count;

struct convert {
	const char *from,
	    *to;            /* names of formats; NULL: recognized, and rows as RENDER_* */
	const char *metric; /* only this one; NULL: all */
	const char *bench;  /* name of what the file does not name */
	const char *const *melt; /* columns of a foreign CSV */
	size_t melts;
	enum render_format render;
};

/*
 * Reads a text, of which name tells in messages, and writes it. Nothing is written of one
 * that cannot be read. What is worth telling is appended to notes, a line each. Returns 0
 * or -1; errno is set when the message is "standard output".
 */
int convert_text(const struct convert *c, const char *name, struct text t, FILE *out,
    struct buf *notes, struct fault *f);

#endif
