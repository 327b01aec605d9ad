/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-prof; see bench_prof.h.
 */
#include <string.h>

#include "io/message.h"
#include "bench_prof.h"
#include "profile/stack_method.h"
#include "subject/sweep.h"

enum { FREQUENCY_MOST = 1000000 };

static struct bench_prof_opts o = { .frequency = 999, .least.fraction = 0.005 };

static const struct opt opts[] = {
	OPT_HEADING("Choosing what to sample"),
	OPT_SEEN('p', "pid", &o.pid, "PID", "sample a running process", &o.pid_set),
	OPT(0, "duration", &o.duration, "TIME", "with -p: stop after this time"),
	OPT('e', "event", &o.event, "EVENT", "sample on this event (cycles or cpu-clock)"),
	OPT('F', "frequency", &o.frequency, "HZ",
	    "samples per second on each processor (999)"),
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

static const struct opt_rule rules[] = {
	{ "--duration", OPT_REQUIRES, "-p", NULL },
	{ "--folded", OPT_EXCLUDES, "--top --csv --table --json", NULL },
	{ "--heap", OPT_EXCLUDES, "--wait -p -e -F", NULL },
	{ "--wait", OPT_EXCLUDES, "-e -F", NULL },
	OPT_RULES_END,
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

const struct opt_program bench_prof = {
	.values = prof_values,
	.name = "bench-prof",
	.synopsis = synopsis,
	.summary =
	    "Profile where a command spends its time, waits or allocates its memory.",
	.opts = opts,
	.rules = rules,
	.flags = OPT_STOP | OPT_FORMATS | OPT_PAGER,
};

/* Ends the program if two labels are equal, or one is a column of every profile. */
static void check_label(size_t number, const struct binding *label)
{
	const char *name = label[number].name;

	if (strcmp(name, "stack") == 0 || strcmp(name, "comm") == 0)
		opt_usage_error(
		    &bench_prof, "--label: the column '%s' is part of every profile", name);
	for (size_t i = 0; i < number; i++)
		if (strcmp(name, label[i].name) == 0)
			opt_usage_error(&bench_prof, "two labels are named '%s'", name);
}

static struct binding *read_labels(void)
{
	struct binding *label = mem_zero(o.labels.count, sizeof(*label));
	struct fault f;

	for (size_t i = 0; i < o.labels.count; i++) {
		if (label_parse(o.labels.item[i], &label[i], &f) < 0)
			opt_usage_error(&bench_prof, "--label: %s", f.text);
		check_label(i, label);
	}
	return label;
}

static void read_events(struct counter_set *events)
{
	const char *wanted = o.wait ? "context-switches" : "cycles,cpu-clock";
	struct fault f;

	if (o.event && strchr(o.event, ','))
		opt_usage_error(&bench_prof, "-e takes one event");
	if (counter_add(events, o.event ? o.event : wanted, o.event, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
}

static void read_stacks(struct profile_command_opts *sampling)
{
	struct fault f;

	if (stack_method_parse(o.stacks, &sampling->stack, &sampling->dump_bytes, &f) < 0)
		opt_usage_error(&bench_prof, "--call-graph: %s", f.text);
	if ((o.heap || o.wait) && sampling->stack == STACK_NONE)
		opt_usage_error(&bench_prof, "--%s needs stacks: use -g fp or -g dwarf",
		    o.heap ? "heap" : "wait");
}

static void read_kind(struct profile_kind *kind)
{
	const struct profile_metric *metric;

	*kind = profile_kinds[o.heap   ? PROFILE_OF_HEAP
	                      : o.wait ? PROFILE_OF_WAITS
	                               : PROFILE_OF_TIME];
	if (!o.by)
		return;
	metric = opt_choice(
	    &bench_prof, "--by", o.by, kind->metric, sizeof(*metric), kind->values);
	kind->shown = (unsigned)(metric - kind->metric);
}

/* Ends the program if values are out of range, or it is not clear what to profile. */
static void check_values(char *const *operands)
{
	if (o.pid_set == (*operands != NULL))
		opt_usage_error(&bench_prof, "give a command, or a process with -p");
	if (o.duration.set && !(o.duration.ns > 0))
		opt_usage_error(&bench_prof, "--duration must be above 0");
	if (!o.frequency || o.frequency > FREQUENCY_MOST)
		opt_usage_error(&bench_prof, "--frequency must be between 1 and 1M");
	if (o.pid > INT32_MAX)
		opt_usage_error(&bench_prof, "--pid: there is no such process");
}

const struct bench_prof_opts *bench_prof_opts_read(
    int argc, char **argv, struct prof_plan *plan, char ***operands)
{
	struct profile_command_opts *sampling = &plan->sampling;

	*operands = argv + opt_parse(&bench_prof, argc, argv);
	check_values(*operands);
	read_kind(&plan->kind);
	plan->label = read_labels();
	read_events(&plan->events);
	read_stacks(sampling);
	sampling->events = &plan->events;
	sampling->waits = o.wait;
	sampling->frequency_hz = (double)o.frequency;
	sampling->duration_ns = o.duration.ns;
	return &o;
}
