/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages of bench-format-page(5), each of which describes a format of another program: how its
 * files are recognized, and where they have their records and values. Pure.
 */
#ifndef CONVERT_FORMAT_PAGE_H
#define CONVERT_FORMAT_PAGE_H

#include "convert/page_text.h"
#include "record/record.h"

/* The powers of ten and of two that values are multiplied by. */
struct page_scale {
	int tens, twos;
};

/* A metric of a record. */
struct page_metric {
	const char *name; /* with "*" for names of the path, "@" for that of the unit */
	struct page_path path;
	const char *unit;             /* NULL: that at unit_at, or 1 */
	struct page_scale scale;      /* of the values */
	struct page_path *unit_at;    /* from the value; NULL: there is none */
	struct page_path *iterations; /* from the record; NULL: there is none */
	const char *except;           /* names that "*" does not match: "a|b"; or NULL */
	struct page_condition *only;  /* the metric is read if all of these hold */
	size_t conditions;
};

/* The meaning of a unit in the file. */
struct page_unit {
	const char *text, *unit;
	struct page_scale scale;
	const char *name; /* of the metric; NULL: the unit has none */
};

/* Members of an object, or parts of a text, that become factors. */
struct page_factors {
	struct page_path path;
	const char *split;  /* the text between two factors "name=value"; NULL: objects */
	const char *except; /* names that are not factors: "a|b"; or NULL */
};

/* The text of a column, unless an earlier one is not empty. */
struct page_column {
	enum column column;
	struct page_text text;
};

struct page_factor {
	const char *name;
	struct page_text value;
};

struct page_status {
	struct page_text status;
	struct page_condition when;
};

struct page_rename {
	const char *from, *to;
};

/* An array whose elements follow the words of a page. */
#define PAGE_LIST(type)            \
	struct {                   \
		type *at;          \
		size_t count, cap; \
	}

struct format_page {
	const char *name, *meaning;
	bool is_csv;         /* else JSON */
	bool has_short_rows; /* rows of CSV may lack fields at their end */
	bool numbers_repeats;
	bool has_each;
	bool is_shared; /* all records have the same values, which are read once */
	const char
	    *settings; /* parts of names, see name_parts_set(); NULL: names have none */
	const char *directory_factor; /* NULL: the directory of a file has no meaning */
	struct page_text directory;   /* the end of the path of a record's own file */
	struct page_scale time_scale;
	struct page_path each; /* the records; if there is none: the document */
	const char *each_text;
	PAGE_LIST(struct page_column) column;
	PAGE_LIST(struct page_condition) needs;
	PAGE_LIST(struct page_condition) only;
	PAGE_LIST(struct page_factor) factor;
	PAGE_LIST(struct page_factors) factors;
	PAGE_LIST(struct page_metric) metric;
	PAGE_LIST(struct page_status) status;
	PAGE_LIST(struct page_unit) unit;
	PAGE_LIST(struct page_rename) rename;
	struct arena memory;
};

/*
 * Parses a page. Returns NULL and a message with file and line if a line is wrong, or if
 * the page lacks a word that it needs. format_page_free frees it.
 */
struct format_page *format_page_parse(
    struct text t, const char *name, const char *file, struct fault *f);
void format_page_free(struct format_page *page);

#endif
