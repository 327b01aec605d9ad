/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-prof: profiles where a command spends its time, waits or allocates its memory, by
 * stack.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/standard_files.h"
#include "io/message.h"
#include "io/opt.h"
#include "profile/flat_profile.h"
#include "profile/heap.h"
#include "profile/profile_command.h"
#include "profile/profile_kind.h"
#include "profile/profile_notes.h"
#include "profile/profile_process.h"
#include "profile/profile_quality.h"
#include "profile/profile_rows.h"
#include "profile/profile_summary.h"
#include "profile/stack_method.h"
#include "record/git_commit.h"
#include "subject/subject.h"
#include "sys/exit_status.h"
#include "sys/interrupt.h"
#include "sys/output_file.h"
#include "sys/program_path.h"
#include "sys/temp_file.h"

static struct {
	uint64_t frequency, pid;
	bool pid_set, frequency_set, heap, wait, folded, top, lines;
	const char *event, *stacks, *by, *name, *commit, *output;
	struct opt_duration duration;
	struct opt_percent least;
	struct opt_list labels;
} o = { .frequency = 999, .least.fraction = 0.005 };

static const struct opt opts[] = {
	OPT_HEADING("Choosing what to sample"),
	OPT_SEEN('p', "pid", &o.pid, "PID", "sample a running process", &o.pid_set),
	OPT(0, "duration", &o.duration, "TIME", "with -p: stop after this time"),
	OPT('e', "event", &o.event, "EVENT", "sample on this event (cycles or cpu-clock)"),
	OPT_SEEN('F', "frequency", &o.frequency, "HZ",
	    "samples per second on each processor (999)", &o.frequency_set),
	OPT(0, "wait", &o.wait, NULL, "profile the time in which threads wait"),
	OPT(0, "heap", &o.heap, NULL, "profile memory allocations instead of time"),
	OPT_HEADING("Stacks and names"),
	OPT('g', "call-graph", &o.stacks, "HOW",
	    "how to find callers: fp, dwarf or none (fp)"),
	OPT(0, "lines", &o.lines, NULL, "add the source line to each function"),
	OPT_HEADING("Tables and flame graphs"),
	OPT(0, "top", &o.top, NULL, "write a table of functions"),
	OPT(0, "least", &o.least, "PCT", "omit functions with a smaller share (0.5%)"),
	OPT(0, "by", &o.by, "METRIC",
	    "metric to show: event or samples (event); with --wait or --heap: one of their "
	    "metrics (blocked, alloc_bytes)"),
	OPT(0, "folded", &o.folded, NULL, "write a line for each stack"),
	OPT_HEADING("Output"),
	OPT('o', "output", &o.output, "FILE",
	    "write the profile to FILE and a summary to the terminal (standard output)"),
	OPT_HEADING("Columns"),
	OPT('n', "name", &o.name, "NAME", "set the column bench (command line)"),
	OPT(0, "label", &o.labels, "NAME=VALUE", "add a column to each row (repeatable)"),
	OPT(0, "commit", &o.commit, "TEXT", "set the column commit (that of git)"),
	OPT_END,
};

static const char *const synopsis[] = {
	"[options] [--] command [argument...]",
	"[options] -p PID [--duration TIME]",
	"[options] --wait [--] command [argument...]",
	"[options] --wait -p PID [--duration TIME]",
	"[options] --heap [--] command [argument...]",
	NULL,
};

static void prof_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	(void)file;
	(void)files;
	if (strcmp(option, "call-graph") == 0)
		known_names_add_all(
		    k, stack_methods, sizeof(*stack_methods), stack_methods_count);
	for (size_t i = 0; i < PROFILE_KINDS && strcmp(option, "by") == 0; i++)
		known_names_add_all(k, profile_kinds[i].metric,
		    sizeof(*profile_kinds[i].metric), profile_kinds[i].values);
}

static const struct opt_program program = {
	.values = prof_values,
	.name = "bench-prof",
	.synopsis = synopsis,
	.summary =
	    "Profile where a command spends its time, waits or allocates its memory.",
	.opts = opts,
	.flags = OPT_STOP | OPT_FORMATS | OPT_PAGER,
};

