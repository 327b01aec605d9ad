/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Windows that last as long as commands; see command_windows.h.
 */
#include <stdlib.h>

#include "run/command_windows.h"
#include "window/window.h"

struct command_windows {
	struct window_means means;
	struct time_window **of; /* by subject; NULL: skipped */
	bool whole;              /* the beginning of the last window could be read */
	size_t count;
};

int command_windows_open(
    const struct plan *plan, struct command_windows **out, struct fault *f)
{
	const struct subjects *list = plan->subjects;
	struct command_windows *c;

	*out = NULL;
	if (!plan->watches)
		return 0;
	*out = c = mem_zero(1, sizeof(*c));
	c->means = (struct window_means){ .set = plan->counters, .meter = plan->meter };
	c->of = mem_zero(list->count, sizeof(struct time_window *));
	c->count = list->count;
	window_try_events(&c->means, list);
	for (size_t i = 0; i < list->count; i++) {
		if (!window_measures(&list->subject[i]))
			continue;
		/* Commands run one after the other, so all windows of a subject share its
		 * counters. */
		c->of[i] = window_open(&list->subject[i], i, &c->means,
		    list->subject[i].aa == 'b' ? c->of[i - 1] : NULL, f);
		if (!c->of[i])
			return -1;
	}
	return 0;
}

void command_windows_close(struct command_windows *c)
{
	if (!c)
		return;
	for (size_t i = 0; i < c->count; i++)
		window_close(c->of[i]);
	counter_groups_free(&c->means.groups);
	free(c->of);
	free(c);
}

void command_windows_start(struct command_windows *c, size_t subject)
{
	if (c)
		c->whole = window_start(c->of[subject]);
}

const char *command_windows_stop(struct command_windows *c, size_t subject)
{
	if (!c || (c->whole && window_stop(c->of[subject])))
		return NULL;
	return window_ended(c->of[subject]);
}

void command_windows_put(struct command_windows *c, size_t subject, struct run_sample *s)
{
	s->begin_ns = window_begin_ns(c->of[subject]);
	window_put(c->of[subject], s);
}

void command_windows_explain(const struct command_windows *c, struct buf *lines)
{
	for (size_t i = 0; c && i < c->count; i++)
		if (c->of[i])
			window_explain(c->of[i], lines);
}
