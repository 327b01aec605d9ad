/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of a report. A part of the page is a list of items: a table, plot
 * or download that a program makes, or a sentence.
 */
#ifndef REPORT_REPORT_ITEMS_PRIV_H
#define REPORT_REPORT_ITEMS_PRIV_H

#include "history/history.h"
#include "host/host.h"
#include "record/facts.h"
#include "record/metric.h"
#include "report/html.h"
#include "report/report.h"
#include "report/report_changes.h"
#include "report/report_filter.h"
#include "report/report_inventory.h"
#include "record/bench_csv.h"
#include "sys/process_run.h"

/* ITEM_ABSENT: not on the page. ITEM_MARKUP: out is HTML that this program wrote. */
enum item_shown {
	ITEM_ABSENT,
	ITEM_TEXT,
	ITEM_MARKUP,
	ITEM_TABLE,
	ITEM_FIGURE,
	ITEM_DOWNLOAD
};

struct item {
	enum item_shown shown;
	char **argv; /* of the program; NULL: out is already filled */
	size_t args, args_cap;
	struct report_filter
	    *filter;     /* selects its input; NULL: text, or the whole stream */
	char *bench;     /* selected by the filter */
	struct buf text; /* its standard input, if it has no filter and does not read the
	                    whole stream */
	bool gentle;     /* a program that cannot make it does not fail the report */
	bool judges;     /* status 2 with output is a result, not a failure */
	char *caption;   /* of a table, plot or link; or the sentence */
	char *meaning;   /* shown after the caption of a plot; or NULL */
	/* Appends what is shown before a table. */
	void (*introduce)(const struct item *it, struct buf *page);
	const char *nothing;                 /* shown instead of a table without rows */
	const char *id;                      /* of a table whose rows can be filtered */
	bool (*in_unit)(struct text column); /* of a table, if not the usual columns */
	const char *name, *type;             /* of a download */
	bool wide;
	const char *fold; /* the table is in a fold with this summary; NULL: it is not */
	size_t keep;      /* first columns of a table that are always shown */
	/* The result. */
	struct process_run program, narrow; /* narrow: draws a plot for narrow pages */
	struct buf out, said, small;        /* small: of narrow */
	struct gzip *packed;                /* a download that is too long for out */
	bool drawn, narrowed;               /* by item_draw(); narrow runs */
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
	const struct memory_file *whole; /* the stream as one file */
	struct memory_file joined;   /* the stream, if it is not one of the input files */
	const struct schema *schema; /* of the whole stream */
	const struct schema *coming; /* of the later passes over the stream */
	struct report_filter **filter; /* of all items */
	size_t filters, filters_cap;
	bool again; /* filters take rows that they forgot */
	struct inventory inventory;
	struct machine *machine;
	size_t machines, machines_cap;
	char **fact; /* names of the facts of all machines */
	size_t facts, facts_cap;
	struct newest newest;         /* rows of each subject; only of histories */
	struct metrics *table;        /* of metrics */
	struct fastest *fastest;      /* NULL: subjects are not ranked */
	struct history *history;      /* NULL: the stream has none */
	struct series_change *change; /* of the history, worst first */
	size_t changes;
	char **metric; /* metrics that are drawn */
	size_t metrics, metrics_cap;
	struct part *part;
	size_t parts;
	char **failure;
	size_t failures, failures_cap;
};

/* A row of part_rows[]: a part that a report can have. */
struct part_row {
	const char *id, *title;
	bool (*wanted)(const struct report *r);
	/* Adds the items. */
	void (*plan)(struct report *r, struct part *p);
	/* Fills items in when all rows are known, before the programs of the items run; or
	 * NULL. */
	void (*ready)(struct report *r, struct part *p);
	/* Fills items in after the programs have run, for the last part first; or NULL. */
	void (*complete)(struct report *r, struct part *p);
};
extern const struct part_row part_rows[];
extern const size_t part_rows_count;

