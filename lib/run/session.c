/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sessions; see session.h.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "record/git_commit.h"
#include "run/session.h"
#include "sys/interrupt.h"

static void note_counters(const struct session *s, struct buf *notes)
{
	struct buf missing = { 0 };

	if (counter_explain(s->plan->counters, s->plan->verbose, &missing))
		buf_printf(notes, "%s\n", missing.ptr);
	buf_free(&missing);
}

static void note_energy(const struct session *s, struct buf *notes)
{
	struct buf missing = { 0 };

	if (energy_meter_explain(s->plan->meter, &missing))
		buf_printf(notes, "%s\n", missing.ptr);
	buf_free(&missing);
}

static int open_spawn(struct session *s, struct buf *notes, struct fault *f)
{
	const struct plan *p = s->plan;
	struct counter_set none = { 0 }; /* something else is counted */

	s->spawn = spawn_client_open(
	    &(struct spawn_client_opts){ .counters = p->watches ? &none : p->counters,
	        .cpus = p->confined ? &p->cpus : NULL,
	        .capture = p->output == OUTPUT_CAPTURE },
	    f);
	if (!s->spawn)
		return -1;
	interrupt_watch(spawn_client_pid(s->spawn));
	if (!p->watches)
		note_counters(s, notes);
	return 0;
}

static int open_hooks(struct session *s, struct fault *f)
{
	struct counter_set none = { 0 };

	s->hooks = spawn_client_open(&(struct spawn_client_opts){ .counters = &none }, f);
	if (!s->hooks)
		return -1;
	interrupt_watch(spawn_client_pid(s->hooks));
	return 0;
}

static int open_writer(struct session *s, const struct sample_writer_opts *o,
    struct buf *notes, struct fault *f)
{
	struct sample_writer_opts opts = *o;
	char *commit = o->commit ? NULL : git_commit(notes);

	if (commit)
		opts.commit = commit;
	s->writer = sample_writer_open(&opts, f);
	free(commit);
	return s->writer ? 0 : -1;
}

int session_open(struct session *s, struct plan *plan, const struct session_opts *o,
    struct buf *notes, struct fault *f)
{
	*s = (struct session){ .plan = plan,
		.commands = o->commands,
		.people = o->writer.brief != NULL,
		.others = NAN };
	if ((o->commands && open_spawn(s, notes, f) < 0) ||
	    (o->hooks && open_hooks(s, f) < 0))
		return -1;
	note_energy(s, notes);
	if (open_writer(s, &o->writer, notes, f) < 0)
		return -1;
	if (o->timeline)
		plan->timeline =
		    run_timeline_open(o->timeline, sample_writer_run(s->writer), f);
	return o->timeline && !plan->timeline ? -1 : 0;
}

int session_run(struct session *s, enum progress_what what, struct fault *f)
{
	struct progress *progress = progress_open(what);
	struct machine_state after;
	int status;

	interrupt_watch(0);
	interrupt_end_on_second(0);
	machine_state_read(&s->before);
	other_load_begin(&s->load, s->plan->confined ? &s->plan->cpus : NULL);
	status = measure(&(struct measurement){ s->plan, s->writer, progress, &s->outcome },
	    s->spawn, s->hooks, f);
	machine_state_read(&after);
	machine_state_explain(&s->before, &after, &s->machine);
	progress_close(progress);
	spawn_client_close(s->spawn);
	spawn_client_close(s->hooks);
	s->others = other_load_end(&s->load);
	return status;
}

/* Appends a line about a file that could not be completed, and frees its path, which may be
 * NULL. */
static void note_kept(struct session *s, char *path, const char *what)
{
	if (path)
		buf_printf(&s->kept, "%s: contains %s that could be written\n", path, what);
	free(path);
}

int session_close(struct session *s, struct fault *f)
{
	struct fault more;
	char *samples, *timeline;
	const int status = sample_writer_close(s->writer, &samples, f), error = errno,
	          ended = run_timeline_close(
	              s->plan->timeline, &timeline, status < 0 ? &more : f);

	note_kept(s, samples, "the samples");
	note_kept(s, timeline, "the part of the timeline");
	if (ended < 0 && status == 0)
		return -1;
	errno = error;
	return status;
}

/* Returns whether the subjects run already, so that other_load takes them for others. */
static bool is_attached(const struct plan *p)
{
	const enum subject_kind kind = p->subjects->subject[0].from->kind;

	return kind == KIND_PROCESS || kind == KIND_MACHINE || kind == KIND_GROUP;
}

void session_report(const struct session *s, bool quiet, struct buf *lines)
{
	struct buf losses = { 0 };

	buf_text(lines, text_in(&s->kept));
	if (!quiet && (!s->commands || s->plan->watches))
		note_counters(s, lines);
	outcome_failures(&s->outcome, s->plan, lines);
	if (interrupt_seen() && interrupt_seen() != SIGPIPE)
		outcome_put_interrupted(&s->outcome, s->plan, lines);
	if (s->plan->decisions && !interrupt_seen())
		decisions_explain(s->plan->decisions, lines);
	if (!quiet) {
		outcome_explain(&s->outcome, s->plan, lines);
		buf_text(lines, text_in(&s->machine));
		/* With --wait-idle the time of waiting would count as well. */
		if (s->people && s->plan->idle_load < 0 && !is_attached(s->plan))
			other_load_explain(&s->load, s->others, lines);
	}
	if (!quiet && energy_meter_losses(s->plan->meter, &losses))
		buf_printf(lines, "%s\n", losses.ptr);
	buf_free(&losses);
}
