/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Test results as XML; see junit.h.
 */
#include "text/junit.h"
#include "text/markup.h"

static const char *const element_names[] = {
	[JUNIT_FAILURE] = "failure",
	[JUNIT_ERROR] = "error",
	[JUNIT_SKIPPED] = "skipped",
};

static void junit_attribute(struct buf *b, const char *name, struct text value)
{
	buf_printf(b, " %s=\"", name);
	markup_text(b, value);
	buf_byte(b, '"');
}

void junit_case(struct junit *j, struct text class_name, struct text name,
    enum junit_outcome outcome, struct text message)
{
	struct buf *b = &j->cases;

	j->count[outcome]++;
	buf_str(b, "    <testcase");
	junit_attribute(b, "classname", class_name);
	junit_attribute(b, "name", name);
	if (outcome == JUNIT_PASSED) {
		buf_str(b, "/>\n");
		return;
	}
	buf_printf(b, ">\n      <%s", element_names[outcome]);
	junit_attribute(b, "message", message);
	if (outcome == JUNIT_SKIPPED) {
		buf_str(b, "/>\n");
	} else {
		/* GitLab shows the text, and others show the attribute. */
		buf_byte(b, '>');
		markup_text(b, message);
		buf_printf(b, "</%s>\n", element_names[outcome]);
	}
	buf_str(b, "    </testcase>\n");
}

void junit_finish(struct junit *j, const char *suite, struct buf *out)
{
	struct buf counts = { 0 };
	size_t all = 0;

	for (size_t i = 0; i < JUNIT_OUTCOMES; i++)
		all += j->count[i];
	buf_printf(&counts,
	    " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"", all,
	    j->count[JUNIT_FAILURE], j->count[JUNIT_ERROR], j->count[JUNIT_SKIPPED]);
	buf_printf(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites%s>\n  <testsuite",
	    counts.ptr);
	junit_attribute(out, "name", text_of(suite));
	buf_printf(out, "%s>\n", counts.ptr);
	buf_text(out, text_in(&j->cases));
	buf_str(out, "  </testsuite>\n</testsuites>\n");
	buf_free(&counts);
	buf_free(&j->cases);
}
