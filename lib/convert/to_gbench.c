/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the JSON of Google Benchmark for its compare.py: each value is a repetition, in
 * ns. The processor time is that of the same sample, from any metric that has it.
 */
#include "convert/to.h"
#include "text/display_text.h"

/* Returns a metric of a subject that has as many values as its wall; otherwise NULL. */
static const struct metric_values *find_parallel(const struct subject_values *t,
    const struct metric_values *wall, const char *metric, const char *unit)
{
	const struct metric_values *v = subject_values_find(t, wall->subject, metric, unit);

	return v && v->count == wall->count ? v : NULL;
}

/* The metric of the processor time, or two metrics whose sum it is. */
struct cpu {
	const struct metric_values *time, *more;
};

static struct cpu cpu_of(const struct subject_values *t, const struct metric_values *wall)
{
	struct cpu cpu = { find_parallel(t, wall, "cpu_time", "ns"), NULL };

	if (!cpu.time) {
		cpu.time = find_parallel(t, wall, "user", "ns");
		cpu.more = find_parallel(t, wall, "sys", "ns");
		if (!cpu.more)
			cpu.time = NULL;
	}
	if (!cpu.time)
		cpu.time = find_parallel(t, wall, "task-clock", "ns");
	return cpu;
}

static void put_entry(const struct subject_values *t, const struct metric_values *v,
    struct text name, size_t i, struct buf *out)
{
	const struct metric_values *bytes = find_parallel(t, v, "bandwidth", "B/s");
	const struct metric_values *items = find_parallel(t, v, "throughput", "1/s");
	struct cpu cpu = cpu_of(t, v);

	buf_str(out, "    {\n      \"name\": ");
	doc_put_text(out, name);
	buf_str(out, ",\n      \"run_name\": ");
	doc_put_text(out, name);
	buf_printf(out,
	    ",\n      \"run_type\": \"iteration\",\n      \"repetitions\": %zu,\n"
	    "      \"repetition_index\": %zu,\n      \"threads\": 1",
	    v->count, i);
	if (v->iterations[i] != ROW_NONE)
		buf_printf(
		    out, ",\n      \"iterations\": %lld", (long long)v->iterations[i]);
	buf_str(out, ",\n      \"real_time\": ");
	doc_put_number(out, v->value[i]);
	if (cpu.time) {
		buf_str(out, ",\n      \"cpu_time\": ");
		doc_put_number(
		    out, cpu.time->value[i] + (cpu.more ? cpu.more->value[i] : 0));
	}
	buf_str(out, ",\n      \"time_unit\": \"ns\"");
	if (bytes) {
		buf_str(out, ",\n      \"bytes_per_second\": ");
		doc_put_number(out, bytes->value[i]);
	}
	if (items) {
		buf_str(out, ",\n      \"items_per_second\": ");
		doc_put_number(out, items->value[i]);
	}
	buf_str(out, "\n    }");
}

int write_gbench(const struct subject_values *t, struct buf *out, struct fault *f)
{
	size_t n = 0, told = 0;

	buf_str(out, "{\n  \"context\": {\n    \"executable\": \"bench-convert\",\n"
	             "    \"caches\": []\n  },\n  \"benchmarks\": [\n");
	for (size_t group = 0; group < t->count; group++) {
		struct buf name = { 0 };

		if (!text_is(subject_values_metric(t, group), "wall") ||
		    !text_is(subject_values_unit(t, group), "ns"))
			continue;
		subject_values_name(t, group, ":", &name);
		if (!cpu_of(t, &t->of[group]).time && !told++) {
			display_text_clean(t->notes, (struct text){ name.ptr, name.len });
			buf_str(t->notes,
			    ": no processor time was measured, and compare.py "
			    "fails without it\n");
		}
		for (size_t i = 0; i < t->of[group].count; i++) {
			buf_str(out, n++ ? ",\n" : "");
			put_entry(
			    t, &t->of[group], (struct text){ name.ptr, name.len }, i, out);
		}
		buf_free(&name);
	}
	buf_str(out, "\n  ]\n}\n");
	return n ? 0
	         : fault_set(f, "no metric wall in ns, which a file of Google Benchmark "
	                        "needs");
}
