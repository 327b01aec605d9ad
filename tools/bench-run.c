/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-run measures commands, functions, kernels, models, running processes and the
 * machine, and writes samples in the format of bench-csv(5). lib/run turns the options into
 * a plan, and executes it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "io/message.h"
#include "io/terminal.h"
#include "options/bench_run.h"
#include "run/session.h"
#include "stats/inference.h"
#include "subject/unmeasurable.h"
#include "sys/bus_error.h"
#include "sys/interrupt.h"
#include "sys/leftover.h"
#include "sys/partial_file.h"

static const struct run_opts *o;

static struct setup setup;

static _Noreturn void exit_with_fault(const struct fault *f)
{
	message_fail(STATUS_TROUBLE, "%s%s", f->text, opt_hint(&bench_run));
}

/* Reports the notes, unless -q was given, and frees them. */
static void warn_notes(struct buf *notes)
{
	if (opt_common.quiet)
		buf_free(notes);
	message_warn_buf(notes);
}

static void warn_unmeasurable(
    const struct subjects *subjects, bool unsupported, bool with_names)
{
	struct buf lines = { 0 };

	subjects_explain(subjects, unsupported, with_names, &lines);
	message_warn_buf(&lines);
}

/*
 * Reports the subjects that will not be measured. Exits if there are no others, or with
 * --strict.
 */
static void check_unmeasurable(const struct subjects *subjects)
{
	struct unmeasurable n = subjects_unmeasurable(subjects);
	bool none = n.absent == subjects->count,
	     nothing = n.skipped + n.unsupported == subjects->count;

	warn_unmeasurable(subjects, false, !none);
	if (o->strict || nothing || !opt_common.quiet)
		warn_unmeasurable(subjects, true, true);
	if (o->strict && !none && n.skipped + n.unsupported)
		message_fail(STATUS_TROUBLE,
		    "--strict: %zu of %zu subjects cannot be measured%s",
		    n.skipped + n.unsupported, subjects->count, opt_hint(&bench_run));
	if (none)
		exit(STATUS_TROUBLE);
}

/* Turns the options into a plan. Exits if there is nothing to measure. */
static void make_plan(char **operands)
{
	struct buf notes = { 0 };
	struct fault f;
	int status;

	if (setup_subjects(&setup, o, operands, &f) < 0)
		exit_with_fault(&f);
	if (!opt_common.quiet)
		message_warn_lines(
		    text_in(&setup.selection.notes));
	check_unmeasurable(&setup.selection.subjects);
	if (setup_metrics(&setup, o, &f) < 0)
		opt_usage_error(&bench_run, "%s", f.text);
	if (setup_events(&setup, o, &f) < 0)
		exit_with_fault(&f);
	status = setup_plan(&setup, o, &notes, &f);
	warn_notes(&notes);
	if (status < 0)
		opt_usage_error(&bench_run, "%s", f.text);
}

/* Returns standard output, in a format that is not RENDER_AUTO. */
static struct output chosen_output(void)
{
	struct output out = opt_common.output;

	if (out.format == RENDER_AUTO)
		out.format = render_is_table(&out) ? RENDER_TABLE : RENDER_CSV;
	return out;
}

enum { COLUMNS_LEAST = 24 }; /* A narrower terminal breaks lines itself. */

/* How to print lines for people. */
static struct brief_opts brief = { .inference = INFERENCE_DEFAULTS };

/* Returns NULL if standard output is not for people. */
static const struct brief_opts *read_brief(void)
{
	if (opt_common.output.format == RENDER_TABLE || !isatty(STDOUT_FILENO) ||
	    (opt_common.output.format != RENDER_AUTO && !o->output))
		return NULL;
	brief.inference.confidence = o->confidence;
	brief.threshold = o->threshold.fraction;
	brief.width = terminal_size(STDOUT_FILENO).columns;
	brief.width = brief.width < COLUMNS_LEAST ? COLUMNS_LEAST : brief.width;
	brief.utf8 = terminal_utf8();
	brief.color = terminal_color(stdout);
	brief.scenario = setup.load.scenario;
	brief.level = setup.load.slo.share;
	brief.decided = o->until;
	brief.verbose = opt_common.verbose;
	return &brief;
}

