/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The requested range of a history, and commits that failed after its end; see history.h.
 */
#include <stdlib.h>

#include "history/history_priv.h"
#include "text/stamp.h"

/* Sets the range to begin at a commit: its line in the order, or the time of its first run.
 */
static bool since_commit(struct history *h, struct text commit)
{
	long rank = h->order ? commit_order_find(h->order, commit) : -1;

	if (rank >= 0) {
		h->since = SINCE_RANK;
		h->since_rank = (size_t)rank;
		return true;
	}
	for (size_t i = 0; i < h->points && !h->order; i++) {
		const struct history_point *p = &h->point[i];

		if (!p->has_time || !commit_matches(history_text(h, p->commit), commit) ||
		    (h->since && p->time_ns >= h->since_ns))
			continue;
		h->since = SINCE_TIME;
		h->since_ns = p->time_ns;
	}
	return h->since;
}

int history_since(struct history *h, const char *since, int64_t now_ns, struct fault *f)
{
	struct fault unused;

	if (*since && since_commit(h, text_of(since)))
		return 0;
	h->since = SINCE_TIME;
	if (stamp_option(since, now_ns, &h->since_ns, &unused) == 0)
		return 0;
	return fault_set(f,
	    "--since: '%s' is not a commit with a time in the input, a date (2026-01-31) "
	    "or "
	    "an age (30d)",
	    since);
}

bool history_in_range(const struct history *h, const struct history_point *p)
{
	if (h->since == SINCE_RANK)
		return p->rank >= h->since_rank;
	return !h->since || (p->has_time && p->time_ns >= h->since_ns);
}

const struct history_point *history_last(
    const struct history *h, const struct history_series *s)
{
	return h->point + s->first + s->count - 1;
}

bool history_precedes(const struct history_point *a, const struct history_point *b)
{
	if (a->commit && a->commit == b->commit)
		return false;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	return a->commit && b->commit && a->has_time && b->has_time &&
	       a->time_ns < b->time_ns;
}

static struct history_point failed_point(const struct history *h, const struct entry *e)
{
	long rank;
	struct history_point p = { .group = e->group,
		.input = e->number,
		.rank = HISTORY_UNRANKED,
		.commit = e->commit,
		.time = e->has_time ? e->time : 0,
		.has_time = e->has_time,
		.time_ns = e->time_ns,
		.cut = e->cut,
		.timed_out = e->timed_out,
		.failed = e->failed };

	if (h->order &&
	    (rank = commit_order_find(h->order, history_text(h, p.commit))) >= 0)
		p.rank = (uint32_t)rank;
	return p;
}

/* Returns whether a failure is later than a point and of another commit. */
static bool comes_after(const struct history *h, const struct history_point *failed,
    const struct history_point *p)
{
	if (!h->opts.by_run && p->commit && failed->commit == p->commit)
		return false;
	if (h->order)
		return failed->rank != HISTORY_UNRANKED && failed->rank > p->rank;
	return failed->has_time && p->has_time ? failed->time_ns > p->time_ns
	                                       : failed->input > p->input;
}

void history_note_failures(struct history *h)
{
	struct history_series **of =
	    mem_zero(groups_count(h->groups) + 1, sizeof(struct history_series *));

	for (size_t i = 0; i < h->count; i++)
		of[h->series[i].group] = &h->series[i];
	h->failure = mem_zero(h->failures + 1, sizeof(*h->failure));
	for (size_t i = 0; i < h->failures; i++) {
		struct history_point *p = &h->failure[i];
		struct history_series *s;

		*p = failed_point(h, &h->failed[i]);
		s = of[p->group];
		if (s && comes_after(h, p, &h->point[s->first + s->count - 1]) &&
		    (!s->failed || comes_after(h, p, s->failed)))
			s->failed = p;
	}
	free(of);
}

/* Returns whether a point has the commit of a failure or, without a commit, its time. */
static bool has_commit_of(
    const struct history_point *p, const struct history_point *failure)
{
	if (failure->commit)
		return p->commit == failure->commit;
	return failure->has_time && p->has_time && p->time_ns == failure->time_ns;
}

bool history_lacks(const struct history *h, const struct history_series *s,
    const struct history_point *failure)
{
	if (s->group != failure->group)
		return false;
	for (size_t i = 0; i < s->count; i++)
		if (has_commit_of(&h->point[s->first + i], failure))
			return false;
	return true;
}

void history_count_failed(const struct history *h, const struct history_series *s,
    size_t *timed_out, size_t *failed)
{
	for (size_t i = s->first; i < s->first + s->count; i++) {
		*timed_out += h->point[i].timed_out;
		*failed += h->point[i].failed;
	}
	for (size_t i = 0; i < h->failures; i++)
		if (h->failure[i].group == s->group)
			*failed += h->failure[i].failed + h->failure[i].timed_out;
}
