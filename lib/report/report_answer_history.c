/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer of a report about changes over time. */
#include <stdlib.h>

#include "history/history_notes.h"
#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/markup.h"

/* A change: percent first, then what changed, since when, and the values. */
static void put_changed(
    struct buf *b, const struct report *r, const struct series_change *c)
{
	const struct history *h = r->history;
	const struct groups *g = history_groups(h);
	struct text text = groups_cell(g, c->series->group, COL_UNIT);
	char *unit = mem_text(text.ptr, text.len);

	buf_str(b, "<li><strong>");
	words_change(b, change_ratio(c->change->before, c->change->after));
	buf_str(b, "</strong> ");
	words_group(b, g, c->series->group);
	buf_str(b, c->change == &c->series->whole ? ", drifting from " : ", since ");
	words_date(b,
	    history_text(h, c->change == &c->series->whole ? c->from->time : c->at->time));
	if (c->change == &c->series->whole) {
		buf_str(b, " to ");
		words_date(b, history_text(h, c->at->time));
	} else if (c->at->commit) {
		buf_str(b, c->at->time ? ", commit " : " ");
		html_commit(b, history_text(h, c->at->commit), r->opts->repo_url);
	}
	buf_str(b, ": ");
	words_step(b, c->change->before, c->change->after, unit);
	if (c->change != &c->series->whole && history_env_changed(c->at))
		buf_str(b, "; the environment of the machine changed there also");
	buf_str(b, "</li>\n");
	free(unit);
}

/* Returns the number of series that decide and can have changes. Whether samples succeeded
 * counts only if that changed. */
static size_t tested_series(const struct report *r)
{
	size_t count, tested = 0;
	const struct history_series *list = history_list(r->history, &count);

	for (size_t i = 0; i < count; i++)
		tested +=
		    list[i].decides && list[i].tested &&
		    (list[i].changes || !text_is(groups_cell(history_groups(r->history),
		                                     list[i].group, COL_METRIC),
		                            "ok"));
	return tested;
}

/* Appends the newest changes of series with a verdict, worst first. Returns their number.
 */
static size_t put_changes(
    struct buf *b, const struct report *r, int verdict, const char *class, const char *what)
{
	size_t count = 0, listed = 0;

	for (size_t i = 0; i < r->changes; i++)
		count += r->change[i].newest && r->change[i].series->decides &&
		         (int)r->change[i].verdict == verdict;
	if (!count)
		return 0;
	words_open(b, class);
	buf_printf(b, "%zu of %zu series %s.</strong>%s</p>\n<ul>", count, tested_series(r),
	    what, count > 1 ? " The newest change of each, the largest first:" : "");
	for (size_t i = 0; i < r->changes; i++)
		if (r->change[i].newest && r->change[i].series->decides &&
		    (int)r->change[i].verdict == verdict && listed++ < WORDS_LISTED)
			put_changed(b, r, &r->change[i]);
	words_rest(b, count, "trend");
	words_end(b);
	return count;
}

static void put_common(struct buf *b, const struct report *r)
{
	size_t count;
	struct history_common *list = history_common_changes(r->history, &count);

	for (size_t i = 0; i < count; i++) {
		struct text host =
		    groups_cell(history_groups(r->history), list[i].at->group, COL_HOST);

		words_open(b, "unsure");
		buf_printf(b, "%zu of %zu series", list[i].changed, list[i].series);
		if (host.len) {
			buf_str(b, " on ");
			markup_text(b, host);
		}
		buf_str(b, " changed together</strong> on ");
		words_date(b, history_text(r->history, list[i].at->time));
		if (list[i].at->commit) {
			buf_str(b, " at ");
			html_commit(b, history_text(r->history, list[i].at->commit),
			    r->opts->repo_url);
		}
		buf_str(b,
		    ", so they probably have one cause, such as the machine or a library");
		buf_str(b, list[i].env_changed
		               ? "; the environment of the machine changed there also.</p>"
		               : ".</p>");
		words_end(b);
	}
	free(list);
}

void report_answer_history(struct buf *b, const struct report *r)
{
	size_t tested = tested_series(r), changed;

	changed = put_changes(b, r, CHANGE_WORSE, "worse", "got worse");
	put_common(b, r);
	changed += put_changes(b, r, CHANGE_BETTER, "better", "got better");
	changed += put_changes(b, r, CHANGE_DIFFERS, "unsure", "changed");
	if (changed || !tested)
		return;
	words_open(b, "same");
	/* The new samples may all be worse than those of the baseline. */
	buf_str(b, r->opts->baseline ? "No change within the new samples:</strong> "
	                             : "Nothing got worse:</strong> ");
	words_count(b, tested, "series", "series");
	buf_str(b, " of primary metrics kept their level");
	if (r->inventory.commits.count > 1) {
		buf_str(b, " over ");
		words_count(b, r->inventory.commits.count, "commit", "commits");
	}
	buf_str(b, ".</p>");
	words_end(b);
}
