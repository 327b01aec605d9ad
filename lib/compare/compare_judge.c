/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Computes the results of a comparison after all rows were added; see compare.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "compare/clock_ticks.h"
#include "compare/compare_priv.h"
#include "compare/duplicates.h"
#include "record/primary.h"

enum { TASKS_A_THREAD = 8, TASKS_TOGETHER = 4096 };

/* Returns whether a group counts by stack, so that a missing stack was counted 0 times. */
static bool counts_stacks(
    const struct compare *c, const struct metrics *metrics, size_t group)
{
	const struct metric *metric =
	    metrics_find(metrics, groups_cell(c->groups, group, COL_METRIC));
	long stack = schema_find(c->schema, TEXT("stack"));

	return metric && metric->is_count && stack >= 0 &&
	       groups_cell(c->groups, group, (size_t)stack).len;
}

static void note_stacks(struct compare *c, const struct metrics *metrics)
{
	c->implicit_zeros = mem_zero(c->sides.count, sizeof(*c->implicit_zeros));
	for (size_t group = 0; group < c->topics; group++) {
		struct topic *t = &c->topic[group];

		t->counts_stacks = counts_stacks(c, metrics, group);
		for (size_t side = 0; t->counts_stacks && side < c->sides.count; side++)
			implicit_zeros_add(&c->implicit_zeros[side], t->family,
			    compare_identified(c, side, group));
	}
}

size_t compare_count(struct compare *c, size_t side, size_t group)
{
	const struct collected *values;
	size_t count = 0;

	if (c->topic[group].counts_stacks)
		return implicit_zeros_samples(
		    &c->implicit_zeros[side], c->topic[group].family);
	values = compare_values(c, side, group);
	if (!values || !text_is(groups_cell(c->groups, group, COL_METRIC), "ok"))
		return values ? values->count : 0;
	for (size_t i = 0; i < values->count; i++)
		count += values->value[i] > 0;
	return count;
}

/* How a group is compared and judged, apart from its noise floor. */
struct rule {
	struct two_sample_opts opts;
	double warning; /* NAN: none */
};

struct text compare_bench(const struct compare *c, size_t group, size_t side)
{
	return c->by == COL_BENCH ? compare_side_name(c, side)
	                          : groups_cell(c->groups, group, COL_BENCH);
}

static const struct threshold *threshold_of(
    const struct compare *c, size_t group, size_t side)
{
	return thresholds_find(c->opts.thresholds, compare_bench(c, group, side),
	    groups_cell(c->groups, group, COL_METRIC));
}

const struct threshold *compare_threshold(
    const struct compare *c, const struct comparison *row)
{
	return threshold_of(c, row->group, row->side);
}

/* Returns whether the values of both sides of a group were counted in clock ticks. */
static bool in_clock_ticks(struct compare *c, size_t group, size_t side)
{
	const struct collected *values[] = { compare_values(c, c->reference, group),
		compare_values(c, side, group) };
	struct clock_ticks ticks = CLOCK_TICKS_NONE;

	if (!clock_ticks_metric(groups_cell(c->groups, group, COL_METRIC),
	        groups_cell(c->groups, group, COL_UNIT)))
		return false;
	for (size_t i = 0; i < COUNT(values); i++)
		if (values[i])
			clock_ticks_add(&ticks, values[i]->value, values[i]->count);
	return clock_ticks_counted(&ticks);
}

/* Makes a rule compare means, by Welch's test. */
static void use_means(struct two_sample_opts *opts)
{
	opts->location = LOCATION_MEAN;
	for (size_t i = 0; i < infer_tests_count; i++)
		if (strcmp(infer_tests[i].name, "welch") == 0)
			opts->inference.test = &infer_tests[i];
}

/* Returns the rule of a group: success rates and times in clock ticks are compared by their
 * means, all other metrics by their medians. */
static struct rule rule_of(
    struct compare *c, const struct metrics *metrics, size_t group, size_t side)
{
	struct text metric = groups_cell(c->groups, group, COL_METRIC);
	struct text unit = groups_cell(c->groups, group, COL_UNIT);
	const struct threshold *own = threshold_of(c, group, side);
	struct rule rule = { .opts = { .location = text_is(metric, "ok") ? LOCATION_MEAN
		                                                         : LOCATION_MEDIAN,
		                 .better = metrics_better(metrics, metric, unit),
		                 .inference = c->opts.inference,
		                 .threshold = c->opts.threshold,
		                 .shift = c->opts.shift },
		.warning = c->opts.warning };

	if (c->pairs)
		rule.opts.pair_of_run = pair_keys_of_runs(c->pairs);
	if (in_clock_ticks(c, group, side))
		use_means(&rule.opts);
	if (own && !isnan(own->margin))
		rule.opts.threshold = own->margin;
	if (own && !isnan(own->warning))
		rule.warning = own->warning;
	if (own && own->has_better)
		rule.opts.better = own->better;
	return rule;
}

/* The comparison of a row of the list: its values and options. */
struct task {
	const struct collected *old, *new;
	struct collected zeros[2]; /* for counts by stack: old and new */
	struct two_sample_opts opts;
};

