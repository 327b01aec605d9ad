/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the lines about one subject; see brief_block.h.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/brief_block.h"
#include "brief/brief_histogram.h"
#include "brief/brief_median.h"
#include "brief/brief_metrics.h"
#include "brief/brief_scenario.h"
#include "brief/brief_text.h"
#include "brief/processor_share.h"
#include "summary/diagnosis.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/plural.h"

enum {
	INDENT = 2,
	LABEL_LEAST = 8, /* columns of the labels */
	LABEL_MOST = 16,
	FACTOR_LEAST = 16, /* columns of a factor after the name */
	HISTOGRAM_MOST = 40,
	FINDINGS_MOST = 3,
	TAIL_LEAST = 100, /* values for a quantile of 99% */
};

/* A subject whose lines are being written. */
struct brief_block {
	struct buf *out;
	const struct brief_subjects *all;
	const struct brief_subject *subject;
	struct collect *collect;
	const struct brief_opts *opts;
	size_t label; /* columns of the labels */
};

static struct text unit_of(const struct brief_block *b, size_t group)
{
	return groups_cell(b->all->groups, group, COL_UNIT);
}

static double statistic_of(const struct collected *values, enum brief_statistic statistic)
{
	struct summary above, s = brief_summary_of(values, DEFAULT_CONFIDENCE, &above);

	return statistic == BRIEF_MEAN      ? s.mean
	       : statistic == BRIEF_MAXIMUM ? s.max
	                                    : s.median;
}

static const char *code(const struct brief_block *b, const char *on)
{
	return b->opts->color ? on : "";
}

/* Appends a line with a label; the text is broken if it is too long. */
static void put_line(struct brief_block *b, const char *label, const char *text)
{
	struct buf fitted = { 0 };
	size_t indent = INDENT + b->label + INDENT;

	display_put(&fitted, text_of(label), b->label);
	buf_printf(b->out, "%*s%s%s%s%*s", INDENT, "", code(b, "\033[2m"), fitted.ptr,
	    code(b, "\033[0m"), INDENT, "");
	brief_wrap(b->out, text, b->opts->width, indent, indent);
	buf_free(&fitted);
}

/* Appends the factors that all subjects share, which their names lack, as far as they fit.
 */
static void put_shared(const struct brief_block *b, struct buf *out, size_t room)
{
	const struct schema *schema = groups_schema(b->all->groups);

	for (size_t id = COL_FACTORS; id < schema->count && room > FACTOR_LEAST; id++) {
		struct text value = brief_subject_cell(b->all, b->subject, id);
		struct buf factor = { 0 };
		char *fitted;

		if (!value.len || !groups_constant(b->all->groups, id) ||
		    b->subject->placed[id])
			continue;
		display_text_clean(&factor, text_of(schema->name[id]));
		buf_byte(&factor, '=');
		display_text_clean(&factor, value);
		fitted = brief_fit(factor.ptr, room - 1, b->opts->utf8);
		buf_printf(out, " %s", fitted);
		room -= 1 + display_width(text_of(fitted));
		free(fitted);
		buf_free(&factor);
	}
}

static void put_title(struct brief_block *b)
{
	char *name = brief_fit(b->subject->name, b->opts->width, b->opts->utf8);
	struct buf shared = { 0 };

	put_shared(b, &shared, b->opts->width - display_width(text_of(name)));
	buf_printf(b->out, "%s%s%s", code(b, "\033[1m"), name, code(b, "\033[0m"));
	if (shared.len)
		buf_printf(
		    b->out, "%s%s%s", code(b, "\033[2m"), shared.ptr, code(b, "\033[0m"));
	buf_byte(b->out, '\n');
	buf_free(&shared);
	free(name);
}

/* Returns the number of processes that the values came from; 0: they have none. */
static size_t processes_of(const struct collected *values)
{
	size_t count = 0;

	for (size_t i = 0; i < values->count; i++)
		if (values->identity[i].process != ROW_NONE &&
		    (i == 0 ||
		        values->identity[i].process != values->identity[i - 1].process))
			count++;
	return count;
}

/* Returns whether the samples of the subject are requests of a load. */
static bool has_load(const struct brief_block *b)
{
	return text_is(
	    groups_cell(b->all->groups, b->subject->head, COL_METRIC), "latency");
}

