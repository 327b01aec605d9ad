/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress of subjects; see subject_progress.h.
 */
#include <math.h>
#include <stdlib.h>

#include "run/subject_progress.h"

/* Returns the time that a subject still takes; NAN before its first sample, unless the rule
 * has the whole time. */
static double left_ns_of(const struct ruled_subject *s)
{
	return s->so_far->runs || s->rule.until_decided
	           ? run_progress_left_ns(s->so_far, &s->rule)
		   : (double)NAN;
}

struct subject_progress subject_progress_of(const struct ruled_subject *s)
{
	struct subject_progress p = { .measured = true,
		.done = s->over ? 1 : run_progress_done(s->so_far, &s->rule),
		.left_ns = s->over ? 0 : left_ns_of(s) };

	if (s->scale > 0)
		p.live = (struct live_subject){ .value = s->so_far->value,
			.count = s->so_far->count,
			.scale = s->scale,
			.runs = s->so_far->runs,
			.wants = s->wants };
	return p;
}

struct subject_progress subject_progress_in_plan(
    const struct plan *plan, size_t subject, const struct run_progress *so_far, bool wants)
{
	return subject_progress_of(&(struct ruled_subject){ .so_far = so_far,
	    .rule = plan_stop_rule(plan, subject),
	    .scale = 1,
	    .wants = wants,
	    .over = !wants });
}

static void show_live(const struct subject_progress *of, const struct plan *plan,
    size_t now, struct progress *p, double done, double left_ns)
{
	const size_t count = plan->subjects->count;
	struct live_subject *live = mem_zero(count, sizeof(*live));
	char **label = subject_labels(plan->subjects);

	for (size_t i = 0; i < count; i++) {
		live[i] = of[i].live;
		live[i].name = label[i];
	}
	progress_show_live(p, done, left_ns, live, count, now, plan->stop.confidence);
	for (size_t i = 0; i < count; i++)
		free(label[i]);
	free(label);
	free(live);
}

/* Shows the line, with the factors that distinguish the subject from the others. */
static void show_line(
    const struct plan *plan, size_t now, struct progress *p, double done, double left_ns)
{
	const struct subjects *list = plan->subjects;
	char **label = subject_labels(list);

	progress_show(p, done, left_ns, label[now]);
	for (size_t i = 0; i < list->count; i++)
		free(label[i]);
	free(label);
}

void subject_progress_show(const struct subject_progress *of, const struct plan *plan,
    size_t now, struct progress *p)
{
	double left_ns = 0, done = 0, measured = 0, known = 0;

	for (size_t i = 0; i < plan->subjects->count; i++) {
		measured += of[i].measured;
		done += of[i].done;
		if (!of[i].measured || isnan(of[i].left_ns))
			continue;
		left_ns += of[i].left_ns;
		known++;
	}
	done /= measured;
	/* Subjects without a sample are assumed to take as long as the others. */
	left_ns = known > 0 ? left_ns * measured / known : (double)NAN;
	if (progress_is_live(p))
		show_live(of, plan, now, p, done, left_ns);
	else if (progress_due(p))
		show_line(plan, now, p, done, left_ns);
}