/* The tasks of a part of the list, which needs less memory than those of all. */
struct tasks {
	struct compare *compare;
	const struct metrics *metrics;
	struct task *task;
	size_t count, cap;
	size_t first; /* the row of the list of the first task */
};

static void add_task(struct tasks *tasks, size_t group, size_t side)
{
	struct compare *c = tasks->compare;
	const struct topic *t = &c->topic[group];
	struct task task = { 0 };

	if (side == c->reference || side == ANY_SIDE)
		return;
	task.old = compare_identified(c, c->reference, group);
	task.new = compare_identified(c, side, group);
	if (!task.old && !task.new)
		return;
	if (t->counts_stacks) {
		task.zeros[0] = implicit_zeros_fill(
		    &c->implicit_zeros[c->reference], t->family, task.old);
		task.zeros[1] =
		    implicit_zeros_fill(&c->implicit_zeros[side], t->family, task.new);
	}
	task.opts = rule_of(c, tasks->metrics, group, side).opts;
	*VEC_ADD(tasks->task, tasks->count, tasks->cap) = task;
	*VEC_ADD(c->list, c->count, c->cap) =
	    (struct comparison){ .group = group, .side = side };
}

static void measure_task(void *ctx, size_t thread, size_t i)
{
	(void)thread;
	struct tasks *tasks = ctx;
	struct compare *c = tasks->compare;
	struct task *t = &tasks->task[i];
	struct comparison *row = &c->list[tasks->first + i];
	bool filled = c->topic[row->group].counts_stacks;

	two_sample_measure(filled ? &t->zeros[0] : t->old, filled ? &t->zeros[1] : t->new,
	    &t->opts, &row->result);
	implicit_zeros_done(&t->zeros[0]);
	implicit_zeros_done(&t->zeros[1]);
}

static void measure_tasks(struct tasks *tasks)
{
	struct compare *c = tasks->compare;
	size_t threads = parallel_threads(tasks->count, TASKS_A_THREAD);

	parallel_each(threads, tasks->count, measure_task, tasks);
	for (size_t i = tasks->first; i < c->count && !c->any; i++) {
		const struct comparison *row = &c->list[i];

		c->any = row->result.basis != BASIS_NONE &&
		         (compare_count(c, c->reference, row->group) ||
		             compare_count(c, row->side, row->group));
	}
	for (; tasks->first < c->count; tasks->first++) {
		const struct comparison *row = &c->list[tasks->first];

		compare_forget(c, c->reference, row->group);
		compare_forget(c, row->side, row->group);
	}
	tasks->count = 0;
}

/* Adds a group: if the reference side has it, for all other sides; otherwise for the sides
 * that have it. */
static void add_tasks(struct tasks *tasks, size_t group, bool *is_here)
{
	struct compare *c = tasks->compare;
	const struct topic *t = &c->topic[group];
	bool all = compare_values(c, c->reference, group) != NULL;

	if (!all && t->count == 1) {
		add_task(tasks, group, t->side[0].side);
		return;
	}
	for (size_t i = 0; i < t->count; i++)
		if (t->side[i].side != ANY_SIDE)
			is_here[t->side[i].side] = true;
	for (size_t side = 0; side < c->sides.count; side++)
		if (all || is_here[side])
			add_task(tasks, group, side);
	for (size_t side = 0; side < c->sides.count; side++)
		is_here[side] = false;
}

/* Sets the noise floor of a comparison: the largest one of both sides and of any side. */
static void set_floor(
    struct compare *c, struct comparison *row, const struct two_sample_opts *opts)
{
	const size_t side[] = { c->reference, row->side, ANY_SIDE };

	row->floor = NAN;
	for (size_t i = 0; row->result.basis != BASIS_NONE && i < COUNT(side); i++) {
		long place = compare_gathering(c, row->group, side[i]);

		if (place < 0)
			continue;
		row->floor = fmax(row->floor,
		    noise_floor_margin(c->floors, (size_t)place, opts, &row->result));
		row->few_aa = row->few_aa || noise_floor_few(c->floors, (size_t)place);
	}
	row->few_aa = row->few_aa && isnan(row->floor);
}

static void judge(
    struct compare *c, struct comparison *row, const struct rule *rule, size_t tests)
{
	struct two_sample_opts opts = rule->opts;
	struct two_sample warned;

	set_floor(c, row, &opts);
	row->better = opts.better;
	row->margin = opts.threshold = fmax(rule->opts.threshold, row->floor);
	two_sample_judge(&row->result, &opts, tests);
	if (!row->decides)
		return;
	if (row->result.verdict == VERDICT_WORSE)
		row->severity = SEVERITY_CRITICAL;
	if (row->severity != SEVERITY_NONE || !(rule->warning < rule->opts.threshold))
		return;
	opts.threshold = fmax(rule->warning, row->floor);
	warned = row->result;
	two_sample_judge(&warned, &opts, tests);
	if (warned.verdict == VERDICT_WORSE)
		row->severity = SEVERITY_WARNING;
}

