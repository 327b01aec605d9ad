/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what perf bench prints. Each benchmark begins with "# Running ...", and its values
 * are in lines of known words. A benchmark without values failed.
 */
#include <math.h>

#include "console/console_text.h"
#include "console/line_pattern.h"
#include "record/sample_counts.h"
#include "text/units.h"

/* The lines of values, and those of factors of the values after them. */
static const struct line_pattern bench_lines[] = {
	{ "# * groups == <f> processes run", "processes", NULL, 0, 0 },
	{ "# * groups == <f> threads run", "threads", NULL, 0, 0 },
	{ "# function '<f>' ...", "function", NULL, 0, 0 },
	{ "# Copying <f> bytes ...", "size", NULL, 0, 0 },
	{ "Run summary [PID * <f> threads ...", "threads", NULL, 0, 0 },
	{ "Run summary [PID * <f> threads, ...", "threads", NULL, 0, 0 },
	{ "Run summary [PID * blocking on <f> threads ...", "threads", NULL, 0, 0 },
	{ "Run summary [PID * Requeuing <f> threads ...", "threads", NULL, 0, 0 },
	{ "Number of synthesis threads: <f>", "threads", NULL, 0, 0 },
	{ "* operations <f> bits set of * bits", "bits_set", NULL, 0, 0 },
	{ "* operations * bits set of <f> bits", "bits", NULL, 0, 0 },
	{ "<f> operations * bits set of * bits", "operations", NULL, 0, 0 },
	{ "Total time: <v> [sec]", "wall", "ns", 9, 1 },
	{ "<v> usecs/op", "operation_time", "ns", 3, 1 },
	{ "<v> usecs/op/cpu", "operation_time_per_cpu", "ns", 3, 1 },
	{ "<v> ops/sec", "throughput", "1/s", 0, 1 },
	{ "<v> B/sec", "bandwidth", "B/s", 0, 1 },
	{ "<v> KB/sec", "bandwidth", "B/s", 0, 0x1p10 },
	{ "<v> MB/sec", "bandwidth", "B/s", 0, 0x1p20 },
	{ "<v> GB/sec", "bandwidth", "B/s", 0, 0x1p30 },
	{ "<v> cycles/byte", "cycles_per_byte", "1", 0, 1 },
	{ "Averaged <v> operations/sec ...", "throughput_per_thread", "1/s", 0, 1 },
	{ "Averaged <v> ADD operations ...", "add_operations_per_thread", "1", 0, 1 },
	{ "Averaged <v> MOD operations ...", "mod_operations_per_thread", "1", 0, 1 },
	{ "Averaged <v> DEL operations ...", "del_operations_per_thread", "1", 0, 1 },
	{ "[Run <n>]: Wokeup * of * threads in <v> ms", "wall", "ns", 6, 1 },
	{ "[Run <n>]: Requeued * of * threads in <v> ms", "wall", "ns", 6, 1 },
	{ "[Run <n>]: Awoke and Requeued * of * threads in <v> ms", "wall", "ns", 6, 1 },
	{ "[Run <n>]: Avg per-thread latency (waking * threads) in <v> ms ...", "latency",
	    "ns", 6, 1 },
	{ "Average synthesis took: <v> usec ...", "synthesis", "ns", 3, 1 },
	{ "Average data synthesis took: <v> usec ...", "data_synthesis", "ns", 3, 1 },
	{ "Average for_each_set_bit took: <v> usec ...", "for_each_set_bit", "ns", 3, 1 },
	{ "Average test_bit loop took: <v> usec ...", "test_bit", "ns", 3, 1 },
};

/* Means over the numbered lines before them, which -s omits. */
static const struct line_pattern bench_means[] = {
	{ "Wokeup * of * threads in <v> ms ...", "wall", "ns", 6, 1 },
	{ "Requeued * of * threads in <v> ms ...", "wall", "ns", 6, 1 },
	{ "Awoke and Requeued * of * threads in <v> ms ...", "wall", "ns", 6, 1 },
	{ "Avg per-thread latency (waking * threads) in <v> ms ...", "latency", "ns", 6,
	    1 },
};

