/*
 * Google Benchmark's JSON, for its compare.py: each value is a repetition, in ns. The
 * processor's time is that of the same sample where it was measured.
 */
#include "to.h"

static void put_entry(const struct tally *t, const struct tally_values *v, struct text name,
    size_t i, struct buf *out)
{
	const struct tally_values *cpu = tally_find(t, v->subject, "cpu_time", "ns");
	const struct tally_values *user = tally_find(t, v->subject, "user", "ns");
	const struct tally_values *sys = tally_find(t, v->subject, "sys", "ns");
	const struct tally_values *bytes = tally_find(t, v->subject, "bandwidth", "B/s");
	const struct tally_values *items = tally_find(t, v->subject, "throughput", "1/s");

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
	if (cpu && cpu->count == v->count) {
		buf_str(out, ",\n      \"cpu_time\": ");
		doc_put_number(out, cpu->value[i]);
	} else if (user && sys && user->count == v->count && sys->count == v->count) {
		buf_str(out, ",\n      \"cpu_time\": ");
		doc_put_number(out, user->value[i] + sys->value[i]);
	}
	buf_str(out, ",\n      \"time_unit\": \"ns\"");
	if (bytes && bytes->count == v->count) {
		buf_str(out, ",\n      \"bytes_per_second\": ");
		doc_put_number(out, bytes->value[i]);
	}
	if (items && items->count == v->count) {
		buf_str(out, ",\n      \"items_per_second\": ");
		doc_put_number(out, items->value[i]);
	}
	buf_str(out, "\n    }");
}

int write_gbench(const struct tally *t, struct buf *out, struct fault *f)
{
	size_t n = 0;

	buf_str(out, "{\n  \"context\": {\n    \"executable\": \"bench-convert\",\n"
	             "    \"caches\": []\n  },\n  \"benchmarks\": [\n");
	for (size_t group = 0; group < t->count; group++) {
		struct buf name = { 0 };

		if (!text_is(tally_metric(t, group), "wall") ||
		    !text_is(tally_unit(t, group), "ns"))
			continue;
		tally_name(t, group, ":", &name);
		for (size_t i = 0; i < t->of[group].count; i++) {
			buf_str(out, n++ ? ",\n" : "");
			put_entry(
			    t, &t->of[group], (struct text){ name.ptr, name.len }, i, out);
		}
		buf_free(&name);
	}
	buf_str(out, "\n  ]\n}\n");
	return n ? 0
	         : fault_set(f, "there is no metric wall in ns, which Google Benchmark's "
	                        "files tell of");
}