/* Sets which rows decide: those of primary metrics, and those whose metric a line of the
 * thresholds names. */
static void choose_deciding(struct compare *c, const struct metrics *metrics)
{
	struct primary *primary = primary_open(c->groups, metrics);

	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].result.basis != BASIS_NONE)
			primary_add(primary, c->list[i].group);
	for (size_t i = 0; i < c->count; i++) {
		struct comparison *row = &c->list[i];
		const struct threshold *own = compare_threshold(c, row);

		row->decides = c->opts.all_decides || threshold_demands(own) ||
		               primary_decides(primary, row->group);
	}
	primary_close(primary);
}

/* Judges the rows that decide, or the others. The p of the two sorts are corrected apart,
 * so that the verdicts that decide do not depend on the number of other rows. */
static void judge_all(struct compare *c, const struct metrics *metrics, bool deciding)
{
	struct two_sample **results = mem_zero(c->count + 1, sizeof(struct two_sample *));
	size_t count = 0, tests;

	for (size_t i = 0; i < c->count; i++)
		if (c->list[i].decides == deciding)
			results[count++] = &c->list[i].result;
	tests = two_sample_adjust(results, count, c->opts.adjust);
	if (deciding)
		c->tests = tests;
	for (size_t i = 0; i < c->count; i++) {
		struct comparison *row = &c->list[i];
		struct rule rule;

		if (row->decides != deciding)
			continue;
		rule = rule_of(c, metrics, row->group, row->side);
		judge(c, row, &rule, tests);
	}
	free(results);
}

static void compare_all(struct compare *c, const struct metrics *metrics)
{
	bool *is_here = mem_zero(c->sides.count, sizeof(*is_here));
	struct tasks tasks = { .compare = c, .metrics = metrics };

	for (size_t g = 0; g < c->topics; g++) {
		add_tasks(&tasks, g, is_here);
		if (tasks.count >= TASKS_TOGETHER)
			measure_tasks(&tasks);
	}
	measure_tasks(&tasks);
	free(tasks.task);
	choose_deciding(c, metrics);
	judge_all(c, metrics, true);
	judge_all(c, metrics, false);
	free(is_here);
}

static void find_vanished(struct compare *c)
{
	size_t subjects = groups_count(c->subjects), groups = 0;
	size_t *old = mem_zero(subjects, sizeof(*old)), *group = NULL;
	bool *has = mem_zero(subjects, sizeof(*has));

	for (size_t g = 0; g < c->topics; g++)
		old[c->topic[g].subject] += compare_count(c, c->reference, g);
	group = mem_zero(c->topics, sizeof(*group));
	for (size_t g = 0; g < c->topics; g++)
		if (old[c->topic[g].subject])
			group[groups++] = g;
	for (size_t side = 0; side < c->sides.count; side++) {
		if (side == c->reference)
			continue;
		memset(has, 0, subjects * sizeof(*has));
		for (size_t i = 0; i < groups; i++) {
			bool *of = &has[c->topic[group[i]].subject];

			*of = *of || compare_count(c, side, group[i]);
		}
		for (size_t s = 0; s < subjects; s++)
			if (old[s] && !has[s])
				*VEC_ADD(c->vanished, c->vanished_count, c->vanished_cap) =
				    (struct vanished){ s, side };
	}
	free(old);
	free(group);
	free(has);
}

/* Makes the first side that has values or failed samples the reference; skipped subjects
 * have neither. */
static void skip_empty_sides(struct compare *c)
{
	if (!c->opts.by || c->opts.reference)
		return;
	for (size_t s = 0; s < c->sides.count; s++)
		for (size_t g = 0; g < c->topics; g++)
			if (compare_count(c, s, g) || compare_samples(c, s, g).failed) {
				c->reference = s;
				return;
			}
}

int compare_finish(struct compare *c, const struct metrics *metrics, struct fault *f)
{
	if (groups_check(c->groups, f) < 0)
		return -1;
	if (c->opts.by && schema_need(c->schema, c->opts.by, f) < 0)
		return -1;
	if (compare_find_reference(c, f) < 0)
		return -1;
	compare_leave_implied(c);
	groups_complete(c->groups);
	groups_complete(c->subjects);
	groups_complete(c->families);
	collect_finish(c->collect);
	if (c->pairs && pair_keys_finish(c->pairs, c->collect, f) < 0)
		return -1;
	if (compare_check_sides(c, f) < 0)
		return -1;
	for (size_t i = 0; !c->opts.names && i < c->gatherings; i++)
		c->repeated += duplicates_drop(c->collect, i);
	compare_find_shared(c);
	noise_floor_finish(c->floors, !c->opts.names);
	note_stacks(c, metrics);
	skip_empty_sides(c);
	compare_all(c, metrics);
	compare_find_impossible(c, metrics);
	if (c->opts.thresholds)
		c->unmet = unmet_open(c);
	find_vanished(c);
	compare_find_failing(c);
	compare_find_lost(c);
	return 0;
}
