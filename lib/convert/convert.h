/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The formats of other programs: one table with a row for each format, whose functions
 * recognize, read and write its files.
 */
#ifndef CONVERT_CONVERT_H
#define CONVERT_CONVERT_H

#include "io/json_doc.h"
#include "io/render.h"
#include "record/row_builder.h"
#include "text/near_name.h"

/* An input file. */
struct source {
	const char *name;         /* for messages */
	const char *path;         /* for the files next to it; NULL: not a file */
	struct text text;         /* the whole file */
	const struct json_t *doc; /* NULL: not JSON */
	const char *const *melt;  /* columns of a foreign CSV */
	size_t melts;
	const struct format_page *page; /* of a format that is one */
};

/* The output of a writer, and what it may use. */
struct row_writer_opts {
	const struct output *out;
	const char *name;               /* for messages */
	const struct row_builder *rows; /* has the columns */
	struct buf *notes;              /* lines for the user */
};

/* A commit that an input measured. */
struct measured_commit {
	struct text host, commit;
	double made_ms, measured_ms; /* since 1970 */
};

struct format_page;
struct format_pages;
struct subject_samples;
struct subject_values;
struct format {
	const char *name, *meaning;
	bool is_own; /* all programs of benchutils read it */
	bool is_json;
	bool is_json_lines; /* several JSON documents, which are read as one text */
	bool is_binary;     /* not text */
	bool whole_lines;   /* a last line without an end was cut off, ... */
	const char *const *last_lines; /* ... unless it matches one of these patterns */
	bool may_be_mixed;             /* lines that are not of the format are ignored */
	/* Readers: both functions or neither. */
	bool (*recognize)(const struct source *s);
	int (*read)(const struct source *s, struct row_builder *out, struct fault *f);
	/* Of programs that measure commits long after they were made: returns whether the
	 * file says when both happened, and fills it; else NULL. */
	bool (*commit)(const struct source *s, struct measured_commit *out);
	/* Or the file is a table without measurements, which is copied to a stream. */
	int (*copy)(const struct source *s, struct metric_filter *filter,
	    const struct output *out, struct fault *f);
	/* Writers: either row by row ... */
	const struct row_writer {
		void *(*open)(const struct row_writer_opts *o, struct fault *f);
		int (*row)(void *writer, const struct row *row, struct fault *f);
		/* 0, or -1 and the message; frees the writer. */
		int (*close)(void *writer, struct fault *f);
		/* Writes a fact before or between rows; may be NULL. */
		void (*fact)(
		    void *writer, struct text env, struct text fact, struct text value);
	} * writer;
	/* ... or a function that appends all values of all subjects to out at the end, ...
	 */
	int (*write)(const struct subject_values *t, struct buf *out, struct fault *f);
	/* ... or one that does so with all rows, including those that failed. */
	int (*write_samples)(struct subject_samples *t, struct buf *out, struct fault *f);
	bool has_failures;              /* the writer has a place for failed samples */
	bool counts_failures;           /* write has a place for their number */
	const struct format_page *page; /* that describes the format; NULL: functions do */
};

extern const struct format *const formats_known[];
extern const size_t formats_count;
/* Returns whether a format can be read, or written. */
bool format_reads(const struct format *format);
bool format_writes(const struct format *format);
/* Adds the names of the formats that can be written, or read. */
void formats_names(struct known_names *k, bool writes);

struct convert {
	const char *from, *to; /* names of formats; NULL: from: recognized, to: rows in the
	                          format of the output */
	struct metric_filter *filter;      /* of rows; NULL: all */
	struct row_conditions *conditions; /* of rows; NULL: none */
	const char *bench;                 /* for rows that have no name */
	struct row_settings *settings;     /* columns of all rows; NULL: none */
	const char *const *melt;           /* columns of a foreign CSV */
	size_t melts;
	struct format_pages
	    *pages; /* further formats, which are loaded if necessary; or NULL */
};

struct convert_input {
	const char *name; /* for messages */
	const char *path; /* for the files next to it; NULL: not a file */
	struct text text;
	const char *fault; /* why it was not read; NULL: it was */
	bool in_directory; /* skipped if it was not read or its format is unknown */
};

/*
 * Converts inputs, which may be gzip files, to one output, whose columns are those of all
 * inputs. If there are several, rows without a run get one that depends on the text of the
 * input, so that equal numbers of samples remain different samples. Writes nothing if an
 * input cannot be read. Appends notes for the user to notes, one a line. Returns 0, or -1
 * and the message, with errno set if the message is "standard output".
 */
int convert_inputs(const struct convert *c, const struct convert_input *in, size_t count,
    const struct output *out, struct buf *notes, struct fault *f);

#endif