static void put_runs(
    struct buf *out, const struct brief_block *b, const struct collected *values)
{
	size_t runs = values->count + values->missing->failings,
	       processes = processes_of(values);
	size_t failed = values->missing->failings - values->missing->limits;
	bool command = text_is(brief_subject_cell(b->all, b->subject, COL_KIND), "command");

	buf_printf(out, "%zu %s%s", runs,
	    has_load(b) ? "request"
	    : command   ? "run"
	                : "sample",
	    plural_s(runs));
	if (processes > 1)
		buf_printf(
		    out, " in %zu %s", processes, has_load(b) ? "periods" : "processes");
	if (failed)
		buf_printf(out, ", %zu failed", failed);
	if (values->missing->limits)
		buf_printf(out, ", %zu timed out", values->missing->limits);
}

/* Returns the metric of a group in the table of metrics, or NULL. */
static const struct metric *metric_of(const struct brief_block *b, size_t group)
{
	return metrics_find(
	    b->all->metrics, groups_cell(b->all->groups, group, COL_METRIC));
}

/* Appends the end of a distribution: a quantile, or the largest of few values. */
static void put_tail(struct buf *text, const struct brief_block *b, size_t group)
{
	const struct collected *values = collect_group(b->collect, group);
	struct summary above, s = brief_summary_of(values, DEFAULT_CONFIDENCE, &above);

	buf_str(text, values->count < TAIL_LEAST ? ", at most " : ", 99% at most ");
	brief_put_value(text, values->count < TAIL_LEAST ? s.max : s.p99, unit_of(b, group),
	    b->opts->utf8);
}

static void put_result(struct brief_block *b, size_t group, const char *label, bool head)
{
	const struct collected *values = collect_group(b->collect, group);
	double confidence = b->opts->inference.confidence;
	const struct metric *metric = metric_of(b, group);
	struct buf text = { 0 };
	bool interval;

	if (!head && values->count + values->missing->limits == 0) {
		put_line(b, label, "no values");
		return;
	}
	buf_str(&text, "median ");
	interval = brief_put_median_of(&text, values,
	    groups_cell(b->all->groups, group, COL_METRIC), unit_of(b, group), b->opts);
	if (interval)
		buf_printf(&text, " (%.4g%%)", confidence * 100);
	if (metric && metric->is_each && values->count > 1)
		put_tail(&text, b, group);
	if (head) {
		buf_str(&text, ", ");
		put_runs(&text, b, values);
		if (!interval && !has_load(b) &&
		    values->count + values->missing->limits <
		        brief_values_needed(confidence))
			buf_printf(&text, " (an interval needs %zu)",
			    brief_values_needed(confidence));
	}
	put_line(b, label, text.ptr);
	buf_free(&text);
}

/* Returns the largest of some numbers, or NAN. */
static double greatest(const double *value, size_t count)
{
	double most = NAN;

	for (size_t i = 0; i < count; i++)
		most = fmax(most, value[i]);
	return most;
}

/* Appends a histogram between the ends of a range, or a word if it has no room. If the
 * range ends beyond a limit, timeouts are at their limits. */
static void put_histogram(struct buf *text, const struct brief_block *b,
    const struct collected *values, bool beyond, size_t end)
{
	size_t count = values->count, limits = beyond ? values->missing->limits : 0;
	double *value = mem_zero(count + limits, sizeof(*value));
	size_t used = 2 * INDENT + b->label + display_width(text_of(text->ptr)) + end + 2;
	size_t room = b->opts->width > used ? b->opts->width - used : 0, before;

	buf_byte(text, ' ');
	before = text->len;
	memcpy(value, values->value, count * sizeof(*value));
	if (limits)
		memcpy(value + count, values->missing->limit, limits * sizeof(*value));
	brief_histogram_put(text, value, count + limits,
	    room < HISTOGRAM_MOST ? room : HISTOGRAM_MOST, b->opts->utf8);
	buf_str(text, text->len > before ? " " : "to ");
	free(value);
}