/* Writes the answer: what is worse or better, what changed, what failed. */
void report_plan_answer(struct report *r, struct part *p);
void report_complete_answer(struct report *r, struct part *p);
/* Append the answer about the history, and about the baseline. */
void report_answer_history(struct buf *b, const struct report *r);
void report_answer_baseline(struct buf *b, const struct report *r);
void report_answer_failures(struct buf *b, const struct report *r);
/* Collects the values of subjects that can be ranked; NULL: the stream has a history, a
 * baseline or several hosts. */
struct fastest *report_fastest_open(const struct report *r);
void report_fastest_row(struct fastest *f, const struct row *row); /* f may be NULL */
/* Ends the rows. Frees the values if there are more subjects than can be compared. f may be
 * NULL. */
void report_fastest_finish(struct fastest *f);
/* Appends which subject is the fastest, and by how much, in each set of subjects that can
 * be compared. */
void report_fastest_put(struct buf *b, const struct report *r, struct fastest *f);
void report_fastest_close(struct fastest *f);
/* Adds the items about changes over time. */
bool report_has_history(const struct report *r);
void report_plan_trend(struct report *r, struct part *p);
void report_ready_trend(struct report *r, struct part *p);
/* Adds the tables and plots of requests under load, and the tables of generated tokens.
 */
bool report_has_load(const struct report *r);
void report_plan_load(struct report *r, struct part *p);
bool report_has_tokens(const struct report *r);
void report_plan_tokens(struct report *r, struct part *p);
/* Adds the table of the phases of the start of models. */
bool report_has_start(const struct report *r);
void report_plan_start(struct report *r, struct part *p);
/* Opens the history for the rows to come, notes a row, and finds the changes. */
void report_history_open(struct report *r, struct bench_csv *stream);
void report_history_row(struct report *r, const struct row *row);
int report_history_finish(struct report *r, struct fault *f);
/* Returns the newest rows of a history as an option of filters; NULL: all rows. */
struct newest *report_newest(struct report *r);
/* Adds the plots of metrics, of models or of the others. */
bool report_has_plots(const struct report *r);
bool report_has_models(const struct report *r);
void report_plan_plots(struct report *r, struct part *p);
void report_plan_models(struct report *r, struct part *p);
void report_ready_plots(struct report *r, struct part *p);
/* Adds the comparison of backends for each kernel or model, its data types and sizes.
 */
bool report_has_backends(const struct report *r);
void report_plan_backends(struct report *r, struct part *p);
void report_ready_backends(struct report *r, struct part *p);
/* Adds the items of the part about machines. */
void report_plan_machines(struct report *r, struct part *p);
/* Returns whether there are metrics to compare, other than those of profiles. */
bool report_has_judged(const struct report *r);
/* Adds the items of the comparison with the baseline. */
void report_plan_verdicts(struct report *r, struct part *p);
/* Adds the flame graphs and tables of profiles. */
void report_plan_profiles(struct report *r, struct part *p);
/* Adds the table of budgets. */
void report_plan_budgets(struct report *r, struct part *p);
/* Adds the items about data quality. */
void report_plan_warnings(struct report *r, struct part *p);

/* Adds an item and returns it; it is valid until the next one is added. */
struct item *part_add(struct part *p, enum item_shown shown, const char *caption_format,
    ...) PRINTF_LIKE(3, 4);
/* Sets the program, which is in the directory of this one, and its arguments, up to NULL.
 */
void item_run(struct item *it, const char *program, ...) __attribute__((sentinel));
/* Adds an option and its value to the arguments of item_run(). */
void item_option(struct item *it, const char *option, const char *value);

/* Replaces the kind of a plot of item_draw(). */
void item_redraw(struct item *it, const char *kind);
/* Returns the item with this id on the page, or NULL. */
struct item *report_item(const struct report *r, const char *id);

/* Sets the program of a plot of a kind: bench-plot. A wide plot takes the whole width of
 * the page. */
void item_draw(struct item *it, const char *kind, bool wide);
/* Runs the programs of all items, as many concurrently as there are processors. */
void report_run(struct report *r);
/* Runs the program of one item. */
void report_run_item(struct report *r, struct item *it);
/* Appends an item to the page; number makes the ids of plots unique. */
void report_put_item(struct report *r, struct item *it, unsigned number, struct buf *page);
void part_free(struct part *p);

#endif
