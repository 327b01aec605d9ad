/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The order of the commits of a history: by the file of the options, which may lack some,
 * or by the times of their first runs, which may say nothing about it.
 */
#include "history/history_priv.h"

static bool is_later(const struct commit_time *a, const struct commit_time *b)
{
	if (!a->is_set || !b->is_set)
		return a->is_set;
	return a->has_time && b->has_time ? a->time_ns > b->time_ns : a->input > b->input;
}

static void note_newest(struct history *h, bool ordered, const struct commit_time *m)
{
	if (is_later(m, &h->newest[ordered]))
		h->newest[ordered] = *m;
}

/* Notes the runs whose samples all failed, which have no point. */
static void note_newest_failed(struct history *h)
{
	for (size_t i = 0; h->order && i < h->failures; i++) {
		const struct entry *e = &h->failed[i];
		struct text commit = intern_text(&h->texts, e->commit);

		note_newest(h, commit_order_find(h->order, commit) >= 0,
		    &(struct commit_time){
		        true, e->has_time, e->time_ns, e->number, commit });
	}
}

bool history_order_is_stale(const struct history *h, struct text *commit)
{
	*commit = h->newest[false].commit;
	return is_later(&h->newest[false], &h->newest[true]);
}

/* Sets the rank of all points, and removes points whose commits are not in the order. */
static void rank_points(struct history *h)
{
	size_t kept = 0;

	for (size_t i = 0; h->order && i < h->points; i++) {
		struct history_point *p = &h->point[i];
		struct text commit = history_text(h, p->commit);
		long rank = commit_order_find(h->order, commit);

		note_newest(h, rank >= 0,
		    &(struct commit_time){
		        true, p->has_time, p->time_ns, p->input, commit });
		if (rank < 0) {
			h->unknown++;
			h->unknown_example = commit;
			continue;
		}
		p->rank = (uint32_t)rank;
		h->point[kept++] = *p;
	}
	if (h->order)
		h->points = kept;
}

void history_rank(struct history *h)
{
	rank_points(h);
	note_newest_failed(h);
}

/* Returns how many points have runs after the first run of the one `ahead` places later. */
static size_t overlaps(const struct history *h, size_t from, size_t to, size_t ahead)
{
	size_t count = 0;

	for (size_t i = from; i + ahead < to; i++)
		count += h->point[i].rank == HISTORY_UNRANKED &&
		         h->last_ns[h->point[i].first] > h->point[i + ahead].time_ns;
	return count;
}

bool history_took_turns(const struct history *h, size_t from, size_t to)
{
	const size_t count = to - from;

	/* A commit in turns with only its predecessor does not overlap the next but one. */
	return 2 * overlaps(h, from, to, 1) > count &&
	       2 * overlaps(h, from, to, 2) > count - 2;
}

size_t history_unknown(const struct history *h, struct text *example)
{
	*example = h->unknown_example;
	return h->unknown;
}

size_t history_untimed(const struct history *h)
{
	return h->untimed;
}

size_t history_in_turns(const struct history *h)
{
	return h->in_turns;
}