enum { FACTORS_MAX = 4 };

struct bench_reading {
	struct row_builder *out;
	const char *name; /* of the file */
	size_t line;
	struct text bench; /* the open benchmark, or "" */
	int64_t number;    /* of earlier benchmarks of this name */
	const char *factor[FACTORS_MAX];
	struct text value[FACTORS_MAX]; /* "": not set */
	bool has_rows;
	struct sample_counts counts;
};

/* Returns whether a line begins a benchmark, whose name is in quotes unless there are
 * several: "# Running 'sched/pipe' benchmark:", "# Running sched/pipe benchmark...". */
static bool bench_begins(struct text line, struct text *bench)
{
	static const char running[] = "# Running ";
	struct text rest, end;

	if (!text_begins(line, running))
		return false;
	rest = text_after(line, strlen(running));
	*bench = line_word(&rest);
	end = line_word(&rest);
	if (!memchr(bench->ptr, '/', bench->len) ||
	    (!text_is(end, "benchmark:") && !text_is(end, "benchmark...")))
		return false;
	if (bench->len > 2 && bench->ptr[0] == '\'' && text_ends(*bench, "'"))
		*bench = (struct text){ bench->ptr + 1, bench->len - 2 };
	return true;
}

static bool perf_bench_recognize(const struct source *s)
{
	struct text rest = s->text, line, bench;

	while (!s->doc && line_next(&rest, &line))
		if (bench_begins(line, &bench))
			return true;
	return false;
}

/* Adds a row; run is 0 unless the line numbers it. A time that was rounded to 0 is missing.
 */
static int put_bench(struct bench_reading *r, struct text metric, struct text unit,
    double value, int64_t run, struct fault *f)
{
	struct row_builder *out = r->out;

	if (value == 0 && text_is(unit, "ns"))
		value = NAN;
	row_builder_clear(out);
	row_builder_set(out, COL_KIND, TEXT("command"));
	row_builder_set(out, COL_BENCH, r->bench);
	row_builder_set(out, COL_STATUS, isnan(value) ? TEXT("skipped") : TEXT("ok"));
	for (size_t i = 0; i < FACTORS_MAX; i++)
		if (r->value[i].len)
			row_builder_factor(out, text_of(r->factor[i]), r->value[i]);
	out->row.process = run ? r->number : ROW_NONE;
	out->row.sample = run ? run - 1 : r->number;
	r->has_rows = true;
	return row_builder_put(out, metric, unit, value, f);
}

/* Ends a benchmark. One without values failed. */
static int end_bench(struct bench_reading *r, struct fault *f)
{
	if (!r->bench.len || r->has_rows)
		return 0;
	row_builder_clear(r->out);
	row_builder_set(r->out, COL_KIND, TEXT("command"));
	row_builder_set(r->out, COL_BENCH, r->bench);
	row_builder_set(r->out, COL_STATUS, TEXT("failed"));
	r->out->row.process = ROW_NONE;
	r->out->row.sample = r->number;
	return row_builder_put(r->out, TEXT("wall"), TEXT("ns"), NAN, f);
}

static int begin_bench(struct bench_reading *r, struct text bench, struct fault *f)
{
	if (end_bench(r, f) < 0)
		return -1;
	r->bench = bench;
	r->number = sample_counts_next(&r->counts, bench);
	r->has_rows = false;
	for (size_t i = 0; i < FACTORS_MAX; i++)
		r->value[i] = TEXT("");
	return 0;
}

static bool is_memory(const struct bench_reading *r)
{
	return text_begins(r->bench, "mem/");
}

/* Sets a factor of the next rows of the benchmark. Only those of memory have functions:
 * with -f simple, perf names no benchmark that it runs alone. */
static int set_factor(
    struct bench_reading *r, const char *name, struct text value, struct fault *f)
{
	size_t at = 0;