static struct binding *labels;
static struct counter_set events;
static struct output_file *output;
static struct profile_kind kind; /* .shown: as --by chooses it */
static bool by_dwarf;

static _Noreturn void fail(const struct fault *f)
{
	message_fail(STATUS_TROUBLE, "%s", f->text);
}

static void read_labels(void)
{
	struct fault f;

	labels = mem_zero(o.labels.count, sizeof(*labels));
	for (size_t i = 0; i < o.labels.count; i++) {
		if (label_parse(o.labels.item[i], &labels[i], &f) < 0)
			opt_usage_error(&program, "--label: %s", f.text);
		if (strcmp(labels[i].name, "stack") == 0 ||
		    strcmp(labels[i].name, "comm") == 0)
			opt_usage_error(&program,
			    "--label: the column '%s' is part of every profile",
			    labels[i].name);
		for (size_t k = 0; k < i; k++)
			if (strcmp(labels[i].name, labels[k].name) == 0)
				opt_usage_error(
				    &program, "two labels are named '%s'", labels[i].name);
	}
}

static void read_events(void)
{
	struct fault f;

	if (o.event && strchr(o.event, ','))
		opt_usage_error(&program, "-e takes one event");
	if (counter_add(&events,
	        o.wait    ? "context-switches"
	        : o.event ? o.event
	                  : "cycles,cpu-clock",
	        o.event, &f) < 0)
		fail(&f);
}

static void read_stacks(struct profile_command_opts *out)
{
	struct fault f;

	if (stack_method_parse(o.stacks, &out->stack, &out->dump_bytes, &f) < 0)
		opt_usage_error(&program, "--call-graph: %s", f.text);
	if ((o.heap || o.wait) && out->stack == STACK_NONE)
		opt_usage_error(&program, "--%s needs stacks: use -g fp or -g dwarf",
		    o.heap ? "heap" : "wait");
	by_dwarf = out->stack == STACK_DUMP;
}

static void check_options(char **operands)
{
	if (o.pid_set == (*operands != NULL))
		opt_usage_error(&program, "give a command, or a process with -p");
	if (o.duration.set && !o.pid_set)
		opt_usage_error(&program, "--duration requires -p");
	if (o.duration.set && !(o.duration.ns > 0))
		opt_usage_error(&program, "--duration must be above 0");
	if (!o.frequency || o.frequency > 1000000)
		opt_usage_error(&program, "--frequency must be between 1 and 1M");
	if (o.folded && (o.top || opt_common.output.format != RENDER_AUTO))
		opt_usage_error(&program,
		    "--folded cannot be combined with --top, --csv, --table or --json");
	if (o.heap && (o.wait || o.pid_set || o.event || o.frequency_set))
		opt_usage_error(
		    &program, "--heap cannot be combined with --wait, -p, -e or -F");
	if (o.wait && (o.event || o.frequency_set))
		opt_usage_error(&program, "--wait cannot be combined with -e or -F");
	if (o.pid > INT32_MAX)
		opt_usage_error(&program, "--pid: there is no such process");
}

static void read_by(void)
{
	const struct profile_metric *metric;

	kind = profile_kinds[o.heap   ? PROFILE_OF_HEAP
	                     : o.wait ? PROFILE_OF_WAITS
	                              : PROFILE_OF_TIME];
	if (!o.by)
		return;
	metric =
	    opt_choice(&program, "--by", o.by, kind.metric, sizeof(*metric), kind.values);
	kind.shown = (unsigned)(metric - kind.metric);
}

/* Names the metric after the event that was chosen, as bench-run does. */
static void name_event(size_t number)
{
	const struct counter *taken = &events.counter[number];

	counter_opened(&events, number, 0, taken->user_only);
	kind.metric[PROFILE_EVENT] = (struct profile_metric){ taken->name, taken->unit };
}

/* Reports what is missing in a profile: lost records, incomplete stacks, missing names and
 * refused symbol maps. */
