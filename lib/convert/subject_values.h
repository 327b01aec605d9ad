/*
 * All values of a stream by subject and metric, for the formats that tell of each subject
 * once. Rows that failed, have no value, are warm-ups or points of a time series are left
 * out.
 */
#ifndef TALLY_H
#define TALLY_H

#include "record/group.h"
#include "record/metric.h"
#include "stats/stats.h"

struct tally_values {
	size_t subject;
	double *value;
	int64_t *iterations; /* of each, or ROW_NONE */
	size_t count, cap, iteration_cap;
};

struct tally {
	struct groups *groups;   /* by subject and provenance, metric and unit */
	struct tally_values *of; /* by group */
	size_t count, cap;
	struct metrics *metrics;
	struct intern subjects; /* what a group's key says without metric and unit */
	struct buf *notes;      /* for lines to tell the user; the caller's */
};

/* NULL and the message when the table of metrics cannot be read. */
struct tally *tally_open(const struct schema *schema, struct buf *notes, struct fault *f);
int tally_row(void *tally, const struct row *row, struct fault *f); /* always 0 */
void tally_close(struct tally *t);

/* The values of a metric of a subject in this unit, or NULL. */
const struct tally_values *tally_find(
    const struct tally *t, size_t subject, const char *metric, const char *unit);
/* The group of the first values of a subject. */
size_t tally_first(const struct tally *t, size_t subject);
struct text tally_metric(const struct tally *t, size_t group);
struct text tally_unit(const struct tally *t, size_t group);
/* Of 95 % confidence. */
void tally_summary(const struct tally_values *v, struct summary *out);
/*
 * Put the name of a subject: bench, or kind where there is none, and "/name=value" for each
 * of its factors, with the sign given between the two.
 */
void tally_name(const struct tally *t, size_t group, const char *sign, struct buf *out);

#endif