	if (strcmp(name, "function") == 0 && !is_memory(r))
		return fault_set(f,
		    "%s:%zu: a function of a benchmark that no line names: each output of "
		    "perf bench must be in a file of its own",
		    r->name, r->line);
	while (at + 1 < FACTORS_MAX && r->value[at].len && strcmp(r->factor[at], name) != 0)
		at++;
	r->factor[at] = name;
	r->value[at] = value;
	return 0;
}

/* Reads a line of numa/mem: "main, 1.481, secs, runtime-max/thread". Its GB are 10^9 bytes.
 * Sets *found to whether it is one. */
static int read_numa(
    struct bench_reading *r, struct text line, bool *found, struct fault *f)
{
	static const struct {
		const char *text, *unit;
		int exponent;
	} units[] = { { "secs", "ns", 9 }, { "nsecs", "ns", 0 }, { "%", "%", 0 },
		{ "GB", "B", 9 }, { "GB/sec", "B/s", 9 } };
	struct text value, unit;
	double x;

	text_until(&line, ',');
	value = text_trim(text_until(&line, ','));
	unit = text_trim(text_until(&line, ','));
	line = text_trim(line);
	*found = line.len && number_parse(value, &x);
	for (size_t i = 0; *found && i < COUNT(units); i++)
		if (text_is(unit, units[i].text))
			return put_bench(r, line, text_of(units[i].unit),
			    decimal_shift(x, units[i].exponent), 0, f);
	*found = false;
	return 0;
}

/* Reads a line that has only a number, the value with -f simple. */
static int read_simple(struct bench_reading *r, struct text line, struct fault *f)
{
	double x;

	if (!number_parse(line, &x) || (r->has_rows && !is_memory(r)))
		return 0;
	return is_memory(r)
	           ? put_bench(r, TEXT("bandwidth"), TEXT("B/s"), x, ROW_NONE, f)
		   : put_bench(r, TEXT("wall"), TEXT("ns"), decimal_shift(x, 9), 0, f);
}

/* Reads a line of a mean if the benchmark has no other values. Sets *found to whether it is
 * one. */
static int read_mean(
    struct bench_reading *r, struct text line, bool *found, struct fault *f)
{
	struct line_match m;

	for (size_t i = 0; i < COUNT(bench_means) && !r->has_rows; i++) {
		const struct line_pattern *p = &bench_means[i];

		*found = line_pattern_match(p, line, &m);
		if (*found)
			return put_bench(
			    r, text_of(p->name), text_of(p->unit), m.value, 0, f);
		if (m.damaged.len)
			return line_pattern_fault(&m, r->name, r->line, f);
	}
	return 0;
}

static int read_bench_line(struct bench_reading *r, struct text line, struct fault *f)
{
	bool found = false;
	int status;

	for (size_t i = 0; i < COUNT(bench_lines); i++) {
		const struct line_pattern *p = &bench_lines[i];
		struct line_match m;

		if (!line_pattern_match(p, line, &m)) {
			if (m.damaged.len)
				return line_pattern_fault(&m, r->name, r->line, f);
			continue;
		}
		found = true;
		status = p->unit ? put_bench(r, text_of(p->name), text_of(p->unit), m.value,
		                       m.number, f)
		                 : set_factor(r, p->name, m.text, f);
		if (status < 0)
			return -1;
	}
	if (found)
		return 0;
	status = read_mean(r, line, &found, f);
	if (status == 0 && !found)
		status = read_numa(r, line, &found, f);
	return status < 0 || found ? status : read_simple(r, line, f);
}

static int perf_bench_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	struct bench_reading r = { .out = out, .name = s->name };
	struct text rest = s->text, line, bench;
	int status = 0;

	while (status == 0 && line_next(&rest, &line)) {
		r.line++;
		line = text_trim(line);
		if (bench_begins(line, &bench))
			status = begin_bench(&r, bench, f);
		else if (r.bench.len && line.len)
			status = read_bench_line(&r, line, f);
	}
	if (status == 0)
		status = end_bench(&r, f);
	sample_counts_free(&r.counts);
	return status;
}

const struct format format_perf_bench = { .name = "perf-bench",
	.meaning = "perf bench",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = perf_bench_recognize,
	.read = perf_bench_read };