static void put_range(struct brief_block *b, size_t group)
{
	const struct collected *values = collect_group(b->collect, group);
	struct text unit = unit_of(b, group);
	struct buf text = { 0 }, end = { 0 };
	double least = NAN, most = greatest(values->value, values->count),
	       limit = greatest(values->missing->limit, values->missing->limits);
	bool beyond = values->missing->limits && !(limit < most);

	for (size_t i = 0; i < values->count; i++)
		least = fmin(least, values->value[i]);
	if (beyond)
		buf_byte(&end, '>');
	brief_put_value(&end, beyond ? limit : most, unit, b->opts->utf8);
	if (values->count && (beyond || most > least)) {
		brief_put_value(&text, least, unit, b->opts->utf8);
		put_histogram(&text, b, values, beyond, display_width(text_of(end.ptr)));
	}
	buf_str(&text, end.ptr);
	if (!beyond && most == least && values->count > 1)
		buf_str(&text, ", all equal");
	put_line(b, "range", text.ptr);
	buf_free(&text);
	buf_free(&end);
}

/* Appends high quantiles of the latencies. */
static void put_quantiles(struct brief_block *b)
{
	struct buf line = { 0 };

	brief_put_quantiles(&line, collect_group(b->collect, b->subject->head),
	    unit_of(b, b->subject->head), b->opts);
	if (line.len)
		put_line(b, "tail", line.ptr);
	buf_free(&line);
}

/* Returns whether a metric is a fraction, by its meaning in the table of metrics. */
static bool is_fraction(const struct brief_block *b, size_t group)
{
	static const char prefix[] = "fraction of";
	const struct metric *m = metric_of(b, group);

	return m && strncmp(m->meaning, prefix, strlen(prefix)) == 0;
}

/* Appends a metric to a line, after a comma if the line has another one. */
static void put_metric(struct buf *line, const struct brief_block *b, size_t group,
    const struct brief_metric *m)
{
	double value = statistic_of(collect_group(b->collect, group), m->statistic);

	if (isnan(value) || (value == 0 && !m->zero))
		return;
	if (line->len)
		buf_str(line, ", ");
	if (m->label)
		buf_str(line, m->label);
	else
		display_text_clean(line, groups_cell(b->all->groups, group, COL_METRIC));
	buf_byte(line, ' ');
	if (is_fraction(b, group))
		brief_put_percent(line, value);
	else
		brief_put_value(line, value, unit_of(b, group), b->opts->utf8);
}

/* A group on a line. */
struct shown_group {
	size_t order, group;
	struct brief_metric metric;
};

static int by_order(const void *a, const void *b)
{
	const struct shown_group *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return (x->group > y->group) - (x->group < y->group);
}

/* Makes a line of all metrics of a kind; empty if there are none. */
static struct buf line_of(const struct brief_block *b, enum brief_line which)
{
	struct shown_group *shown = mem_zero(b->subject->groups, sizeof(*shown));
	struct buf line = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < b->subject->groups; i++) {
		struct shown_group next = { .group = b->subject->group[i] };

		next.metric = brief_metric_of(b->all, b->subject, next.group, &next.order);
		if (next.metric.line == which && next.group != b->subject->head)
			shown[count++] = next;
	}
	qsort(shown, count, sizeof(*shown), by_order);
	for (size_t i = 0; i < count; i++)
		put_metric(&line, b, shown[i].group, &shown[i].metric);
	free(shown);
	return line;
}

static void put_processor(struct brief_block *b)
{
	struct buf cpu = line_of(b, BRIEF_CPU), memory = line_of(b, BRIEF_MEMORY);
	size_t room = b->opts->width - 2 * INDENT - b->label;

	if (cpu.len) {
		buf_str(&cpu, " (means");
		processor_share_put(&cpu, b->all, b->subject, b->collect);
		buf_byte(&cpu, ')');
	}
	if (cpu.len && memory.len &&
	    display_width(text_of(cpu.ptr)) + memory.len + strlen(", memory ") <= room) {
		buf_printf(&cpu, ", memory %s", memory.ptr);
		memory.len = 0;
	}
	if (cpu.len)
		put_line(b, "CPU", cpu.ptr);
	if (memory.len)
		put_line(b, "memory", memory.ptr);
	buf_free(&cpu);
	buf_free(&memory);
}

/* Appends the phases of a model before its samples, and the time of an iteration in them.
 */
