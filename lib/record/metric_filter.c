/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each metric's name is compared with the patterns once; see metric_filter.h.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "record/metric_filter.h"
#include "text/near_name.h"

struct pattern {
	char *glob;
	const char *list; /* that has it */
	bool matched;
};

struct metric_filter {
	struct pattern *pattern;
	size_t count, cap;
	struct intern metrics;
	bool *selected; /* by the number of a metric */
	size_t metric_count, metric_cap;
	size_t last; /* the number of the previous row's metric */
};

static int add_patterns(struct metric_filter *m, const char *list, struct fault *f)
{
	for (const char *at = list;; at++) {
		size_t len = strcspn(at, ",");

		if (!len)
			return fault_set(
			    f, "--metric '%s': the list has an empty pattern", list);
		*VEC_ADD(m->pattern, m->count, m->cap) =
		    (struct pattern){ .glob = mem_text(at, len), .list = list };
		at += len;
		if (!*at)
			return 0;
	}
}

struct metric_filter *metric_filter_open(
    const char *const *list, size_t count, struct fault *f)
{
	struct metric_filter *m = mem_zero(1, sizeof(*m));

	for (size_t i = 0; i < count; i++)
		if (add_patterns(m, list[i], f) < 0) {
			metric_filter_close(m);
			return NULL;
		}
	return m;
}

static bool matches_any(struct metric_filter *m, struct text metric)
{
	char *name = mem_text(metric.ptr, metric.len);
	bool any = false;

	for (size_t i = 0; i < m->count; i++)
		if (strcmp(m->pattern[i].list, name) == 0 ||
		    fnmatch(m->pattern[i].glob, name, 0) == 0)
			any = m->pattern[i].matched = true;
	free(name);
	return any;
}

bool metric_filter_selects(struct metric_filter *m, struct text metric)
{
	if (!m->count)
		return true;
	if (m->metric_count && text_equal(metric, intern_text(&m->metrics, m->last)))
		return m->selected[m->last];
	m->last = intern_add(&m->metrics, metric);
	if (m->last == m->metric_count)
		*VEC_ADD(m->selected, m->metric_count, m->metric_cap) =
		    matches_any(m, metric);
	return m->selected[m->last];
}

bool metric_filter_row(struct metric_filter *m, const struct row *row)
{
	return !m || metric_filter_selects(m, row->cell[COL_METRIC]);
}

int metric_filter_check(const struct metric_filter *m, struct fault *f)
{
	struct known_names known = { 0 };
	size_t i = 0;

	while (i < m->count && m->pattern[i].matched)
		i++;
	if (i == m->count)
		return 0;
	for (size_t k = 0; k < m->metric_count; k++)
		known_names_add(&known, intern_text(&m->metrics, k));
	return unknown_name(
	    f, "--metric: no metric matches", text_of(m->pattern[i].glob), &known);
}

void metric_filter_close(struct metric_filter *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->count; i++)
		free(m->pattern[i].glob);
	free(m->pattern);
	intern_free(&m->metrics);
	free(m->selected);
	free(m);
}
