/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The failed samples in the answer of a report. */
#include "report/report_items_priv.h"
#include "report/report_words.h"
#include "text/markup.h"

void report_answer_failures(struct buf *b, const struct report *r)
{
	const struct inventory *s = &r->inventory;
	size_t failed = s->failed_samples.count;

	if (!failed)
		return;
	words_open(b, "worse");
	words_count(b, failed, "sample", "samples");
	buf_str(b, " failed</strong>:</p>\n<ul>");
	for (size_t i = 0; i < s->failures && i < WORDS_LISTED; i++) {
		const struct inventory_failure *f = &s->failure[i];

		buf_str(b, "<li>");
		markup_name(
		    b, text_of(*f->bench ? f->bench : "a benchmark without a name"));
		buf_printf(b, ": %zu with status ", f->samples);
		markup_text(b, text_of(f->status));
		buf_str(b, "</li>\n");
	}
	words_rest(b, s->failures, "warnings");
	words_end(b);
}
