/*
 * The part of a stream that a picture can show: the rows of one metric and sort, and of so
 * many subjects, the largest. Pure.
 */
#ifndef REPORT_CUT_H
#define REPORT_CUT_H

#include "report/report_inventory.h"

struct cut_asked {
	const char *metric; /* NULL: any */
	bool sort[ROW_SORTS];
	bool failed;                 /* with those that have failed */
	bool by_size;                /* the largest first, else as they came */
	const char *bench;           /* NULL: any */
	const char *commit;          /* NULL: any */
	const char *const *together; /* columns that do not part subjects */
	size_t togethers;
	size_t most; /* subjects */
};

struct cut;
/*
 * The schema is the whole one, of a stream that read the same before; coming is that of the
 * stream whose rows come now, and knows later columns later. What is asked is copied, the
 * texts in it must live.
 */
struct cut *cut_open(const struct schema *schema, const struct schema *coming,
    const struct cut_asked *asked);
void cut_row(struct cut *c, const struct row *row);
/* Append the table of the subjects with the largest mean values. */
void cut_print(struct cut *c, struct buf *b);
size_t cut_subjects(const struct cut *c);
size_t cut_left_out(const struct cut *c);
void cut_close(struct cut *c);

#endif
