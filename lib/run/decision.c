/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides comparisons during a run; see decision.h.
 *
 * Holm's correction applies to the differences and to the equalities separately: each of
 * the two families of hypotheses keeps its level, regardless of the other. It stays
 * valid at every time, because each p is valid at every time.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/two_sample.h"
#include "record/record.h"
#include "run/decision.h"
#include "stats/sign_sequence.h"
#include "subject/subject_column.h"
#include "text/display_text.h"
#include "text/near_name.h"

enum claim { CLAIM_BEYOND, CLAIM_WITHIN, CLAIMS };

struct pairing {
	size_t old, new; /* the subjects */
	struct sign_sequence ratios;
	size_t lost;        /* blocks without a ratio */
	size_t lost_in_row; /* those since the last ratio */
	bool failing;       /* given up, because a subject does not succeed any more */
	bool over;          /* decided or given up */
	enum verdict verdict;
	double p[CLAIMS]; /* corrected */
};

struct measured {
	bool is;
	double
	    log; /* of the primary metric; infinite after a timeout, NAN after a failure */
};

/* The primary metrics; see share/metrics.csv. */
static const struct {
	const char *name;
	bool higher; /* is better */
} primary[KINDS] = {
	[KIND_COMMAND] = { "wall", false },
	[KIND_FUNCTION] = { "wall", false },
	[KIND_KERNEL] = { "wall", false },
	[KIND_MODEL] = { "throughput", true },
	[KIND_PROCESS] = { "cpu_time", false },
	[KIND_MACHINE] = { "cpu_time", false },
	[KIND_GROUP] = { "cpu_time", false },
};

struct decisions {
	const struct subjects *subjects;
	struct decision_opts opts;
	struct measured *measured; /* by subject, in the current block */
	struct pairing *pairing;
	size_t count, cap;
	size_t least; /* blocks before anything can be decided */
};

/* Returns the subject with the reference value with which this one is compared, or NULL. */
static const struct subject *reference_of(
    const struct decisions *d, const struct subject *new)
{
	for (size_t i = 0; i < d->subjects->count; i++) {
		const struct subject *old = &d->subjects->subject[i];

		if (!old->skipped &&
		    strcmp(subject_column(old, d->opts.column), d->opts.reference) == 0 &&
		    subject_differs_only_in(old, new, d->opts.column))
			return old;
	}
	return NULL;
}

static void add_pairing(struct decisions *d, size_t old, size_t new)
{
	struct pairing *p = VEC_ADD(d->pairing, d->count, d->cap);

	*p = (struct pairing){ .old = old, .new = new, .p = { 1, 1 } };
	sign_sequence_begin(&p->ratios, 1 - d->opts.confidence, log(1 + d->opts.margin));
}

/* Returns whether the subject is part of a comparison. */
static bool is_paired(const struct decisions *d, size_t subject)
{
	for (size_t i = 0; i < d->count; i++)
		if (d->pairing[i].old == subject || d->pairing[i].new == subject)
			return true;
	return false;
}

static int pair_subjects(struct decisions *d, struct fault *f)
{
	const struct subject *subject = d->subjects->subject;

	for (size_t i = 0; i < d->subjects->count; i++) {
		const struct subject *old =
		    subject[i].skipped ? NULL : reference_of(d, &subject[i]);

		if (old && old != &subject[i])
			add_pairing(d, (size_t)(old - subject), i);
	}
	for (size_t i = 0; i < d->subjects->count; i++) {
		char *label;

		if (subject[i].skipped || is_paired(d, i))
			continue;
		label = subject_label(&subject[i]);
		if (d->subjects->count == 1)
			fault_set(f,
			    "--compare %s: '%s' is the only subject; give another one to "
			    "compare it with",
			    d->opts.column, label);
		else
			fault_set(f,
			    "--compare %s: '%s' has no partner: no subject with %s=%s has "
			    "the same values in all other columns",
			    d->opts.column, label, d->opts.column, d->opts.reference);
		free(label);
		return -1;
	}
	return 0;
}

/* Returns whether a subject that is measured has this value in the column. */
static bool has_value(const struct decisions *d, const char *value)
{
	for (size_t i = 0; i < d->subjects->count; i++) {
		const struct subject *s = &d->subjects->subject[i];

		if (!s->skipped && strcmp(subject_column(s, d->opts.column), value) == 0)
			return true;
	}
	return false;
}

/* Adds a name unless it is empty or was added before. */
static void add_once(struct known_names *known, const char *name)
{
	bool is_new = *name;

	for (size_t i = 0; i < known->count; i++)
		is_new = is_new && !text_is(known->name[i], name);
	if (is_new)
		known_names_add(known, text_of(name));
}

