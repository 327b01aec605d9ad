/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The decision; see gate.h. Every reason has a function that finds it, and a status.
 */
#include <math.h>
#include <stdlib.h>

#include "base/intern.h"
#include "compare/gate.h"
#include "text/near_name.h"
#include "text/units.h"

enum gravity gravity_of_verdict(const struct comparison *row)
{
	static const enum gravity of[] = {
		[VERDICT_UNSURE] = GRAVITY_UNSURE,
		[VERDICT_SAME] = GRAVITY_SAME,
		[VERDICT_BETTER] = GRAVITY_BETTER,
		[VERDICT_WORSE] = GRAVITY_WORSE,
		[VERDICT_DIFFERS] = GRAVITY_DIFFERS,
	};

	if (row->result.basis == BASIS_NONE)
		return GRAVITY_NONE;
	return row->severity == SEVERITY_WARNING ? GRAVITY_WARNING
	                                         : of[row->result.verdict];
}

enum gravity gravity_of(const struct comparison *row)
{
	return row->decides ? gravity_of_verdict(row) : GRAVITY_OTHER;
}

const char *const unsure_names[] = {
	[UNSURE_PASS] = "pass", [UNSURE_WARN] = "warn", [UNSURE_FAIL] = "fail"
};
const size_t unsure_names_count = COUNT(unsure_names);

static int parse_unsure(struct gate_opts *out, const char *name, struct fault *f)
{
	struct known_names known = { 0 };

	for (size_t i = 0; i < unsure_names_count; i++)
		if (strcmp(name, unsure_names[i]) == 0) {
			out->unsure = (enum gate_unsure)i;
			return 0;
		}
	known_names_add_all(
	    &known, unsure_names, sizeof(*unsure_names), unsure_names_count);
	return unknown_name(f, "--unsure: unknown value", text_of(name), &known);
}

int gate_opts_parse(struct gate_opts *out, const char *unsure, const char *worst,
    bool quiet, struct fault *f)
{
	out->unsure = quiet ? UNSURE_PASS : UNSURE_WARN;
	if (unsure && parse_unsure(out, unsure, f) < 0)
		return -1;
	if (worst && !(number_parse(text_of(worst), &out->worst) && out->worst >= 1))
		return fault_set(
		    f, "--worst: '%s' is not a ratio of at least 1, such as 1.25", worst);
	return 0;
}

static void add_finding(struct gate *g, const struct gate_finding *finding)
{
	*VEC_ADD(g->finding, g->findings, g->cap) = *finding;
	g->found[finding->reason]++;
}

/* Returns the worst ratio that is in the interval of a row, in the worse direction; NAN if
 * the row has no interval. */
static double worst_of(const struct comparison *row)
{
	return row->better == BETTER_LOWER ? row->result.ratio_hi
	                                   : 1 / row->result.ratio_lo;
}

/* Returns a subject and a side as a key. */
static struct text pair_text(const size_t pair[2])
{
	return (struct text){ (const char *)pair, 2 * sizeof(*pair) };
}

static struct intern vanished_pairs(const struct compare *c)
{
	size_t count;
	const struct vanished *list = compare_vanished(c, &count);
	struct intern pairs = { 0 };

	for (size_t i = 0; i < count; i++)
		intern_add(
		    &pairs, pair_text((const size_t[]){ list[i].group, list[i].side }));
	return pairs;
}

static bool is_lost(
    const struct compare *c, const struct comparison *row, const struct intern *vanished)
{
	const size_t pair[] = { compare_subject(c, row->group), row->side };

	return row->result.n_old && !row->result.n_new &&
	       intern_find(vanished, pair_text(pair)) < 0;
}

/* Appends the subject, side and metric of a row, without its unit, to an empty key. */
static struct text unit_free_key(
    const struct compare *c, const struct comparison *row, struct buf *key)
{
	const size_t pair[] = { compare_subject(c, row->group), row->side };

	key->len = 0;
	buf_put(key, pair, sizeof(pair));
	buf_text(key, groups_cell(compare_groups(c), row->group, COL_METRIC));
	return text_in(key);
}

/* Returns the keys of the rows that only the new side has. */
static struct intern new_keys(const struct compare *c)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);
	struct intern keys = { 0 };
	struct buf key = { 0 };

	for (size_t i = 0; i < count; i++)
		if (list[i].result.n_new && !list[i].result.n_old)
			intern_add(&keys, unit_free_key(c, &list[i], &key));
	buf_free(&key);
	return keys;
}

