/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ranks subjects by one metric; see ranking.h.
 */
#include <math.h>
#include <stdlib.h>

#include "brief/ranking.h"
#include "stats/censored.h"

static double *sorted_copy(const double *value, size_t count)
{
	double *copy = mem_zero(count + 1, sizeof(*copy));

	if (count)
		memcpy(copy, value, count * sizeof(*copy));
	stats_sort(copy, count);
	return copy;
}

static void set_median(struct ranking_item *item, const struct collected *values)
{
	struct censored sides = { sorted_copy(values->value, values->count), values->count,
		sorted_copy(values->missing->limit, values->missing->limits),
		values->missing->limits };
	struct bounded median = censored_quantile(&sides, 0.5);

	if (median.above)
		item->above = median.at;
	else
		item->median = median.at;
	free((double *)sides.value);
	free((double *)sides.limit);
}

static struct ranking_item new_item(
    size_t subject, size_t contest, const struct collected *values)
{
	struct ranking_item item = { .subject = subject,
		.contest = contest,
		.rank = RANK_EMPTY,
		.median = NAN,
		.above = NAN,
		.result = TWO_SAMPLE_NONE,
		.margin = NAN,
		.times = NAN,
		.times_lo = NAN,
		.times_hi = NAN };

	if (!values ||
	    values->count + values->missing->limits + values->missing->failings == 0)
		return item;
	item.rank = values->count + values->missing->limits ? RANK_COMPARED : RANK_FAILED;
	item.values = values->count;
	item.failed = values->missing->failings;
	item.timeouts = values->missing->censored;
	set_median(&item, values);
	return item;
}

/* Returns a number that is less for the better of two medians. */
static double cost_of(const struct ranking_item *item, bool higher)
{
	return higher ? -item->median : item->median;
}

static bool is_before(
    const struct ranking_item *a, const struct ranking_item *b, bool higher)
{
	if (a->contest != b->contest)
		return a->contest < b->contest;
	if (isnan(a->median) != isnan(b->median))
		return !isnan(a->median);
	if (!isnan(a->median) && a->median != b->median)
		return cost_of(a, higher) < cost_of(b, higher);
	if (isnan(a->median) && isnan(a->above) != isnan(b->above))
		return !isnan(a->above);
	if (isnan(a->median) && !isnan(a->above) && a->above != b->above)
		return a->above < b->above;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->subject < b->subject;
}

/* Sorts by insertion: there are few subjects. */
static void order_items(struct ranking *r, bool higher)
{
	for (size_t i = 1; i < r->count; i++) {
		struct ranking_item item = r->item[i];
		size_t k = i;

		for (; k && is_before(&item, &r->item[k - 1], higher); k--)
			r->item[k] = r->item[k - 1];
		r->item[k] = item;
	}
}

static void set_times(struct ranking_item *item, bool higher)
{
	const struct two_sample *c = &item->result;

	item->times = higher ? 1 / c->ratio : c->ratio;
	item->times_lo = higher ? 1 / c->ratio_hi : c->ratio_lo;
	item->times_hi = higher ? 1 / c->ratio_lo : c->ratio_hi;
}

static void set_margin(struct ranking_item *item, const struct ranking_opts *opts,
    size_t best, const struct two_sample_opts *c)
{
	item->margin = opts->threshold;
	if (!opts->floors)
		return;
	item->margin = fmax(item->margin,
	    fmax(noise_floor_margin(opts->floors, opts->place[best], c, &item->result),
	        noise_floor_margin(
	            opts->floors, opts->place[item->subject], c, &item->result)));
}

static void judge_item(struct ranking_item *item, const struct ranking_opts *opts,
    size_t best, struct two_sample_opts c, size_t tests)
{
	set_margin(item, opts, best, &c);
	c.threshold = item->margin;
	two_sample_judge(&item->result, &c, tests);
	if (item->result.values_least)
		item->rank = RANK_FEW;
	set_times(item, c.better == BETTER_HIGHER);
}

/* Returns whether an item is the first one of its contest. */
static bool is_first(const struct ranking *r, size_t item)
{
	return !item || r->item[item - 1].contest != r->item[item].contest;
}

/* Returns the best item of the contest of an item, NULL if none has a median; before is
 * that of the previous item. */
static struct ranking_item *best_of(
    const struct ranking *r, size_t item, struct ranking_item *before)
{
	if (!is_first(r, item))
		return before;
	return isnan(r->item[item].median) ? NULL : &r->item[item];
}

static void compare_items(struct ranking *r, const struct collected *const *values,
    const struct ranking_opts *opts)
{
	struct two_sample_opts c = { .location = LOCATION_MEDIAN,
		.better = opts->better == BETTER_HIGHER ? BETTER_HIGHER : BETTER_LOWER,
		.inference = opts->inference,
		.threshold = opts->threshold };
	struct two_sample **result = mem_zero(r->count + 1, sizeof(struct two_sample *));
	struct ranking_item **best = mem_zero(r->count + 1, sizeof(struct ranking_item *));
	size_t tests;

	for (size_t i = 0; i < r->count; i++) {
		struct ranking_item *item = &r->item[i];

		best[i] = best_of(r, i, i ? best[i - 1] : NULL);
		if (best[i] && best[i] != item && item->rank == RANK_COMPARED) {
			two_sample_measure(values[best[i]->subject], values[item->subject],
			    &c, &item->result);
			result[r->compared++] = &item->result;
		}
	}
	tests = two_sample_adjust(result, r->compared, opts->adjust);
	for (size_t i = 0; i < r->count; i++)
		if (best[i] == &r->item[i])
			r->item[i].rank =
			    opts->contest && (i + 1 == r->count || is_first(r, i + 1))
			        ? RANK_ALONE
			        : RANK_BEST;
		else if (best[i] && r->item[i].rank == RANK_COMPARED)
			judge_item(&r->item[i], opts, best[i]->subject, c, tests);
	free(result);
	free(best);
}

void ranking_make(struct ranking *r, const struct collected *const *values, size_t count,
    const struct ranking_opts *opts)
{
	*r = (struct ranking){ .item = mem_zero(count + 1, sizeof(*r->item)),
		.count = count,
		.confidence = opts->inference.confidence,
		.threshold = opts->threshold,
		.alpha = inference_alpha(&opts->inference) };
	for (size_t i = 0; i < count; i++)
		r->item[i] = new_item(i, opts->contest ? opts->contest[i] : 0, values[i]);
	order_items(r, opts->better == BETTER_HIGHER);
	compare_items(r, values, opts);
}

bool ranking_is_clear(const struct ranking *r)
{
	for (size_t i = 1; i < r->count; i++)
		if (r->item[i].rank == RANK_FEW ||
		    (r->item[i].rank == RANK_COMPARED &&
		        r->item[i].result.verdict != VERDICT_WORSE))
			return false;
	return true;
}

void ranking_free(struct ranking *r)
{
	free(r->item);
	*r = (struct ranking){ 0 };
}