static int unknown_column(const struct decisions *d, struct fault *f)
{
	struct known_names known = { 0 };

	add_once(&known, "bench");
	for (size_t i = 0; i < d->subjects->count; i++)
		for (size_t k = 0; k < d->subjects->subject[i].factors; k++)
			add_once(&known, d->subjects->subject[i].factor[k].name);
	return unknown_name(
	    f, "--compare: no subject has the column", text_of(d->opts.column), &known);
}

static int unknown_reference(const struct decisions *d, const char *given, struct fault *f)
{
	char *what = str_format("--reference: no subject has the %s", d->opts.column);
	struct known_names known = { 0 };

	for (size_t i = 0; i < d->subjects->count; i++)
		if (!d->subjects->subject[i].skipped)
			add_once(&known,
			    subject_column(&d->subjects->subject[i], d->opts.column));
	unknown_name(f, what, text_of(given), &known);
	free(what);
	return -1;
}

static int choose_reference(struct decisions *d, struct fault *f)
{
	const char *given = d->opts.reference;

	for (size_t i = 0; i < d->subjects->count && !d->opts.reference; i++) {
		const struct subject *s = &d->subjects->subject[i];

		if (!s->skipped && *subject_column(s, d->opts.column))
			d->opts.reference = subject_column(s, d->opts.column);
	}
	if (!d->opts.reference)
		return unknown_column(d, f);
	return !given || has_value(d, given) ? 0 : unknown_reference(d, given, f);
}

struct decisions *decisions_open(
    const struct subjects *subjects, const struct decision_opts *opts, struct fault *f)
{
	struct decisions *d = mem_zero(1, sizeof(*d));

	*d = (struct decisions){ .subjects = subjects,
		.opts = *opts,
		.measured = mem_zero(subjects->count, sizeof(*d->measured)),
		.least = sign_sequence_least(1 - opts->confidence) };
	if (choose_reference(d, f) < 0 || pair_subjects(d, f) < 0) {
		decisions_close(d);
		return NULL;
	}
	return d;
}

void decisions_close(struct decisions *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->count; i++)
		sign_sequence_free(&d->pairing[i].ratios);
	free(d->pairing);
	free(d->measured);
	free(d);
}

static enum subject_kind kind_of(const struct decisions *d, size_t subject)
{
	return d->subjects->subject[subject].from->kind;
}

void decisions_note(
    struct decisions *d, size_t subject, double value, struct run_status status)
{
	double least = primary[kind_of(d, subject)].higher ? -INFINITY : INFINITY;

	d->measured[subject] =
	    (struct measured){ true, run_is_ok(status)               ? log(value)
		                     : status.outcome == RUN_TIMEOUT ? least
		                                                     : NAN };
}

/* Corrects the p of a claim over all comparisons. */
static void adjust_claim(struct decisions *d, enum claim claim)
{
	double *p = mem_zero(d->count, sizeof(*p));

	for (size_t i = 0; i < d->count; i++)
		p[i] = claim == CLAIM_BEYOND
		           ? sign_sequence_p_beyond(&d->pairing[i].ratios)
		           : sign_sequence_p_within(&d->pairing[i].ratios);
	adjust_p(ADJUST_HOLM, p, d->count);
	for (size_t i = 0; i < d->count; i++)
		d->pairing[i].p[claim] = p[i];
	free(p);
}

static void judge_pairing(struct decisions *d, struct pairing *p)
{
	bool greater = sign_sequence_side(&p->ratios) == SIGN_ABOVE;
	double level = 1 - d->opts.confidence;

	if (p->p[CLAIM_BEYOND] < level)
		p->verdict = greater == primary[kind_of(d, p->new)].higher ? VERDICT_BETTER
		                                                           : VERDICT_WORSE;
	else if (p->p[CLAIM_WITHIN] < level)
		p->verdict = VERDICT_SAME;
	p->over = p->over || p->verdict != VERDICT_UNSURE;
}

/* Adds the ratio of a block. Without one in as many blocks as the first decision needs, or
 * later in three times as many in a row, a subject does not succeed. */
static void add_ratio(struct decisions *d, struct pairing *p)
{
	double difference = d->measured[p->new].log - d->measured[p->old].log;

	if (!isnan(difference)) {
		sign_sequence_add(&p->ratios, difference);
		p->lost_in_row = 0;
		return;
	}
	p->lost++;
	p->lost_in_row++;
	p->failing = p->lost_in_row >= (p->ratios.count ? 3 : 1) * d->least;
	p->over = p->failing;
}

void decisions_end_block(struct decisions *d)
{
	for (size_t i = 0; i < d->count; i++) {
		struct pairing *p = &d->pairing[i];

		if (!p->over && d->measured[p->old].is && d->measured[p->new].is)
			add_ratio(d, p);
	}
	for (size_t i = 0; i < d->subjects->count; i++)
		d->measured[i].is = false;
	adjust_claim(d, CLAIM_BEYOND);
	adjust_claim(d, CLAIM_WITHIN);
	for (size_t i = 0; i < d->count; i++)
		if (!d->pairing[i].over)
			judge_pairing(d, &d->pairing[i]);
}

