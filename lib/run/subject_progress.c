/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress of subjects; see subject_progress.h.
 */
#include <stdlib.h>

#include "run/subject_progress.h"

static void show_live(const struct subject_progress *of, const struct plan *plan,
    size_t now, struct progress *p, double done, double left_ns)
{
	const size_t count = plan->subjects->count;
	struct live_subject *live = mem_zero(count, sizeof(*live));

	for (size_t i = 0; i < count; i++) {
		const struct run_progress *so_far = of[i].scale > 0 ? of[i].so_far : NULL;

		if (so_far)
			live[i] = (struct live_subject){ .value = so_far->value,
				.count = so_far->count,
				.scale = of[i].scale,
				.runs = so_far->runs,
				.wants = of[i].wants };
		live[i].name = subject_label(&plan->subjects->subject[i]);
	}
	progress_show_live(p, done, left_ns, live, count, now, plan->stop.confidence);
	for (size_t i = 0; i < count; i++)
		free((char *)live[i].name);
	free(live);
}

void subject_progress_show(const struct subject_progress *of, const struct plan *plan,
    size_t now, struct progress *p)
{
	double left_ns = 0, done = 0, measured = 0;

	for (size_t i = 0; i < plan->subjects->count; i++) {
		if (!of[i].so_far)
			continue;
		measured++;
		done += of[i].over ? 1 : run_progress_done(of[i].so_far, &of[i].rule);
		left_ns += of[i].over ? 0 : run_progress_left_ns(of[i].so_far, &of[i].rule);
	}
	done /= measured;
	if (progress_is_live(p))
		show_live(of, plan, now, p, done, left_ns);
	else
		progress_show(p, done, left_ns, plan->subjects->subject[now].from->bench);
}