/* Returns the kind of progress to show; -q does not suppress --live. */
static enum progress_what wanted_progress(void)
{
	if (o->live && !isatty(STDERR_FILENO))
		message_warn("--live: no progress is shown, because standard error is not "
		             "a terminal");
	return o->live ? PROGRESS_LIVE : opt_common.quiet ? PROGRESS_NONE : PROGRESS_LINE;
}

static void open_session(struct session *session)
{
	const struct session_opts session_opts = { .commands =
		                                       setup.commands > 0,
		.hooks = o->setup.count || o->prepare.count || o->conclude.count ||
		         o->cleanup.count,
		.writer = { .subjects = &setup.selection.subjects,
		    .label = setup.selection.label,
		    .labels = setup.selection.labels,
		    .counters = &setup.counters,
		    .extract = setup.extracts,
		    .extracts = setup.extract_count,
		    .energy = setup.meter != NULL,
		    .gpu = o->gpu,
		    .workers = (o->workers || o->threads) && !run_has_load(o),
		    .ops = o->ops,
		    .part = o->per,
		    .commit = o->commit,
		    .output = o->output,
		    .out = chosen_output(),
		    .confidence = setup.plan.stop.confidence,
		    .brief = read_brief(),
		    .dir = o->dir },
		.timeline = o->timeline };
	struct buf notes = { 0 };
	struct fault f;
	int status;

	setup.plan.verbose = opt_common.verbose;
	if (o->output)
		temp_file_note_partial(o->output, &notes);
	if (o->timeline)
		temp_file_note_partial(o->timeline, &notes);
	status = session_open(session, &setup.plan, &session_opts, &notes, &f);
	warn_notes(&notes);
	if (status == 0 && host_explain(sample_writer_host(session->writer), &notes))
		message_warn("%s", notes.ptr);
	buf_free(&notes);
	if (status < 0)
		exit_with_fault(&f);
}

static void report_session(const struct session *session)
{
	struct buf lines = { 0 };

	if (opt_common.verbose)
		message_warn("order %s, seed %llu", o->order ? o->order : "random",
		    (unsigned long long)session->plan->seed);
	session_report(session, opt_common.quiet, &lines);
	message_warn_buf(&lines);
}

/* Returns the exit status of a completed session. */
static int status_of(const struct session *session)
{
	const struct outcome *outcome = &session->outcome;

	if (outcome->unmeasured == session->plan->subjects->count)
		return STATUS_TROUBLE;
	if ((outcome->failed || outcome->skipped || outcome->ended) && !o->ignore_failure)
		return STATUS_NO;
	return o->gate ? decisions_status(session->plan->decisions) : STATUS_FINE;
}

/* Ends the program in a signal handler. */
static void report_shortened(const char *path)
{
	message_warn("%s: " BUS_ERROR_TEXT, path);
	leftover_remove();
	_exit(STATUS_TROUBLE);
}

/*
 * Measures, and completes the output. Returns STATUS_TROUBLE after a message if this fails.
 * A reader that has gone away ends the program like SIGPIPE does.
 */
static int run_session(struct session *session)
{
	struct fault f;
	bool failed = session_run(session, wanted_progress(), &f) < 0;

	if (failed)
		message_warn("%s", f.text);
	if (session_close(session, &f) == 0 || failed)
		return failed ? STATUS_TROUBLE : STATUS_FINE;
	if (errno != EPIPE && interrupt_seen() != SIGPIPE)
		message_warn("%s", f.text);
	else if (!interrupt_seen())
		interrupt_request(SIGPIPE);
	return STATUS_TROUBLE;
}

static void free_session(struct session *session)
{
	outcome_free(&session->outcome);
	buf_free(&session->machine);
	buf_free(&session->kept);
	setup_free(&setup);
}

int main(int argc, char **argv)
{
	standard_files_open();
	bus_errors_handle(report_shortened);

	struct session session;
	char **operands;
	int status, ends;

	o = bench_run_opts_read(argc, argv, &operands);
	make_plan(operands);
	signal(SIGPIPE, SIG_IGN);
	open_session(&session);
	status = run_session(&session);
	report_session(&session);
	ends = status == STATUS_FINE ? status_of(&session) : status;
	free_session(&session);
	if (interrupt_seen())
		interrupt_end();
	/* One message about the output is enough. */
	return status == STATUS_TROUBLE ? status : stdout_close(ends);
}