static void report_shortcomings(const struct profile *p, struct symbolizer *symbolizer)
{
	struct profile_quality quality =
	    profile_quality_of(&p->stacks, kind.shown, p->maps, symbolizer);
	struct buf lines = { 0 }, losses = { 0 };

	if (!p->layout.chain)
		quality.broken = 0; /* -g none: stacks were not requested */
	profile_notes_losses(&losses, p, kind.id);
	message_warn_lines((struct text){ losses.ptr, losses.len });
	profile_quality_explain(&quality, by_dwarf, symbolizer, &lines);
	symbolizer_explain(symbolizer, &lines);
	message_warn_lines((struct text){ lines.ptr, lines.len });
	buf_free(&losses);
	buf_free(&lines);
}

/* Returns the name of the output for messages. */
static const char *output_name(void)
{
	return o.output ? o.output : "standard output";
}

/* Returns the output: a table on a terminal or with --top, otherwise CSV. */
static struct output chosen_output(void)
{
	struct output out = opt_common.output;

	out.file = output_file_stream(output);
	if (out.format == RENDER_AUTO)
		out.format = o.top || render_is_table(&out) ? RENDER_TABLE : RENDER_CSV;
	return out;
}

static int write_top(const struct profile *p, struct symbolizer *symbolizer)
{
	const struct output out = chosen_output();
	size_t hidden;
	const struct flat_profile flat = { .stacks = &p->stacks,
		.maps = p->maps,
		.symbolizer = symbolizer,
		.which = kind.shown,
		.unit = kind.metric[kind.shown].unit,
		.least = out.format == RENDER_TABLE ? o.least.fraction : 0 };
	int status = flat_profile_print(&flat, &out, &hidden);

	if (hidden && status == 0 && !opt_common.quiet)
		message_warn(
		    "%zu functions with smaller shares omitted (--least 0 shows all)",
		    hidden);
	return status;
}

static int write_rows(
    const struct profile *p, const struct stack_symbols *fold, struct profile_rows *rows)
{
	struct buf notes = { 0 };
	const struct output out = chosen_output();
	char *commit = o.commit ? str_copy(o.commit) : git_commit(&notes);
	struct fault f;
	int status;

	if (notes.len && !opt_common.quiet)
		message_warn("%.*s", (int)notes.len - 1, notes.ptr);
	notes.len = 0;
	rows->note = &notes;
	rows->label = labels;
	rows->labels = o.labels.count;
	rows->commit = commit;
	rows->metric = kind.metric;
	rows->extra = &kind.lost;
	rows->extra_value = p->lost;
	/* With -p, a signal is the regular way to stop. */
	rows->complete = o.pid_set || !interrupt_seen();
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
	struct profile_summary_opts summary = { .file = o.output,
		.counted = kind.counted,
		.event = &kind.metric[kind.amount],
		.count = kind.count,
		.amount = kind.amount,
		.shown = kind.shown,
		.least = o.least.fraction };
	struct buf text = { 0 };

	if (opt_common.quiet || !isatty(STDERR_FILENO))
		return;
	profile_summary(&text, p, symbolizer, &summary);
	message_lines((struct text){ text.ptr, text.len });
	buf_free(&text);
}

/* Reports, and frees, the path of a file that could not be completed; NULL is allowed. */
static void report_partial(char *partial)
{
	if (partial)
		message_warn("%s: contains the rows that could be written", partial);
	free(partial);
}

/* Reports a file that an earlier profile has left. */
static void report_old_partial(void)
{
	struct buf notes = { 0 };

	if (o.output && !opt_common.quiet)
		temp_file_note_partial(o.output, &notes);
	message_warn_lines((struct text){ notes.ptr, notes.len });
	buf_free(&notes);
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
	if (interrupt_seen() && !o.pid_set && !opt_common.quiet)
		message_warn(
		    "interrupted: %s contains the %s up to the signal, and no end mark",
		    o.output, kind.counted);
	print_summary(p, symbolizer);
	return 0;
}

/* Writes the profile. Rows that cannot be written completely are kept, because the command
 * would have to run again. */
