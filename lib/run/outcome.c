/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outcomes; see outcome.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "run/outcome.h"
#include "subject/subject_column.h"
#include "sys/interrupt.h"
#include "text/plural.h"

void outcome_note_failure(
    struct outcome *o, size_t subject, struct run_status status, const char *why)
{
	if (o->failed++)
		return;
	o->failed_subject = subject;
	o->failed_status = status;
	snprintf(o->failed_why, sizeof(o->failed_why), "%s", why ? why : "");
}

void outcome_note_stopped(struct outcome *o, size_t subject, uint64_t samples)
{
	if (o->stopped++)
		return;
	o->stopped_subject = subject;
	o->stopped_after = samples;
}

void outcome_note_unsupported(struct outcome *o, size_t subject, const char *why)
{
	if (o->unsupported++ || !why)
		return;
	o->unsupported_subject = subject;
	snprintf(o->unsupported_why, sizeof(o->unsupported_why), "%s", why);
}

void outcome_note_skipped(struct outcome *o, const struct subject *subject, const char *why)
{
	o->skipped++;
	if (why)
		buf_printf(&o->skips, "%s: skipped: %s\n", subject_title(subject), why);
}

void outcome_note_ended(struct outcome *o, const struct subject *subject, const char *why,
    struct outcome_runs runs)
{
	o->ended++;
	buf_printf(&o->skips, "%s: %s after %llu", subject_title(subject), why,
	    (unsigned long long)runs.taken);
	if (runs.wanted)
		buf_printf(&o->skips, " of %llu", (unsigned long long)runs.wanted);
	buf_printf(&o->skips, " complete window%s\n",
	    plural_s(runs.wanted ? runs.wanted : runs.taken));
}

void outcome_free(struct outcome *o)
{
	buf_free(&o->skips);
	buf_free(&o->gpus);
	buf_free(&o->loads);
	buf_free(&o->windows);
	free(o->runs);
}

/* Returns the status as the reason of a failure: without "failed:", which the message says.
 */
static const char *failure_text(struct run_status status, char buffer[RUN_STATUS_MAX])
{
	static const char prefix[] = "failed:";
	const char *text = run_status_text(status, buffer);

	return strncmp(text, prefix, strlen(prefix)) == 0 ? text + strlen(prefix) : text;
}

/* Appends which commands were not measured further because they failed, and how to measure
 * them. */
static void put_stopped(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines)
{
	const char *bench =
	    subject_title(&plan->subjects->subject[outcome->stopped_subject]);

	if (!outcome->stopped)
		return;
	if (outcome->stopped > 1)
		buf_printf(lines, "gave up on %llu commands; the first was ",
		    (unsigned long long)outcome->stopped);
	buf_printf(lines, "%s'%s', ", outcome->stopped > 1 ? "" : "gave up on ", bench);
	if (outcome->stopped_after)
		buf_printf(lines, "whose first %llu samples all failed",
		    (unsigned long long)outcome->stopped_after);
	else
		buf_str(lines, "whose warm-up failed");
	buf_str(lines, ": use -i to measure it, or --success if its exit code is fine\n");
}

/* Appends which options show more of a failure. */
static void put_failure_options(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines)
{
	bool shows = plan->output == OUTPUT_FILE,
	     counts =
	         plan->ignore_failure && outcome->failed_status.outcome == RUN_FAILED &&
	         WIFEXITED(outcome->failed_status.wait_status) &&
	         subject_has_command(&plan->subjects->subject[outcome->failed_subject]);

	if (shows || counts)
		buf_printf(lines, " (%s%s%s)",
		    shows ? "--stdout inherit shows its output" : "",
		    shows && counts ? "; " : "",
		    counts ? "--success any includes its times in the summary" : "");
}

void outcome_failures(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines)
{
	char status[RUN_STATUS_MAX];

	if (outcome->skips.len)
		buf_str(lines, outcome->skips.ptr);
	if (!outcome->failed)
		return;
	if (outcome->failed == 1)
		buf_printf(lines, "a sample of '%s' failed: ",
		    subject_title(&plan->subjects->subject[outcome->failed_subject]));
	else
		buf_printf(lines, "%llu samples failed; the first was of '%s': ",
		    (unsigned long long)outcome->failed,
		    subject_title(&plan->subjects->subject[outcome->failed_subject]));
	buf_printf(lines, "%s%s%s", failure_text(outcome->failed_status, status),
	    *outcome->failed_why ? ": " : "", outcome->failed_why);
	put_failure_options(outcome, plan, lines);
	buf_byte(lines, '\n');
	put_stopped(outcome, plan, lines);
}

void outcome_explain(
    const struct outcome *outcome, const struct plan *plan, struct buf *lines)
{
	if (interrupt_seen())
		return;
	if (*outcome->unsupported_why)
		buf_printf(lines, "%llu unsupported; the first was '%s': %s\n",
		    (unsigned long long)outcome->unsupported,
		    subject_title(&plan->subjects->subject[outcome->unsupported_subject]),
		    outcome->unsupported_why);
	if (outcome->above_peak > 0)
		buf_printf(lines,
		    "'%s' reached %.3g of the highest rate that was measured on the "
		    "device, so its peak_fraction is empty: the peak is too low\n",
		    subject_title(&plan->subjects->subject[outcome->above_peak_subject]),
		    outcome->above_peak);
	for (size_t x = 0; x < plan->extracts; x++)
		output_metric_explain(plan->extract[x], lines);
	if (outcome->gpus.len)
		buf_put(lines, outcome->gpus.ptr, outcome->gpus.len);
	if (outcome->loads.len)
		buf_put(lines, outcome->loads.ptr, outcome->loads.len);
	if (outcome->windows.len)
		buf_put(lines, outcome->windows.ptr, outcome->windows.len);
	if (outcome->imprecise)
		buf_str(lines,
		    "the requested precision (-p) was not reached in time; raise -T\n");
	if (outcome->never_idle)
		buf_str(lines, "the machine did not become idle within a minute "
		               "(--wait-idle)\n");
}
