/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The comparisons of --until decided: which subjects are compared, when each of them is
 * decided, and the rate of false alarms of eight comparisons with one reference.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "run/decision.h"
#include "tests/lib/tap.h"

static const struct run_status ok = { RUN_OK, 0 }, late = { RUN_TIMEOUT, 0 },
                               failed = { RUN_FAILED, 256 };

/* Subjects "old" and "new" with n=1 and n=2, in this order. */
static struct template template[] = { { .bench = "old" }, { .bench = "new" } };
static struct binding factor[] = { { "n", "1" }, { "n", "2" } };
static struct subject subject[] = {
	{ .from = &template[0], .factor = &factor[0], .factors = 1 },
	{ .from = &template[0], .factor = &factor[1], .factors = 1 },
	{ .from = &template[1], .factor = &factor[0], .factors = 1 },
	{ .from = &template[1], .factor = &factor[1], .factors = 1 },
};
static const struct subjects four = { .subject = subject, .count = 4 };

static struct decisions *open_by(const struct subjects *subjects, const char *column,
    const char *reference, struct fault *f)
{
	return decisions_open(subjects,
	    &(struct decision_opts){ column, reference, 0.02, 0.95, UNSURE_WARN }, f);
}

/* Measures all of these subjects once, in this time each. */
static void add_block(struct decisions *d, const double *wall_ns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		decisions_note(d, i, wall_ns[i], ok);
	decisions_end_block(d);
}

static void is_explained(const struct decisions *d, const char *want, const char *what)
{
	struct buf lines = { 0 };

	decisions_explain(d, &lines);
	tap_text(lines.ptr, want, what);
	buf_free(&lines);
}

static void test_pairs(void)
{
	struct fault f;
	struct decisions *d = open_by(&four, "bench", NULL, &f);

	for (int i = 0; i < 9; i++)
		add_block(d, (double[]){ 10, 20, 11, 18 }, 4);
	is_explained(d,
	    "worse: new n=1 against old: wall +10.0% [+10.0%, +10.0%], 9 blocks, p = "
	    "0.039\n"
	    "better: new n=2 against old: wall -10.0% [-10.0%, -10.0%], 9 blocks, p = "
	    "0.039\n",
	    "subjects are compared in the same values of the other factors");
	tap_ok(decisions_status(d) == STATUS_NO, "a verdict that is worse fails the gate");
	decisions_close(d);
	d = open_by(&four, "n", "2", &f);
	for (int i = 0; i < 9; i++)
		add_block(d, (double[]){ 10, 20, 11, 18 }, 4);
	is_explained(d,
	    "better: old n=1 against n=2: wall -50.0% [-50.0%, -50.0%], 9 blocks, p = "
	    "0.039\n"
	    "better: new n=1 against n=2: wall -38.9% [-38.9%, -38.9%], 9 blocks, p = "
	    "0.039\n",
	    "--reference sets the value to compare with");
	tap_ok(
	    decisions_status(d) == STATUS_FINE, "a verdict that is better passes the gate");
	decisions_close(d);
}

static void test_faults(void)
{
	struct subject pair[] = { subject[0], subject[3] };
	const struct subjects two = { .subject = pair, .count = 2 };
	struct fault f;

	tap_ok(
	    !open_by(&two, "bench", NULL, &f), "a subject without a partner is rejected");
	tap_text(f.text,
	    "--compare bench: 'old n=1' has no partner: no subject with bench=old has the "
	    "same values in all other columns",
	    "the message names the subject without a partner");
	tap_ok(!open_by(&two, "m", NULL, &f), "a column that no subject has is rejected");
	tap_text(f.text, "--compare: no subject has the column 'm' (there are: bench, n)",
	    "the message names the column that no subject has");
	tap_ok(!open_by(&two, "n", "3", &f), "a reference that no subject has is rejected");
	tap_text(f.text, "--reference: no subject has the n '3' (there are: 1, 2)",
	    "the message names the reference that no subject has");
}

static void test_leaving(void)
{
	struct fault f;
	struct decisions *d = open_by(&four, "bench", NULL, &f);
	int blocks = 0;

	/* new n=1 is much slower; new n=2 is as fast, but the times are noisy */
	while (decisions_want(d, 2) && blocks < 100) {
		add_block(d, (double[]){ 10, blocks % 2 ? 20 : 30, 15, 25 }, 4);
		blocks++;
	}
	tap_ok(blocks == 9, "the first of two comparisons takes 9 blocks at least (%d)",
	    blocks);
	tap_ok(!decisions_want(d, 0),
	    "the reference of a decided comparison leaves the blocks");
	tap_ok(decisions_want(d, 1) && decisions_want(d, 3),
	    "the subjects of an undecided comparison stay in the blocks");
	decisions_leave(d, 3);
	tap_ok(!decisions_want(d, 1), "a subject whose partner has left does not stay");
	is_explained(d,
	    "worse: new n=1 against old: wall +50.0% [+50.0%, +50.0%], 9 blocks, p = "
	    "0.039\n"
	    "unsure: new n=2 against old: wall -16.7% [-16.7%, +25.0%], 9 blocks, p = 1\n"
	    "1 of 2 comparisons remain undecided: give them more time (-T)\n",
	    "a comparison that was given up is unsure");
	decisions_close(d);
}

