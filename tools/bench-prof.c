/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-prof: profiles where a command spends its time, waits or allocates its memory, by
 * stack.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/standard_files.h"
#include "io/message.h"
#include "options/bench_prof.h"
#include "profile/flat_profile.h"
#include "profile/heap.h"
#include "profile/profile_command.h"
#include "profile/profile_kind.h"
#include "profile/profile_notes.h"
#include "profile/profile_process.h"
#include "profile/profile_quality.h"
#include "profile/profile_rows.h"
#include "profile/profile_summary.h"
#include "record/git_commit.h"
#include "subject/command_hints.h"
#include "sys/exit_status.h"
#include "sys/interrupt.h"
#include "sys/output_file.h"
#include "sys/partial_file.h"
#include "sys/program_path.h"
#include "text/plural.h"

static const struct bench_prof_opts *o;
static struct prof_plan plan;
static struct output_file *output;

static _Noreturn void exit_with_fault(const struct fault *f)
{
	message_fail(STATUS_TROUBLE, "%s", f->text);
}

/* Reports what is missing in a profile: lost records, incomplete stacks, missing names and
 * refused symbol maps. */
static void report_shortcomings(const struct profile *p, struct symbolizer *symbolizer)
{
	struct profile_quality quality =
	    profile_quality_of(&p->stacks, plan.kind.shown, p->maps, symbolizer);
	struct buf lines = { 0 };

	if (!p->layout.chain)
		quality.broken = 0; /* -g none: stacks were not requested */
	profile_notes_losses(&lines, p, plan.kind.id);
	profile_quality_explain(&quality, plan.sampling.stack == STACK_DUMP, symbolizer, &lines);
	symbolizer_explain(symbolizer, &lines);
	message_warn_buf(&lines);
}

/* Returns the name of the output for messages. */
static const char *output_name(void)
{
	return o->output ? o->output : "standard output";
}

/* Returns the output: a table on a terminal or with --top, otherwise CSV. */
static struct output chosen_output(void)
{
	struct output out = opt_common.output;

	out.file = output_file_stream(output);
	if (out.format == RENDER_AUTO)
		out.format = o->top || render_is_table(&out) ? RENDER_TABLE : RENDER_CSV;
	return out;
}

static int write_top(const struct profile *p, struct symbolizer *symbolizer)
{
	const struct output out = chosen_output();
	size_t hidden;
	const struct flat_profile flat = { .stacks = &p->stacks,
		.maps = p->maps,
		.symbolizer = symbolizer,
		.which = plan.kind.shown,
		.unit = plan.kind.metric[plan.kind.shown].unit,
		.least = out.format == RENDER_TABLE ? o->least.fraction : 0 };
	int status = flat_profile_print(&flat, &out, &hidden);

	if (hidden && status == 0 && !opt_common.quiet)
		message_warn(
		    "%zu function%s with smaller shares omitted (--least 0 shows all)",
		    hidden, plural_s(hidden));
	return status;
}

static int write_rows(
    const struct profile *p, const struct stack_symbols *fold, struct profile_rows *rows)
{
	struct buf notes = { 0 };
	const struct output out = chosen_output();
	char *commit = o->commit ? str_copy(o->commit) : git_commit(&notes);
	struct fault f;
	int status;

	if (notes.len && !opt_common.quiet)
		message_warn("%.*s", (int)notes.len - 1, notes.ptr);
	notes.len = 0;
	rows->note = &notes;
	rows->label = plan.label;
	rows->labels = o->labels.count;
	rows->commit = commit;
	rows->metric = plan.kind.metric;
	rows->lost_metric = &plan.kind.lost;
	rows->lost = p->unrecorded ? NAN : (double)p->lost;
	/* With -p, a signal is the regular way to stop. */
	rows->complete = o->pid_set || !interrupt_seen();
	status = profile_rows_print(rows, fold, &out, output_name(), &f);
	if (notes.len)
		message_warn("%s", notes.ptr);
	if (status < 0)
		message_warn("%s", f.text);
	buf_free(&notes);
	free(commit);
	return status;
}