static int write_out(const struct profile *p, struct profile_rows *rows, uid_t owner)
{
	struct symbolizer *symbolizer = symbolizer_open(p->maps, o.lines, owner);
	struct stack_symbols fold = { 0 };
	const bool rows_only =
	    !o.folded && !o.top && chosen_output().format != RENDER_TABLE;
	int status;

	stack_symbols_open(&fold, &p->stacks, p->maps, symbolizer);
	if (rows_only)
		status = write_rows(p, &fold, rows);
	else if ((status = o.folded ? profile_folded_print(
	                                  &fold, kind.shown, output_file_stream(output))
	                            : write_top(p, symbolizer)) < 0)
		report_failed_write();
	if (status == 0)
		status = finish_output(p, symbolizer);
	else if (rows_only)
		report_partial(output_file_keep(output));
	else
		output_file_discard(output);
	if (!opt_common.quiet)
		report_shortcomings(p, symbolizer);
	stack_symbols_close(&fold);
	symbolizer_close(symbolizer);
	return status;
}

/* Runs the command with the interposed allocator and reads the counts. */
static int profile_heap(const struct profile_command_opts *start, const char *path,
    char *const *argv, struct profile *out, struct profile_command_result *done,
    struct fault *f)
{
	struct heap heap;
	int status;

	if (heap_prepare(&heap, path, by_dwarf, f) < 0)
		return -1;
	status = profile_command_unsampled(start, path, argv, done, f);
	if (status == 0)
		status = heap_collect(&heap, out, f);
	heap_finish(&heap);
	return status;
}

static void read_options(char **operands, struct profile_command_opts *sampling)
{
	check_options(operands);
	read_by();
	read_labels();
	read_events();
	read_stacks(sampling);
	sampling->waits = o.wait;
	sampling->frequency_hz = (double)o.frequency;
	sampling->duration_ns = o.duration.ns;
}

/* Returns the text of the column bench, allocated. */
static char *bench_name(char *const *operands)
{
	return o.name      ? str_copy(o.name)
	       : o.pid_set ? process_line(o.pid)
	                   : shell_words_join(operands);
}

/* Runs the command, or observes the process. Returns 0, or -1 and the message. */
static int take_profile(const struct profile_command_opts *sampling, const char *path,
    char *const *operands, struct profile *profile, struct profile_command_result *done,
    struct fault *f)
{
	struct buf notes = { 0 };
	int status;

	if (o.heap)
		return profile_heap(sampling, path, operands, profile, done, f);
	status = o.pid_set ? profile_process(sampling, (pid_t)o.pid, profile, done, f)
	                   : profile_command(sampling, path, operands, profile, done, f);
	if (status < 0 || o.wait)
		return status;
	profile_notes_event(&notes, sampling, done, !o.event);
	if (!opt_common.quiet)
		message_warn_lines((struct text){ notes.ptr, notes.len });
	buf_free(&notes);
	name_event(done->event);
	return 0;
}

int main(int argc, char **argv)
{
	standard_files_open();

	char **operands = argv + opt_parse(&program, argc, argv),
	     ending[EXIT_STATUS_MAX] = "ok";
	struct profile_command_opts sampling = { .events = &events };
	struct profile_rows rows = { .status = ending };
	struct profile profile = { 0 };
	struct profile_command_result done = { 0 };
	struct fault f;
	char *bench, *path = NULL;
	uid_t owner;
	int status;

	read_options(operands, &sampling);
	if (!o.pid_set && !(path = program_path(operands[0], &f)))
		fail(&f);
	bench = bench_name(operands);
	owner = o.pid_set ? process_owner(o.pid) : geteuid();
	output = output_file_open(o.output, &f);
	if (!output)
		fail(&f);
	report_old_partial();
	sampling.output_apart = output_file_is_stdout(output);
	rows.bench = bench;
	rows.begun_ns = clock_realtime_ns();
	if (take_profile(&sampling, path, operands, &profile, &done, &f) < 0) {
		output_file_discard(output);
		fail(&f);
	}
	exit_status_print(done.status, done.status == 0, ending, sizeof(ending));
	status = write_out(&profile, &rows, owner) < 0 ? STATUS_TROUBLE : STATUS_FINE;
	if (status == STATUS_FINE && done.status != 0) {
		if (!opt_common.quiet && !interrupt_seen())
			message_warn("'%s' failed: %s", bench, strchr(ending, ':') + 1);
		status = STATUS_NO;
	}
	profile_free(&profile);
	free(path);
	free(bench);
	if (interrupt_seen())
		interrupt_end();
	/* A failure of the output has been reported already. */
	return status == STATUS_TROUBLE ? status : stdout_close(status);
}
