/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the JSON of pyperf: a benchmark for each subject and metric, whose unit is second,
 * byte or integer, and a run for each process. pyperf refuses a file that has a value that
 * is not above 0.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "convert/from.h"
#include "convert/to.h"
#include "record/subject_groups.h"
#include "record/subject_samples.h"
#include "text/plural.h"
#include "text/stamp.h"

static const struct unit {
	const char *ours, *pyperfs;
	int exponent;
	bool is_whole;
} units[] = {
	{ "ns", "second", -9, false },
	{ "s", "second", 0, false },
	{ "B", "byte", 0, false },
	{ "1", "integer", 0, true },
};

/* Returns the unit of a group's values, or NULL if pyperf has none. */
static const struct unit *unit_of(const struct subject_samples *t, size_t group)
{
	struct text unit = subject_samples_cell(t, group, COL_UNIT);

	for (size_t i = 0; i < COUNT(units); i++)
		if (text_is(unit, units[i].ours))
			return &units[i];
	return NULL;
}

/* Returns whether pyperf accepts all values of a group. */
static bool is_accepted(
    const struct subject_samples *t, size_t group, const struct unit *unit)
{
	const struct metric_samples *m = &t->of[group];

	for (size_t i = 0; i < m->count; i++) {
		double x = m->sample[i].value;

		if (subject_sample_counts(&m->sample[i]) &&
		    (!(x > 0) || (unit->is_whole && (x != floor(x) || x > 0x1p53)) ||
		        decimal_shift(x, unit->exponent) == 0))
			return false;
	}
	return true;
}

/* Appends a string as one line without blanks at its ends, which pyperf requires. */
static void put_line(struct buf *out, struct text t)
{
	struct buf line = { 0 };
	struct text trimmed;

	for (size_t i = 0; i < t.len; i++)
		buf_byte(&line, iscntrl((unsigned char)t.ptr[i]) ? ' ' : t.ptr[i]);
	trimmed = text_trim(text_in(&line));
	buf_text(out, trimmed.len ? trimmed : TEXT("unnamed"));
	buf_free(&line);
}

static void put_member(struct buf *out, const char *name, struct text t)
{
	struct buf line = { 0 };

	if (!t.len)
		return;
	put_line(&line, t);
	buf_str(out, ", ");
	doc_put_text(out, text_of(name));
	buf_str(out, ": ");
	doc_put_text(out, text_in(&line));
	buf_free(&line);
}

/* Appends the columns of the subject, which the name has only together. */
static void put_subject(const struct subject_samples *t, size_t group, struct buf *out)
{
	static const struct {
		const char *name;
		enum column column;
	} members[] = { { "hostname", COL_HOST }, { "env", COL_ENV },
		{ "commit_id", COL_COMMIT }, { "kind", COL_KIND }, { "bench", COL_BENCH },
		{ "metric", COL_METRIC } };
	const struct schema *schema = groups_schema(t->groups);

	for (size_t i = 0; i < COUNT(members); i++)
		put_member(out, members[i].name,
		    subject_samples_cell(t, group, members[i].column));
	for (size_t i = COL_FACTORS; i < schema->count; i++) {
		char *name = str_format(PYPERF_FACTOR "%s", schema->name[i]);

		put_member(out, name, groups_cell(t->groups, group, i));
		free(name);
	}
}

static void put_metadata(const struct subject_samples *t, size_t group,
    const struct unit *unit, struct intern *names, struct buf *out)
{
	struct text metric = subject_samples_cell(t, group, COL_METRIC);
	struct buf full = { 0 }, name = { 0 };

	subject_name(t->groups, group, "=", NULL, &full);
	if (!text_is(metric, "wall")) {
		buf_byte(&full, ' ');
		buf_text(&full, metric);
	}
	put_line(&name, text_in(&full));
	subject_name_unique(names, &name);
	buf_str(out, "    \"metadata\": {\"name\": ");
	doc_put_text(out, text_in(&name));
	buf_printf(out, ", \"unit\": \"%s\"", unit->pyperfs);
	put_subject(t, group, out);
	buf_str(out, "},\n    \"runs\": [");
	buf_free(&full);
	buf_free(&name);
}

/* Appends the time of a run as Python prints it, in UTC. */
static void put_date(struct buf *out, int64_t ns)
{
	char text[STAMP_MAX];

	if (ns == ROW_NONE)
		return;
	stamp_print(text, ns, 6);
	text[10] = ' ';
	buf_printf(out, "\"date\": \"%.26s\"", text);
}

/*
 * Sorts the samples of a group that enter statistics by their process. Each sample of a
 * command is a process, unless it has the number of one. Sets *order, allocated, to their
 * positions, and *process, allocated, to the process of each position. Returns the number
 * of samples.
 */
