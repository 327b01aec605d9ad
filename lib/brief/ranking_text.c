/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes a ranking in words; see ranking_text.h.
 */
#include <math.h>

#include "brief/ranking_text.h"
#include "text/plural.h"

/* The findings about an item. */
enum finding {
	FINDING_TIMES,    /* the best one is better */
	FINDING_BOUND,    /* it is better by an unknown factor above a bound */
	FINDING_SAME,     /* the difference is within the margin */
	FINDING_SMALL,    /* there is a difference, which may be within the margin */
	FINDING_UNSURE,   /* no verdict */
	FINDING_FEW,      /* no verdict is possible */
	FINDING_NO_RATIO, /* the values have no ratio */
	FINDING_FAILED,
	FINDING_EMPTY,
};

/* Returns whether an unsure comparison shows a difference of any size. */
static bool is_different(const struct ranking *r, const struct ranking_item *item)
{
	return item->result.p_adj < r->alpha && !isnan(item->times) &&
	       (item->times_lo > 1 || item->times_hi < 1);
}

static enum finding finding_of(const struct ranking *r, const struct ranking_item *item)
{
	if (item->rank == RANK_FAILED)
		return FINDING_FAILED;
	if (item->rank == RANK_EMPTY)
		return FINDING_EMPTY;
	if (item->rank == RANK_FEW)
		return FINDING_FEW;
	if (item->result.verdict == VERDICT_SAME)
		return FINDING_SAME;
	if (item->result.verdict == VERDICT_UNSURE)
		return is_different(r, item) ? FINDING_SMALL : FINDING_UNSURE;
	if (!isnan(item->times))
		return FINDING_TIMES;
	return isnan(item->times_lo) ? FINDING_NO_RATIO : FINDING_BOUND;
}

static bool of_processes(const struct two_sample *c)
{
	return c->basis == BASIS_PROCESS || c->basis == BASIS_PROCESS_PAIR;
}

/* Returns the name of the compared values, as the users of bench-run know them. */
static const char *unit_of(const struct two_sample *c, double count)
{
	if (of_processes(c))
		return count == 1 ? "process" : "processes";
	return count == 1 ? "run" : "runs";
}

void ranking_put_needed(struct buf *b, const struct ranking_item *item)
{
	buf_printf(b, "needs %zu %s", item->result.values_least,
	    unit_of(&item->result, (double)item->result.values_least));
}

/* Appends the option with which bench-run measures enough values, without a blank at which
 * a line may break. */
static void put_option(struct buf *b, const struct two_sample *c)
{
	buf_printf(
	    b, "use --%s=%zu", of_processes(c) ? "processes" : "runs", c->values_least);
}

void ranking_put_advice(struct buf *b, const struct ranking *r)
{
	const struct two_sample *neediest = NULL;
	size_t few = 0;

	for (size_t i = 0; i < r->count; i++) {
		const struct two_sample *c = &r->item[i].result;

		if (r->item[i].rank != RANK_FEW)
			continue;
		few++;
		if (!neediest || c->values_least > neediest->values_least)
			neediest = c;
	}
	if (!neediest)
		return;
	buf_printf(b,
	    "too few %s to decide %zu of %zu comparison%s: ", unit_of(neediest, 2), few,
	    r->compared, plural_s(r->compared));
	put_option(b, neediest);
}

void ranking_put_number(struct buf *b, double number, double lo, double hi)
{
	double width = isfinite(hi - lo) && hi > lo ? hi - lo : fabs(number);
	double digits = 1 - floor(log10(width > 0 ? width : 1));

	buf_printf(b, "%.*f", digits < 0 ? 0 : digits > 4 ? 4 : (int)digits, number);
}

/* Appends the interval, such as "95%: 2.20 to 2.90"; nothing if it has no ends. */
static void put_interval(
    struct buf *b, const struct ranking *r, const struct ranking_item *item)
{
	if (isnan(item->times_lo) || isnan(item->times_hi))
		return;
	buf_printf(b, "%.4g%%: ", r->confidence * 100);
	ranking_put_number(b, item->times_lo, item->times_lo, item->times_hi);
	buf_str(b, " to ");
	ranking_put_number(b, item->times_hi, item->times_lo, item->times_hi);
}

static void put_times(struct buf *b, const struct ranking_item *item)
{
	ranking_put_number(b, item->times, item->times_lo, item->times_hi);
	buf_str(b, " times");
}

/* Appends the ratio and its interval in parentheses, as far as they exist. */
static void put_estimate(
    struct buf *b, const struct ranking *r, const struct ranking_item *item)
{
	struct buf interval = { 0 };

	put_interval(&interval, r, item);
	if (!isnan(item->times) || interval.len)
		buf_str(b, " (");
	if (!isnan(item->times))
		put_times(b, item);
	if (interval.len)
		buf_printf(b, "%s%s", isnan(item->times) ? "" : ", ", interval.ptr);
	if (!isnan(item->times) || interval.len)
		buf_byte(b, ')');
	buf_free(&interval);
}

