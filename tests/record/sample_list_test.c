/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of samples, in which consecutive ones take no memory.
 */
#include <stdlib.h>

#include "base/rng.h"
#include "record/record.h"
#include "record/sample_list.h"
#include "tests/lib/tap.h"

static struct sample_list list_of(const struct sample_id *id, size_t count)
{
	struct sample_list l = { 0 };

	for (size_t i = 0; i < count; i++)
		sample_list_add(&l, &id[i]);
	return l;
}

/* Returns whether a list contains exactly these samples. */
static bool has(const struct sample_list *l, const struct sample_id *id, size_t count)
{
	struct sample_id *all = sample_list_expand(l);
	bool same = sample_list_count(l) == count;

	for (size_t i = 0; same && i < count; i++)
		same = sample_id_order(&all[i], &id[i]) == 0;
	free(all);
	return same;
}

/* Returns whether a sample that can be compared occurs twice, by comparing all pairs. */
static bool repeats_plainly(const struct sample_id *id, size_t count, const bool *named)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (named[id[i].run] && id[i].sample != ROW_NONE &&
			    sample_id_order(&id[i], &id[k]) == 0)
				return true;
	return false;
}

static void test_cases(void)
{
	static const struct {
		struct sample_id id[6];
		size_t count, stretches;
		bool repeats;
		const char *what;
	} cases[] = {
		{ { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 2 } }, 3, 1, false,
		    "consecutive samples are one stretch" },
		{ { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 1, 0 }, { 0, 1, 1 } }, 4, 2, false,
		    "samples of another process are another stretch" },
		{ { { 0, 0, 1 }, { 0, 0, 0 } }, 2, 2, false,
		    "samples in reverse order are not repeated" },
		{ { { 0, 0, 0 }, { 0, 0, 1 }, { 0, 0, 0 }, { 0, 0, 1 } }, 4, 2, true,
		    "a stretch that occurs twice is found" },
		{ { { 0, 0, 5 }, { 0, 0, 3 }, { 0, 0, 4 }, { 0, 0, 5 } }, 4, 2, true,
		    "a sample within a later stretch is found" },
		{ { { 0, 0, 7 }, { 0, 0, 7 } }, 2, 2, true, "a repeated sample is found" },
		{ { { 1, 0, 7 }, { 1, 0, 7 } }, 2, 2, false,
		    "samples of a run without a name are not compared" },
		{ { { 0, ROW_NONE, ROW_NONE }, { 0, ROW_NONE, ROW_NONE } }, 2, 1, false,
		    "samples without a number are one stretch, and are not compared" },
		{ { { 0, 0, INT64_MAX }, { 0, 0, INT64_MAX } }, 2, 2, true,
		    "the largest number of a sample has no successor" },
		{ { { 0, 0, 0 } }, 0, 0, false, "an empty list has no samples" },
	};
	static const bool named[] = { true, false };

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct sample_list l = list_of(cases[i].id, cases[i].count);

		tap_ok(has(&l, cases[i].id, cases[i].count) &&
		           (l.stretch.count ? 1 + l.mores : 0) == cases[i].stretches &&
		           sample_list_repeats(&l, named) == cases[i].repeats,
		    "%s", cases[i].what);
		sample_list_free(&l);
	}
}

static void test_random(void)
{
	static const bool named[] = { true, true, false };
	static const uint32_t number[] = { 1, 0, 2 };
	int wrong = 0, repeated = 0;
	struct rng r;

	rng_seed(&r, 1);
	for (int i = 0; i < 5000; i++) {
		struct sample_id id[12];
		size_t count = rng_below(&r, COUNT(id) + 1);
		struct sample_list l;

		for (size_t k = 0; k < count; k++) {
			id[k] = (struct sample_id){ (uint32_t)rng_below(&r, 3),
				(int64_t)rng_below(&r, 2), (int64_t)rng_below(&r, 6) };
			if (rng_below(&r, 8) == 0)
				id[k].sample = ROW_NONE;
			if (k && rng_below(&r, 2)) {
				id[k] = id[k - 1];
				id[k].sample += id[k].sample != ROW_NONE;
			}
		}
		l = list_of(id, count);
		sample_list_renumber(&l, number);
		for (size_t k = 0; k < count; k++)
			id[k].run = number[id[k].run];
		wrong += !has(&l, id, count) || sample_list_repeats(&l, named) !=
		                                    repeats_plainly(id, count, named);
		repeated += repeats_plainly(id, count, named);
		sample_list_free(&l);
	}
	tap_ok(wrong == 0, "lists of random samples have these samples and repetitions");
	tap_ok(repeated > 500 && repeated < 4500,
	    "some lists of random samples, %d of 5000, repeat them", repeated);
}

int main(void)
{
	test_cases();
	test_random();
	return tap_end();
}
