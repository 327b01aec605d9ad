/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values of a run in memory, for its summary and for the lines that people read.
 */
#ifndef RESULTS_RUN_SUMMARY_H
#define RESULTS_RUN_SUMMARY_H

#include <stdio.h>

#include "brief/brief.h"
#include "io/render.h"
#include "record/metric.h"
#include "record/record.h"

struct run_summary;

/*
 * Returns an empty summary of rows of this schema, which must outlive it. brief, whose
 * options are copied, says how to print lines for people; NULL: only tables are printed.
 * twins: subjects are measured against themselves, which gives a noise floor. confidence,
 * between 0 and 1, is that of the table.
 */
struct run_summary *run_summary_open(const struct schema *schema,
    const struct brief_opts *brief, bool twins, double confidence);
/* Adds a row. */
void run_summary_row(struct run_summary *s, const struct row *row);
/* Ends the input. The lines for people, if any, are printed before the first table. */
void run_summary_finish(struct run_summary *s);
/* Prints the lines for people. Returns 0, or -1 and errno if writing failed. */
int run_summary_print_brief(
    struct run_summary *s, const struct metrics *metrics, FILE *out);
/* Prints the table of statistics. Returns 0, or -1 and errno if writing failed. */
int run_summary_print(struct run_summary *s, const struct output *out);
/* NULL is allowed. */
void run_summary_close(struct run_summary *s);

#endif