static bool has_other_unit(
    const struct compare *c, const struct comparison *row, const struct intern *news)
{
	struct buf key = { 0 };
	bool has = row->result.n_old && !row->result.n_new &&
	           intern_find(news, unit_free_key(c, row, &key)) >= 0;

	buf_free(&key);
	return has;
}

/* Returns the reason that the verdict of a row gives, or GATE_REASONS if there is none. */
static enum gate_reason reason_of(const struct gate *g, const struct compare *c,
    const struct comparison *row, const struct intern *vanished, const struct intern *news)
{
	const struct two_sample *r = &row->result;

	if (!row->decides || row->better == BETTER_NEITHER)
		return GATE_REASONS;
	if (!isnan(row->impossible))
		return GATE_IMPOSSIBLE;
	if (r->basis != BASIS_NONE && r->verdict == VERDICT_WORSE)
		return GATE_WORSE;
	/* The metric ok says how many samples failed, which GATE_FAILING decides. */
	if (text_is(groups_cell(compare_groups(c), row->group, COL_METRIC), "ok"))
		return GATE_REASONS;
	if (r->basis == BASIS_NONE && has_other_unit(c, row, news))
		return GATE_UNITS;
	if (r->basis == BASIS_NONE && !r->unpaired_old.count)
		return is_lost(c, row, vanished) ? GATE_LOST : GATE_REASONS;
	if (g->opts.worst > 0 && worst_of(row) > g->opts.worst)
		return GATE_BEYOND;
	if (r->unpaired_old.count && !gate_allows(g, GATE_UNPAIRED))
		return GATE_UNPAIRED;
	if (r->basis == BASIS_NONE)
		return GATE_REASONS;
	if (r->verdict != VERDICT_UNSURE)
		return GATE_REASONS;
	if (r->values_least)
		return GATE_FEW;
	if (g->opts.worst > 0 && isnan(r->ratio_hi))
		return GATE_UNBOUNDED;
	return isnan(r->ratio_lo) && isnan(r->diff_lo) && isnan(r->diff_hi) ? GATE_BLIND
	                                                                    : GATE_UNSURE;
}

static void find_rows(struct gate *g, const struct compare *c)
{
	struct intern vanished = vanished_pairs(c), news = new_keys(c);
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		enum gate_reason reason = reason_of(g, c, &list[i], &vanished, &news);

		if (reason != GATE_REASONS)
			add_finding(g, &(struct gate_finding){ reason, .row = &list[i] });
	}
	intern_free(&vanished);
	intern_free(&news);
}

/* Returns the reason that the failed samples of a subject give, or GATE_REASONS. */
static enum gate_reason reason_of_failing(const struct failing_subject *f)
{
	if (f->is_worse)
		return GATE_FAILING;
	if (failing_all(&f->old) && failing_all(&f->new))
		return GATE_BROKEN;
	return (double)f->new.failed *(double)f->old.all >
	               (double)f->old.failed *(double)f->new.all
	           ? GATE_MORE
	           : GATE_REASONS;
}

static void find_failing(struct gate *g, const struct compare *c)
{
	size_t count;
	const struct failing_subject *list = compare_failing(c, &count);

	for (size_t i = 0; i < count; i++) {
		enum gate_reason reason = reason_of_failing(&list[i]);

		if (reason != GATE_REASONS)
			add_finding(
			    g, &(struct gate_finding){ reason, .failing = &list[i] });
	}
}

/* Returns whether a subject vanished because its samples fail, which is a finding already.
 */
static bool only_fails(const struct compare *c, const struct vanished *v)
{
	size_t count;
	const struct failing_subject *list = compare_failing(c, &count);

	for (size_t i = 0; i < count; i++)
		if (list[i].group == v->group && list[i].side == v->side)
			return list[i].is_worse;
	return false;
}

static void find_vanished(struct gate *g, const struct compare *c)
{
	size_t count;
	const struct vanished *list = compare_vanished(c, &count);

	for (size_t i = 0; i < count; i++)
		if (!only_fails(c, &list[i]))
			add_finding(g,
			    &(struct gate_finding){ GATE_VANISHED, .vanished = &list[i] });
}

static void find_cut(struct gate *g, const struct compare *c)
{
	const struct run_ends *ends = compare_ends(c);

	for (size_t i = 0; ends && i < ends->count; i++) {
		const struct run_end *run = &ends->run[i];

		if (run_end_is_cut(run))
			add_finding(g, &(struct gate_finding){ GATE_CUT, .run = run });
		else if (run->state == RUN_END_OPEN)
			add_finding(g, &(struct gate_finding){ GATE_OPEN, .run = run });
	}
}

