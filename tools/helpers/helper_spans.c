/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects spans; see helper_spans.h.
 */
#include <stdio.h>
#include <stdlib.h>

#include "helper_io.h"
#include "helper_spans.h"

static struct {
	bool wanted;
	struct helper_span *item;
	size_t count, cap;
} spans;

void helper_spans_want(bool wanted)
{
	spans.wanted = wanted;
}

void helper_spans_add(const struct helper_span *s)
{
	if (!spans.wanted || spans.count == HELPER_SPANS_MAX)
		return;
	if (spans.count == spans.cap) {
		spans.cap = spans.cap ? spans.cap * 2 : 64;
		spans.item = realloc(spans.item, spans.cap * sizeof(*spans.item));
		if (!spans.item)
			helper_give_up(HELPER_FAILED, "no memory");
	}
	spans.item[spans.count++] = *s;
}

void helper_spans_phase(const char *name, const char *part, int64_t start_ns, double ns)
{
	struct helper_span s = {
		.category = HELPER_SPAN_PHASE, .start_ns = start_ns, .duration_ns = ns
	};

	snprintf(s.name, sizeof(s.name), "%s", name);
	snprintf(s.detail, sizeof(s.detail), "%s", part ? part : "");
	helper_spans_add(&s);
}

void helper_spans_token(uint64_t token, int64_t start_ns, int64_t end_ns)
{
	struct helper_span s = { .category = HELPER_SPAN_TOKEN,
		.number = token,
		.start_ns = start_ns,
		.duration_ns = (double)(end_ns - start_ns) };

	snprintf(s.name, sizeof(s.name), "%s", token == 1 ? "prompt" : "token");
	helper_spans_add(&s);
}

uint32_t helper_spans_count(void)
{
	return (uint32_t)spans.count;
}

void helper_spans_send(void)
{
	helper_send(spans.item, spans.count * sizeof(*spans.item));
	spans.count = 0;
}
