/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of metrics: which metrics are primary, for which kinds of subjects.
 */
#include "record/metric.h"
#include "tests/lib/tap.h"

static void test_primary(const struct metrics *m)
{
	static const struct {
		const char *metric, *kind;
		bool primary;
	} cases[] = {
		{ "wall", "command", true },
		{ "wall", "function", true },
		{ "wall", "kernel", true },
		{ "wall", "model", false },
		{ "wall", "", true },
		{ "wall", "comm", false },
		{ "throughput", "model", true },
		{ "throughput", "command", false },
		{ "first_token", "model", true },
		{ "per_token", "model", true },
		{ "token_rate", "model", false },
		{ "user", "command", false },
		{ "max_rss", "", false },
		{ "ok", "command", true },
		{ "ok", "model", true },
		{ "widgets", "command", true },
		{ "rate/s", "", true },
		{ "cycles:u", "command", false },
		{ "sched:sched_switch", "command", false },
		{ "cpu/event=0xc0/", "command", false },
		{ "cpu/event=0xc0/u", "command", false },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok(metrics_primary(m, text_of(cases[i].metric),
		           text_of(cases[i].kind)) == cases[i].primary,
		    "the metric %s is %sprimary for the kind '%s'", cases[i].metric,
		    cases[i].primary ? "" : "not ", cases[i].kind);
}

static void test_better(const struct metrics *m)
{
	static const struct {
		const char *metric, *unit;
		enum better better;
	} cases[] = {
		{ "sysstat:%idle", "%", BETTER_NEITHER },
		{ "sysstat:rxkB/s", "B/s", BETTER_NEITHER },
		{ "sysstat:r_await", "ns", BETTER_LOWER },
		{ "sysstat:rxerr/s", "1/s", BETTER_LOWER },
		{ "vmstat:free", "B", BETTER_NEITHER },
		{ "cpu-load:user", "%", BETTER_NEITHER },
		{ "memory:memfree", "B", BETTER_NEITHER },
		{ "disk:w_await", "ns", BETTER_LOWER },
		{ "sysstat", "1/s", BETTER_HIGHER },
		{ "cpu-loads:user", "%", BETTER_LOWER },
		{ "cycles:u", "1", BETTER_LOWER },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok(metrics_better(m, text_of(cases[i].metric), text_of(cases[i].unit)) ==
		           cases[i].better,
		    "the direction of the metric %s is known", cases[i].metric);
}

static void test_positive(const struct metrics *m)
{
	static const struct {
		const char *metric;
		bool positive;
	} cases[] = {
		{ "wall", true },
		{ "user", false },
		{ "sys", false },
		{ "page-faults", false },
		{ "sysstat:%idle", false },
		{ "walls", false },
	};

	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok(metrics_positive(m, text_of(cases[i].metric)) == cases[i].positive,
		    "values of the metric %s %s be 0", cases[i].metric,
		    cases[i].positive ? "cannot" : "can");
}

int main(void)
{
	struct fault f;
	struct metrics *m = metrics_open(&f);

	if (tap_ok(m != NULL, "share/metrics.csv can be read")) {
		test_primary(m);
		test_better(m);
		test_positive(m);
	}
	metrics_free(m);
	return tap_end();
}