static size_t sort_by_process(
    const struct subject_samples *t, size_t group, size_t **order, size_t **process)
{
	const struct metric_samples *m = &t->of[group];
	bool command = text_is(subject_samples_cell(t, group, COL_KIND), "command");
	size_t *start = mem_zero(m->count + 1, sizeof(*start)), n = 0;
	struct intern keys = { 0 };

	*order = mem_zero(m->count, sizeof(**order));
	*process = mem_zero(m->count, sizeof(**process));
	for (size_t i = 0; i < m->count; i++) {
		const struct subject_sample *s = &m->sample[i];
		char key[96];

		if (!subject_sample_counts(s))
			continue;
		snprintf(key, sizeof(key), "%" PRIu32 " %lld %zu", s->run,
		    (long long)s->process, command && s->process == ROW_NONE ? i : 0);
		(*process)[i] = intern_add(&keys, text_of(key));
		start[(*process)[i] + 1]++;
		n++;
	}
	for (size_t i = 0; i < keys.count; i++)
		start[i + 1] += start[i];
	for (size_t i = 0; i < m->count; i++)
		if (subject_sample_counts(&m->sample[i]))
			(*order)[start[(*process)[i]]++] = i;
	intern_free(&keys);
	free(start);
	return n;
}

/* Appends what is known of a run: its time, and the number of loops that each of its values
 * is the mean of. */
static void end_run(struct buf *out, int64_t time_ns, int64_t loops)
{
	buf_str(out, "], \"metadata\": {");
	put_date(out, time_ns);
	if (loops > 0)
		buf_printf(out, "%s\"loops\": %lld", time_ns == ROW_NONE ? "" : ", ",
		    (long long)loops);
	buf_str(out, "}}");
}

/* Appends the runs of a group. Returns false if it has no values. */
static bool put_runs(
    const struct subject_samples *t, size_t group, const struct unit *unit, struct buf *out)
{
	const struct subject_sample *first = NULL;
	size_t *order, *process, n = sort_by_process(t, group, &order, &process);
	int64_t loops = ROW_NONE;

	for (size_t i = 0; i < n; i++) {
		const struct subject_sample *s = &t->of[group].sample[order[i]];

		if (i == 0 || process[order[i]] != process[order[i - 1]]) {
			if (first)
				end_run(out, first->time_ns, loops);
			buf_str(out, first ? ",\n     " : "\n     ");
			buf_str(out, "{\"values\": [");
			first = s;
			loops = s->iterations;
		} else
			buf_str(out, ", ");
		if (s->iterations != loops)
			loops = ROW_NONE;
		doc_put_number(out, decimal_shift(s->value, unit->exponent));
	}
	if (first)
		end_run(out, first->time_ns, loops);
	free(order);
	free(process);
	return first;
}

/* Notes how many groups are omitted. */
static void note_omitted(struct subject_samples *t, size_t count, size_t first)
{
	struct buf name = { 0 };

	subject_name(t->groups, first, "=", NULL, &name);
	subject_samples_note(t,
	    "%zu %s omitted, first %.*s of %.100s: pyperf accepts only values above 0, in "
	    "seconds, in bytes or as whole numbers",
	    count, plural(count, "metric is", "metrics are"),
	    (int)subject_samples_cell(t, first, COL_METRIC).len,
	    subject_samples_cell(t, first, COL_METRIC).ptr, name.ptr);
	buf_free(&name);
}

int write_pyperf(struct subject_samples *t, struct buf *out, struct fault *f)
{
	struct intern names = { 0 };
	size_t n = 0, omitted = 0, first = 0;

	buf_str(out, "{\"version\": \"1.0\", \"metadata\": {}, \"benchmarks\": [");
	for (size_t group = 0; group < t->count; group++) {
		const struct unit *unit = unit_of(t, group);
		struct buf runs = { 0 };

		if (!unit || !is_accepted(t, group, unit)) {
			if (!omitted++)
				first = group;
		} else if (put_runs(t, group, unit, &runs)) {
			buf_str(out, n++ ? ",\n  {" : "\n  {");
			put_metadata(t, group, unit, &names, out);
			buf_text(out, text_in(&runs));
			buf_str(out, "]}");
			text_sink_take(t->sink, out);
		}
		buf_free(&runs);
	}
	buf_str(out, "\n]}\n");
	intern_free(&names);
	if (!n)
		return fault_set(f, "no metric that pyperf accepts: values above 0, in "
		                    "seconds, in bytes or as whole numbers");
	if (omitted)
		note_omitted(t, omitted, first);
	return 0;
}