static void find_unmet(struct gate *g, const struct compare *c)
{
	const struct thresholds *t = compare_thresholds(c);
	size_t count = 0;
	const struct threshold *rule = t ? thresholds_list(t, &count) : NULL;

	for (size_t i = 0; i < count; i++)
		if (compare_is_unmet(c, &rule[i]))
			add_finding(
			    g, &(struct gate_finding){ GATE_UNMET, .rule = &rule[i] });
}

static int by_reason(const void *a, const void *b)
{
	const struct gate_finding *x = a, *y = b;
	int order = (int)x->reason - (int)y->reason;

	if (order == 0)
		order = (x->row > y->row) - (x->row < y->row);
	if (order == 0)
		order = (x->failing > y->failing) - (x->failing < y->failing);
	if (order == 0)
		order = (x->vanished > y->vanished) - (x->vanished < y->vanished);
	if (order == 0)
		order = (x->rule > y->rule) - (x->rule < y->rule);
	return order ? order : (x->run > y->run) - (x->run < y->run);
}

void gate_open(struct gate *g, const struct compare *c, const struct gate_opts *opts)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	*g = (struct gate){ .opts = *opts };
	for (size_t i = 0; i < count; i++)
		g->rows[gravity_of(&list[i])]++;
	g->compared = count - g->rows[GRAVITY_NONE] - g->rows[GRAVITY_OTHER];
	find_rows(g, c);
	find_failing(g, c);
	find_vanished(g, c);
	find_cut(g, c);
	find_unmet(g, c);
	if (!compare_any(c))
		add_finding(g,
		    &(struct gate_finding){
		        .reason = gate_shares_nothing(c) ? GATE_DISJOINT : GATE_NOTHING });
	if (compare_same_samples(c) || compare_shares_samples(c))
		add_finding(g, &(struct gate_finding){ .reason = GATE_SELF });
	if (g->findings)
		qsort(g->finding, g->findings, sizeof(*g->finding), by_reason);
}

void gate_close(struct gate *g)
{
	free(g->finding);
	buf_free(&g->budgets.lines);
}

bool gate_allows(const struct gate *g, enum gate_reason reason)
{
	if (reason == GATE_UNSURE || reason == GATE_MORE)
		return g->opts.unsure != UNSURE_FAIL;
	if (reason == GATE_OPEN && g->opts.unsure != UNSURE_FAIL)
		return true;
	if (reason == GATE_DISJOINT)
		return g->opts.allow_missing && !g->opts.must_share;
	return g->opts.allow_missing &&
	       (reason == GATE_VANISHED || reason == GATE_LOST || reason == GATE_UNPAIRED ||
	           reason == GATE_UNMET || reason == GATE_CUT || reason == GATE_OPEN);
}

int gate_reason_status(enum gate_reason reason)
{
	static const int status[GATE_REASONS] = {
		[GATE_WORSE] = STATUS_NO,
		[GATE_FAILING] = STATUS_NO,
		[GATE_BEYOND] = STATUS_NO,
		[GATE_UNSURE] = STATUS_NO,
		[GATE_MORE] = STATUS_NO,
		[GATE_NOTHING] = STATUS_TROUBLE,
		[GATE_DISJOINT] = STATUS_TROUBLE,
		[GATE_VANISHED] = STATUS_TROUBLE,
		[GATE_BROKEN] = STATUS_TROUBLE,
		[GATE_IMPOSSIBLE] = STATUS_TROUBLE,
		[GATE_FEW] = STATUS_TROUBLE,
		[GATE_UNBOUNDED] = STATUS_TROUBLE,
		[GATE_BLIND] = STATUS_TROUBLE,
		[GATE_SELF] = STATUS_TROUBLE,
		[GATE_CUT] = STATUS_TROUBLE,
		[GATE_OPEN] = STATUS_TROUBLE,
		[GATE_UNITS] = STATUS_TROUBLE,
		[GATE_UNMET] = STATUS_TROUBLE,
		[GATE_LOST] = STATUS_TROUBLE,
		[GATE_UNPAIRED] = STATUS_TROUBLE,
	};

	return status[reason];
}

bool gate_is_empty(const struct gate *g)
{
	return g->found[GATE_NOTHING] || g->found[GATE_DISJOINT];
}

int gate_status(const struct gate *g)
{
	int result = g->budgets.status;

	if (result == STATUS_NO)
		return result;
	for (size_t i = 0; i < GATE_REASONS; i++) {
		enum gate_reason reason = (enum gate_reason)i;

		if (!g->found[i] || gate_allows(g, reason))
			continue;
		if (gate_reason_status(reason) == STATUS_NO)
			return STATUS_NO;
		result = gate_reason_status(reason);
	}
	return result;
}