bool decisions_want(const struct decisions *d, size_t subject)
{
	for (size_t i = 0; i < d->count; i++) {
		const struct pairing *p = &d->pairing[i];

		if (!p->over && (p->old == subject || p->new == subject))
			return true;
	}
	return false;
}

void decisions_leave(struct decisions *d, size_t subject)
{
	for (size_t i = 0; i < d->count; i++) {
		struct pairing *p = &d->pairing[i];

		p->over = p->over || p->old == subject || p->new == subject;
	}
}

/* Returns whether there are ratios, but no verdict. */
static bool is_undecided(const struct pairing *p)
{
	return p->verdict == VERDICT_UNSURE && p->ratios.count;
}

int decisions_status(const struct decisions *d)
{
	int status = STATUS_FINE;

	for (size_t i = 0; i < d->count; i++) {
		const struct pairing *p = &d->pairing[i];

		if (p->verdict == VERDICT_WORSE ||
		    (is_undecided(p) && d->opts.unsure == UNSURE_FAIL))
			return STATUS_NO;
		if (!p->ratios.count || p->failing)
			status = STATUS_TROUBLE;
	}
	return status;
}

/* Appends the names of a comparison, such as "sort n=2 against n=1: ". */
static void put_sides(struct buf *b, const struct decisions *d, const struct pairing *p)
{
	const struct subject *old = &d->subjects->subject[p->old],
	                     *new = &d->subjects->subject[p->new];
	char *label = subject_label(new);

	display_text_clean(b, text_of(label));
	free(label);
	if (new->aa)
		buf_printf(b, " %s=%c", COLUMN_AA, new->aa);
	buf_str(b, " against ");
	if (strcmp(d->opts.column, "bench") != 0)
		buf_printf(b, "%s=", d->opts.column);
	display_text_clean(b, text_of(subject_column(old, d->opts.column)));
	buf_str(b, ": ");
}

/* Appends a number of blocks or, if samples are taken in processes, of processes. */
static void put_blocks(struct buf *b, size_t count, bool processes)
{
	buf_printf(b, ", %zu %s%s", count, processes ? "process" : "block",
	    count == 1  ? ""
	    : processes ? "es"
	                : "s");
}

/* Appends the median ratio. It is infinite if one side timed out in most blocks. */
static void put_median(struct buf *b, const struct pairing *p, enum subject_kind kind)
{
	double median = sign_sequence_median(&p->ratios);

	if (isfinite(median))
		buf_printf(b, "%s %+.1f%%", primary[kind].name, (exp(median) - 1) * 100);
	else
		buf_printf(b, "most %s samples timed out",
		    (median > 0) != primary[kind].higher ? "new" : "old");
}

static void put_end(struct buf *b, double end)
{
	if (isfinite(end))
		buf_printf(b, "%+.1f%%", (exp(end) - 1) * 100);
	else
		buf_str(b, "no limit");
}

static void put_pairing(struct buf *b, const struct decisions *d, const struct pairing *p)
{
	const struct sign_sequence *s = &p->ratios;
	enum subject_kind kind = kind_of(d, p->new);
	enum claim claim =
	    p->p[CLAIM_WITHIN] < p->p[CLAIM_BEYOND] ? CLAIM_WITHIN : CLAIM_BEYOND;

	buf_printf(b, "%s: ", verdict_names[p->verdict]);
	put_sides(b, d, p);
	if (s->count)
		put_median(b, p, kind);
	else
		buf_str(b, "no ratio");
	if (s->rank && (isfinite(s->lo) || isfinite(s->hi))) {
		buf_str(b, " [");
		put_end(b, s->lo);
		buf_str(b, ", ");
		put_end(b, s->hi);
		buf_byte(b, ']');
	}
	put_blocks(b, s->count, kind != KIND_COMMAND);
	buf_printf(b, ", p = %.2g", p->p[claim]);
	if (p->lost) {
		put_blocks(b, p->lost, kind != KIND_COMMAND);
		buf_str(b, " without a ratio");
	}
	if (p->failing && s->count)
		buf_printf(b, ", the last %zu in a row", p->lost_in_row);
	buf_byte(b, '\n');
}

void decisions_explain(const struct decisions *d, struct buf *lines)
{
	size_t unsure = 0;

	for (size_t i = 0; i < d->count; i++) {
		put_pairing(lines, d, &d->pairing[i]);
		unsure += is_undecided(&d->pairing[i]) && !d->pairing[i].failing;
	}
	if (unsure && d->opts.unsure != UNSURE_PASS)
		buf_printf(lines,
		    "%zu of %zu comparisons remain undecided: give them more time (-T)\n",
		    unsure, d->count);
}