static void test_failures(void)
{
	struct subjects two = { .subject = (struct subject[]){ subject[0], subject[2] },
		.count = 2 };
	struct fault f;
	struct decisions *d = open_by(&two, "bench", NULL, &f);
	int blocks;

	for (blocks = 0; decisions_want(d, 1) && blocks < 100; blocks++) {
		decisions_note(d, 0, 10, ok);
		decisions_note(d, 1, 50, late);
		decisions_end_block(d);
	}
	is_explained(d,
	    "worse: new n=1 against old: most new samples timed out, 8 blocks, p = 0.035\n",
	    "a timeout is longer than any time");
	decisions_close(d);
	d = open_by(&two, "bench", NULL, &f);
	for (blocks = 0; decisions_want(d, 1) && blocks < 100; blocks++) {
		decisions_note(d, 0, 50, blocks % 2 ? late : ok);
		decisions_note(d, 1, 50, blocks % 2 ? late : failed);
		decisions_end_block(d);
	}
	is_explained(d,
	    "unsure: new n=1 against old: no ratio, 0 blocks, p = 1, 8 blocks without a "
	    "ratio\n",
	    "failures and two timeouts have no ratio, and end the comparison");
	tap_ok(decisions_status(d) == STATUS_TROUBLE,
	    "a comparison without a ratio fails the gate");
	decisions_close(d);
}

static void test_kinds(void)
{
	static struct template kind[] = { { .kind = KIND_MODEL, .bench = "bert" },
		{ .kind = KIND_FUNCTION, .bench = "bert" } };
	static struct binding cpu[] = { { "backend", "cpu" }, { "device", "EPYC" },
		{ "threads", "2" } };
	static struct binding cuda[] = { { "backend", "cuda" }, { "device", "H100" } };
	struct subject s[] = { { .from = &kind[0], .factor = cpu, .factors = 3 },
		{ .from = &kind[0], .factor = cuda, .factors = 2 },
		{ .from = &kind[1], .factor = cuda, .factors = 2 } };
	struct subjects two = { .subject = s, .count = 2 },
	                three = { .subject = s, .count = 3 };
	struct fault f;
	struct decisions *d = open_by(&two, "backend", NULL, &f);

	for (int i = 0; i < 8; i++)
		add_block(d, (double[]){ 10, 30 }, 2);
	is_explained(d,
	    "better: bert backend=cuda device=H100 against backend=cpu: throughput +200.0% "
	    "[+200.0%, +200.0%], 8 processes, p = 0.035\n",
	    "a higher throughput of a model on another backend is better");
	decisions_close(d);
	d = open_by(&two, "backend", "cuda", &f);
	for (int i = 0; i < 8; i++) {
		decisions_note(d, 0, 1, late);
		decisions_note(d, 1, 30, ok);
		decisions_end_block(d);
	}
	is_explained(d,
	    "worse: bert backend=cpu device=EPYC threads=2 against backend=cuda: "
	    "most new samples timed out, 8 processes, p = 0.035\n",
	    "a timeout is the lowest throughput of a model");
	decisions_close(d);
	tap_ok(!open_by(&three, "backend", NULL, &f),
	    "subjects of different kinds are not compared");
}

enum { NEW_SIDES = 8, REPEATS = 500, BLOCKS = 120 };

/*
 * Returns the share of runs with any verdict better or worse if eight new subjects are as
 * fast as the reference, which all of them share, times this factor.
 */
static double alarms_of(double factor_of_new, size_t *decided)
{
	static const char *const name[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8" };
	struct template one = { .bench = "sort" };
	struct binding n[NEW_SIDES + 1];
	struct subject s[NEW_SIDES + 1] = { 0 };
	const struct subjects all = { .subject = s, .count = NEW_SIDES + 1 };
	size_t alarms = 0;
	struct fault f;
	struct rng r;

	rng_seed(&r, 18);
	for (size_t i = 0; i <= NEW_SIDES; i++) {
		n[i] = (struct binding){ "n", name[i] };
		s[i] = (struct subject){ .from = &one, .factor = &n[i], .factors = 1 };
	}
	for (int repeat = 0; repeat < REPEATS; repeat++) {
		struct decisions *d = open_by(&all, "n", NULL, &f);
		struct buf lines = { 0 };

		for (int block = 0; block < BLOCKS; block++) {
			for (size_t i = 0; i <= NEW_SIDES; i++)
				decisions_note(d, i,
				    (i ? factor_of_new : 1) * (1 + rng_uniform(&r) / 10),
				    ok);
			decisions_end_block(d);
		}
		decisions_explain(d, &lines);
		alarms += strstr(lines.ptr, "worse") || strstr(lines.ptr, "better");
		*decided += !strstr(lines.ptr, "unsure");
		buf_free(&lines);
		decisions_close(d);
	}
	return (double)alarms / REPEATS;
}

static void test_alarms(void)
{
	size_t decided = 0;
	double alarms = alarms_of(1.02, &decided);

	tap_ok(alarms <= 0.05,
	    "eight comparisons at the margin with one reference have a false alarm in %g "
	    "of "
	    "all runs",
	    alarms);
	alarms = alarms_of(1.1, &decided);
	tap_ok(alarms == 1 && decided == REPEATS,
	    "all of eight comparisons with a difference of 10%% are decided (%zu of %d)",
	    decided, REPEATS);
}

int main(void)
{
	test_pairs();
	test_faults();
	test_leaving();
	test_failures();
	test_kinds();
	test_alarms();
	return tap_end();
}