static void put_start(struct brief_block *b)
{
	const long wall = brief_subject_metric(b->all, b->subject, "wall");
	struct buf line = { 0 };
	double value = NAN;

	if (!text_is(brief_subject_cell(b->all, b->subject, COL_KIND), "model"))
		return;
	line = line_of(b, BRIEF_START);
	if (wall >= 0)
		value = statistic_of(collect_group(b->collect, (size_t)wall), BRIEF_MEDIAN);
	if (line.len && !isnan(value)) {
		buf_str(&line, ", then ");
		brief_put_value(&line, value, unit_of(b, (size_t)wall), b->opts->utf8);
	}
	if (line.len)
		put_line(b, "start-up", line.ptr);
	buf_free(&line);
}

/* Appends a line of all metrics of a kind, with a remark about them, if there are any. */
static void put_kind(
    struct brief_block *b, enum brief_line which, const char *label, const char *remark)
{
	struct buf line = line_of(b, which);

	if (line.len) {
		buf_str(&line, remark);
		put_line(b, label, line.ptr);
	}
	buf_free(&line);
}

/* Appends the result of the scenario. */
static void put_scenario(struct brief_block *b)
{
	struct buf line = { 0 };

	if (b->opts->scenario)
		brief_put_scenario(&line, b->all, b->subject, b->collect, b->opts);
	if (line.len)
		put_line(b, "result", line.ptr);
	buf_free(&line);
}

/* Appends a line for each primary metric but the head, or only finds the columns of their
 * names. */
static void put_results(struct brief_block *b, bool measure)
{
	for (size_t i = 0; i < b->subject->groups; i++) {
		size_t group = b->subject->group[i], order, width;
		struct brief_metric m = brief_metric_of(b->all, b->subject, group, &order);
		struct buf name = { 0 };

		if (m.line != BRIEF_RESULT)
			continue;
		display_text_clean(&name, groups_cell(b->all->groups, group, COL_METRIC));
		width = display_width(text_of(name.ptr));
		if (measure)
			b->label = width > b->label ? width : b->label;
		else if (group != b->subject->head)
			put_result(b, group, name.ptr, false);
		buf_free(&name);
	}
	b->label = b->label < LABEL_MOST ? b->label : LABEL_MOST;
}

static void put_findings(struct brief_block *b, const struct diagnosis *findings)
{
	size_t room = b->opts->width - 2 * INDENT - b->label, shown = 0;

	for (size_t i = 0; i < diagnosis_count(findings) && shown < FINDINGS_MOST; i++) {
		char *text;

		if (diagnosis_group(findings, i) != b->subject->head)
			continue;
		text = diagnosis_text(findings, i, true);
		if (display_width(text_of(text)) > room && !b->opts->verbose) {
			free(text);
			text = diagnosis_text(findings, i, false);
		}
		put_line(b, "note", text);
		free(text);
		shown++;
	}
}

/* Appends the line of a subject without values. */
static void put_nothing(struct brief_block *b, const struct collected *values)
{
	struct buf text = { 0 };

	if (!values->missing->failings)
		buf_str(&text, "not measured");
	else if (values->missing->failings == 1)
		buf_str(&text, "the only run failed");
	else
		buf_printf(&text, "all %zu runs failed", values->missing->failings);
	put_line(b, "failed", text.ptr);
	buf_free(&text);
}

void brief_put_block(struct buf *out, const struct brief_subjects *s,
    const struct brief_subject *of, struct collect *collect,
    const struct diagnosis *findings, const struct brief_opts *opts)
{
	struct brief_block b = { out, s, of, collect, opts, LABEL_LEAST };
	const struct collected *values = collect_group(collect, of->head);
	struct text head = groups_cell(s->groups, of->head, COL_METRIC);
	char *name = mem_text(head.ptr, head.len);

	put_title(&b);
	put_results(&b, true);
	if (values->count + values->missing->limits) {
		put_result(&b, of->head, name, true);
		put_range(&b, of->head);
		if (has_load(&b)) {
			put_quantiles(&b);
			put_kind(&b, BRIEF_REQUEST, "of which", " (means)");
		}
		put_results(&b, false);
		put_kind(&b, BRIEF_TOKENS, "tokens", "");
		put_kind(&b, BRIEF_RATE, "rate", "");
		put_start(&b);
		put_processor(&b);
		put_kind(&b, BRIEF_ENERGY, "energy", "");
		put_kind(&b, BRIEF_COUNTER, "counters", "");
		put_scenario(&b);
		put_findings(&b, findings);
	} else
		put_nothing(&b, values);
	free(name);
}