static void put_better(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	struct buf interval = { 0 };

	put_times(b, item);
	buf_printf(b, " as fast as %s", name);
	put_interval(&interval, r, item);
	if (interval.len)
		buf_printf(b, " (%s)", interval.ptr);
	buf_free(&interval);
}

/* Appends how often an item timed out, if it did. */
static void put_timeouts(struct buf *b, const struct ranking_item *item)
{
	if (item->timeouts)
		buf_printf(b, ", which timed out in %zu of %zu runs", item->timeouts,
		    item->values + item->failed);
}

static void put_bound(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	buf_str(b, "at least ");
	ranking_put_number(b, item->times_lo, NAN, NAN);
	buf_printf(b, " times as fast as %s (%.4g%%)", name, r->confidence * 100);
	put_timeouts(b, item);
}

/* Appends the margin, and where it comes from unless the user asked for it. */
static void put_margin(
    struct buf *b, const struct ranking *r, const struct ranking_item *item)
{
	buf_printf(b, "%s%.3g%%", item->margin > r->threshold ? "the noise floor of " : "",
	    item->margin * 100);
}

/* Appends about how many more values a verdict needs, with two digits. */
static void put_more(struct buf *b, const struct ranking_item *item)
{
	const double more = item->result.runs_needed;
	const double unit = more >= 100 ? pow(10, floor(log10(more)) - 1) : 1;

	if (!isnan(more))
		buf_printf(b, "; about %.0f more %s may decide", round(more / unit) * unit,
		    unit_of(&item->result, more));
}

static void put_small(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	buf_printf(b, "%s than %s, but perhaps only by up to ",
	    item->times_lo > 1 ? "faster" : "slower", name);
	put_margin(b, r, item);
	put_estimate(b, r, item);
	put_more(b, item);
}

static void put_same(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	buf_printf(b, "as fast as %s to within ", name);
	put_margin(b, r, item);
	put_estimate(b, r, item);
}

static void put_unsure(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	buf_printf(b, "not clearly faster than %s", name);
	put_estimate(b, r, item);
	put_timeouts(b, item);
	put_more(b, item);
}

static void put_few(struct buf *b, const struct ranking *r, const struct ranking_item *item,
    const char *name)
{
	const struct two_sample *c = &item->result;
	size_t n = c->n_old < c->n_new ? c->n_old : c->n_new;

	(void)r;
	buf_printf(b, "cannot be told apart from %s with %zu %s: at least %zu are needed (",
	    name, n, unit_of(c, (double)n), c->values_least);
	put_option(b, c);
	buf_byte(b, ')');
}

static void put_no_ratio(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	(void)r;
	buf_printf(b, "%s than %s, by a ratio that these values do not have",
	    item->result.verdict == VERDICT_BETTER ? "worse" : "better", name);
}

static void put_failed(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	(void)r;
	if (item->failed == 1)
		buf_printf(b, "%s is not compared: it failed", name);
	else
		buf_printf(
		    b, "%s is not compared: all %zu runs failed", name, item->failed);
}

static void put_empty(struct buf *b, const struct ranking *r,
    const struct ranking_item *item, const char *name)
{
	(void)r;
	(void)item;
	buf_printf(b, "%s is not compared: it was not measured", name);
}

static const struct {
	/* Appends the finding; name is that of the item. */
	void (*put)(struct buf *b, const struct ranking *r, const struct ranking_item *item,
	    const char *name);
	const char *link; /* between the name of the best one and the finding; NULL: the
	                     finding is a sentence */
} findings[] = {
	[FINDING_TIMES] = { put_better, " is " },
	[FINDING_BOUND] = { put_bound, " is " },
	[FINDING_SAME] = { put_same, " is " },
	[FINDING_SMALL] = { put_small, " is " },
	[FINDING_UNSURE] = { put_unsure, " is " },
	[FINDING_FEW] = { put_few, " " },
	[FINDING_NO_RATIO] = { put_no_ratio, " is " },
	[FINDING_FAILED] = { put_failed, NULL },
	[FINDING_EMPTY] = { put_empty, NULL },
};

void ranking_put_short(
    struct buf *b, const struct ranking *r, size_t place, const char *const *name)
{
	const struct ranking_item *item = &r->item[place];

	findings[finding_of(r, item)].put(b, r, item, name[item->subject]);
}

void ranking_put(
    struct buf *b, const struct ranking *r, size_t place, const char *const *name)
{
	const char *link = findings[finding_of(r, &r->item[place])].link;

	if (link)
		buf_printf(b, "%s%s", name[r->item[0].subject], link);
	ranking_put_short(b, r, place, name);
}
