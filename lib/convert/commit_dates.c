/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the order of commits with that of their measurements; see commit_dates.h.
 */
#include <stdlib.h>
#include <string.h>

#include "convert/commit_dates.h"
#include "text/display_text.h"
#include "text/plural.h"

static int order_of_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int order_of_hosts(struct text a, struct text b)
{
	int order = order_of_numbers((double)a.len, (double)b.len);

	return order || !a.len ? order : memcmp(a.ptr, b.ptr, a.len);
}

/* Orders commits by host, age and measurement. */
static int order_of_commits(const void *a, const void *b)
{
	const struct measured_commit *x = a, *y = b;
	int order = order_of_hosts(x->host, y->host);

	if (!order)
		order = order_of_numbers(x->made_ms, y->made_ms);
	return order ? order : order_of_numbers(x->measured_ms, y->measured_ms);
}

void commit_dates_note(const struct inputs *inputs, struct buf *notes)
{
	struct measured_commit *list = mem_zero(inputs->count, sizeof(*list));
	const struct measured_commit *early = NULL;
	const struct measured_commit *latest = NULL; /* of older commits */
	size_t count = 0, wrong = 0;

	for (size_t i = 0; i < inputs->count; i++) {
		const struct input *input = &inputs->input[i];

		if (input->from->commit && input->from->commit(&input->s, &list[count]))
			count++;
	}
	qsort(list, count, sizeof(*list), order_of_commits);
	for (size_t i = 0; i < count; i++) {
		const struct measured_commit *now = &list[i];

		/* Of a commit that was measured again, the first measurement counts. */
		if (i && now->made_ms == now[-1].made_ms &&
		    text_equal(now->host, now[-1].host))
			continue;
		if (!latest || !text_equal(now->host, latest->host) ||
		    now->measured_ms >= latest->measured_ms)
			latest = now;
		else if (!wrong++)
			early = now;
	}
	if (wrong) {
		buf_printf(notes, "%zu %s measured before an older commit, first ", wrong,
		    plural(wrong, "commit was", "commits were"));
		display_text_clean(notes, early->commit);
		buf_str(notes, "; histories are in the order of the measurements, unless "
		               "bench-compare --order FILE gives that of the commits "
		               "(git rev-list --reverse HEAD >FILE)\n");
	}
	free(list);
}
