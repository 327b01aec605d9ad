/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between the files of a report: its parts are lists of items, each a table, picture or
 * download that a program makes, or a sentence.
 */
#ifndef REPORT_REPORT_ITEMS_PRIV_H
#define REPORT_REPORT_ITEMS_PRIV_H

#include "host/host.h"
#include "report/html.h"
#include "report/report.h"
#include "report/report_filter.h"
#include "report/report_inventory.h"
#include "sys/process_run.h"

enum item_shown { ITEM_TEXT, ITEM_TABLE, ITEM_FIGURE, ITEM_DOWNLOAD };

struct item {
	enum item_shown shown;
	char **argv; /* of the program; NULL: out is there already */
	size_t args, args_cap;
	struct report_filter
	    *filter; /* the rows that it reads; NULL: text, or the whole stream */
	char *bench; /* that the filter selects */
	struct buf
	    text; /* its standard input, when there is no filter and not the whole stream */
	bool gentle;             /* a program that cannot make it is no failure */
	char *caption;           /* of tables and pictures; a sentence; what a link says */
	const char *nothing;     /* instead of a table without rows */
	const char *id;          /* of a table: its rows can be filtered */
	const char *name, *type; /* of a download */
	bool wide;
	size_t most; /* bytes that may be downloaded, 0: all */
	/* The result. */
	struct process_run program;
	struct buf out, said;
	int input, status;
	struct fault fault;
};

struct part_row;

/* A part of the page with its items. */
struct part {
	const struct part_row *row;
	struct item *item;
	size_t count, cap;
};

/* The facts of a machine, by their env. */
struct machine {
	char *env;
	struct host host;
};

struct report {
	const struct report_opts *opts;
	struct buf whole;            /* the stream as one text */
	const struct schema *schema; /* of the whole stream */
	const struct schema *coming; /* of the same, as it is read once more */
	struct inventory inventory;
	struct machine *machine;
	size_t machines, machines_cap;
	char **fact; /* the names of their facts */
	size_t facts, facts_cap;
	char **metric; /* those that are drawn */
	size_t metrics, metrics_cap;
	struct part *part;
	size_t parts, parts_cap;
	char **failure;
	size_t failures, failures_cap;
	int input, baseline; /* the streams as memory files */
};

/* A kind of part: a row of part_rows[]. */
struct part_row {
	const char *id, *title;
	bool (*wanted)(const struct report *r);
	/* Adds the items. */
	void (*plan)(struct report *r, struct part *p);
};
extern const struct part_row part_rows[];
extern const size_t part_rows_count;

/* Those that have files of their own. */
void report_plan_machines(struct report *r, struct part *p);
void report_plan_verdicts(struct report *r, struct part *p);
void report_plan_warnings(struct report *r, struct part *p);

/* Adds an item and returns it; it is valid until the next one is added. */
struct item *part_add(struct part *p, enum item_shown shown, const char *caption_format,
    ...) PRINTF_LIKE(3, 4);
/* Sets the program, one of those beside this one, and its arguments, up to NULL. */
void item_run(struct item *it, const char *program, ...) __attribute__((sentinel));

/* Runs the programs of the items of all parts, as many at once as there are processors. */
void report_run(struct report *r);
/* Runs the program of one item. */
void report_run_item(struct report *r, struct item *it);
/* Appends an item to the page; number tells pictures apart. */
void report_put_item(struct report *r, struct item *it, unsigned number, struct buf *page);
void part_free(struct part *p);

#endif