/* Reports that a write failed, for the reason in errno. */
static void report_failed_write(void)
{
	struct fault f;

	if (output_file_is_stdout(output)) {
		stdout_failed();
		return;
	}
	fault_errno(&f, "%s", output_name());
	message_warn("%s", f.text);
}

/* Prints a summary if the profile is in a file and standard error is a terminal. */
static void print_summary(const struct profile *p, struct symbolizer *symbolizer)
{
	struct profile_summary_opts summary = { .file = o->output,
		.counted = plan.kind.counted,
		.event = &plan.kind.metric[plan.kind.amount],
		.count = plan.kind.count,
		.amount = plan.kind.amount,
		.shown = plan.kind.shown,
		.least = o->least.fraction };
	struct buf text = { 0 };

	if (opt_common.quiet || !isatty(STDERR_FILENO))
		return;
	profile_summary(&text, p, symbolizer, &summary);
	message_lines(text_in(&text));
	buf_free(&text);
}

/* Reports, and frees, the path of a file that could not be completed; NULL is allowed. */
static void report_partial(char *partial)
{
	if (partial)
		message_warn("%s: contains the rows that could be written", partial);
	free(partial);
}

/* Gives the file its name. */
static int finish_output(const struct profile *p, struct symbolizer *symbolizer)
{
	bool to_stdout = output_file_is_stdout(output);
	char *partial = NULL;
	struct fault f;

	if (output_file_commit_or_keep(output, &partial, &f) < 0) {
		message_warn("%s", f.text);
		report_partial(partial);
		return -1;
	}
	if (to_stdout)
		return 0;
	if (interrupt_seen() && !o->pid_set && !opt_common.quiet)
		message_warn(
		    "interrupted: %s contains the %s up to the signal, and no end mark",
		    o->output, plan.kind.counted);
	print_summary(p, symbolizer);
	return 0;
}

/* Returns whether the output has a row for each stack, as CSV or JSON. */
static bool writes_rows(void)
{
	return !o->folded && !o->top && chosen_output().format != RENDER_TABLE;
}

/* Writes stacks or a table of functions. Returns 0, or -1 after a message. */
static int write_summary(const struct profile *p, struct symbolizer *symbolizer,
    const struct stack_symbols *symbols)
{
	int status = o->folded ? profile_folded_print(symbols, plan.kind.shown,
	                             output_file_stream(output))
	                       : write_top(p, symbolizer);

	if (status < 0)
		report_failed_write();
	return status;
}

/* Writes the profile. Rows that cannot be written completely are kept, because the command
 * would have to run again. */
static int write_out(const struct profile *p, struct profile_rows *rows, uid_t owner)
{
	struct symbolizer *symbolizer = symbolizer_open(p->maps, o->lines, owner);
	struct stack_symbols symbols = { 0 };
	const bool in_rows = writes_rows();
	int status;

	stack_symbols_open(&symbols, &p->stacks, p->maps, symbolizer);
	status = in_rows ? write_rows(p, &symbols, rows)
	                       : write_summary(p, symbolizer, &symbols);
	if (status == 0)
		status = finish_output(p, symbolizer);
	else if (in_rows)
		report_partial(output_file_keep(output));
	else
		output_file_discard(output);
	if (!opt_common.quiet)
		report_shortcomings(p, symbolizer);
	stack_symbols_close(&symbols);
	symbolizer_close(symbolizer);
	return status;
}

/* The command or process, and its profile. */
struct target {
	char **operands;
	char *path; /* of the command; NULL: a running process */
	char *name; /* in the column bench */
	uid_t owner;
	struct profile profile;
	struct profile_command_result result;
};

/* Finds the command, or the process, before the output is opened. */
static void target_find(struct target *t)
{
	struct fault f;

	if (!o->pid_set && !(t->path = program_path(t->operands[0], &f)))
		message_fail(
		    STATUS_TROUBLE, "%s%s", f.text, command_hint_perf(t->operands[0]));
	t->name = o->name      ? str_copy(o->name)
	          : o->pid_set ? process_line(o->pid)
	                       : shell_words_join(t->operands);
	t->owner = o->pid_set ? process_owner(o->pid) : geteuid();
}

static void target_free(struct target *t)
{
	profile_free(&t->profile);
	free(t->path);
	free(t->name);
}

/* Opens the output, and reports a file that an earlier profile has left. */
static void open_output(void)
{
	struct buf notes = { 0 };
	struct fault f;

	output = output_file_open(o->output, &f);
	if (!output)
		exit_with_fault(&f);
	if (o->output && !opt_common.quiet)
		temp_file_note_partial(o->output, &notes);
	message_warn_buf(&notes);
	plan.sampling.output_apart = output_file_is_stdout(output);
}

/* Runs the command with the interposed allocator and reads the counts. */
static int profile_heap(struct target *t, struct fault *f)
{
	struct heap heap;
	int status;

	if (heap_prepare(&heap, t->path, plan.sampling.stack == STACK_DUMP, f) < 0)
		return -1;
	status =
	    profile_command_unsampled(&plan.sampling, t->path, t->operands, &t->result, f);
	if (status == 0)
		status = heap_collect(&heap, &t->profile, f);
	heap_finish(&heap);
	return status;
}

/* Reports which event was sampled, if it is not the first that was wanted. */
static void note_event(const struct profile_command_result *result)
{
	struct buf notes = { 0 };

	profile_notes_event(&notes, &plan.sampling, result, !o->event);
	if (opt_common.quiet)
		buf_free(&notes);
	message_warn_buf(&notes);
}

/* Runs the command, or observes the process. Returns 0, or -1 and the message. */
static int take_profile(struct target *t, struct fault *f)
{
	int status;

	if (o->heap)
		return profile_heap(t, f);
	status = o->pid_set ? profile_process(&plan.sampling, (pid_t)o->pid, &t->profile,
	                          &t->result, f)
	                    : profile_command(&plan.sampling, t->path, t->operands,
	                          &t->profile, &t->result, f);
	if (status < 0 || o->wait)
		return status;
	note_event(&t->result);
	profile_kind_name_event(&plan.kind, &plan.events, t->result.event);
	return 0;
}

/* Reports a command that failed, by its status in the rows, such as "failed:exit=1". */
static void report_failed_command(const struct target *t, const char *ending)
{
	if (!opt_common.quiet && !interrupt_seen())
		message_warn("'%s' failed: %s", t->name, strchr(ending, ':') + 1);
}

int main(int argc, char **argv)
{
	standard_files_open();

	char ending[EXIT_STATUS_MAX];
	struct profile_rows rows = { .status = ending };
	struct target target = { 0 };
	struct fault f;
	int status = STATUS_FINE;

	o = bench_prof_opts_read(argc, argv, &plan, &target.operands);
	target_find(&target);
	open_output();
	rows.bench = target.name;
	rows.begun_ns = clock_realtime_ns();
	if (take_profile(&target, &f) < 0) {
		output_file_discard(output);
		exit_with_fault(&f);
	}
	exit_status_print(
	    target.result.status, target.result.status == 0, ending, sizeof(ending));
	if (write_out(&target.profile, &rows, target.owner) < 0)
		status = STATUS_TROUBLE;
	else if (target.result.status != 0) {
		report_failed_command(&target, ending);
		status = STATUS_NO;
	}
	target_free(&target);
	if (interrupt_seen())
		interrupt_end();
	/* A failure of the output has been reported already. */
	return status == STATUS_TROUBLE ? status : stdout_close(status);
}
