/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-run measures commands, functions, kernels, models, running processes and the
 * machine, and writes samples in the format of bench-csv(5). This file turns options into a
 * plan, which lib/run executes.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "compare/gate.h"
#include "counters/event_set.h"
#include "io/message.h"
#include "io/opt.h"
#include "io/terminal.h"
#include "run/schedule.h"
#include "run/session.h"
#include "run/setup.h"
#include "stats/inference.h"
#include "subject/machine_subject.h"
#include "subject/unmeasurable.h"
#include "sys/bus_error.h"
#include "sys/interrupt.h"
#include "sys/leftover.h"
#include "sys/temp_file.h"

static struct run_opts o = { .confidence = DEFAULT_CONFIDENCE,
	.warmup = 1,
	.processes = 6,
	.energy_idle.ns = 1e9,
	.threshold.fraction = 0.02,
	.window.ns = 1e9,
	.sample_time.ns = 1e6 };

static const struct opt opts[] = {
	OPT_HEADING("Subjects"),
	OPT('c', "command", &o.commands, "LINE", "measure this command line (repeatable)"),
	OPT('f', "function", &o.functions, "OBJECT[:GLOB]",
	    "measure functions of a shared object (repeatable)"),
	OPT('k', "kernel", &o.kernels, "KERNEL[,KERNEL...]",
	    "measure compute kernels: names, patterns or all (see bench-list kernels)"),
	OPT('M', "model", &o.models, "MODEL[,MODEL...]",
	    "measure models: names, patterns, files or all (see bench-list models)"),
	OPT('b', "backend", &o.backends, "BACKEND[:DEVICE][,...]",
	    "run kernels and models on these backends (auto)"),
	OPT(0, "pid", &o.pids, "PID[,PID...]",
	    "measure processes that are already running (repeatable)"),
	OPT('G', "cgroup", &o.groups, "GROUP", "measure a control group (repeatable)"),
	OPT('a', "all-cpus", &o.all_cpus, NULL, "measure the whole machine"),
	OPT(0, "per", &o.per, "PART", "with -a: also measure each cpu or socket"),
	OPT('I', "subjects", &o.subjects, "FILE",
	    "measure the subjects in a table (- for stdin)"),
	OPT('n', "name", &o.names, "NAME",
	    "name the subjects in the output, in order (repeatable)"),
	OPT_HEADING("Parameters and workers"),
	OPT('P', "param", &o.sweeps, "NAME=LIST",
	    "measure with each value of NAME (repeatable)"),
	OPT(0, "input", &o.inputs, "NAME=PATH",
	    "read an input of a model from arrays, pictures or tokens (repeatable)"),
	OPT(0, "engine-option", &o.engine_options, "NAME=VALUE",
	    "set an option of the engines that run models (repeatable)"),
	OPT('J', "workers", &o.workers, "LIST",
	    "run N workers concurrently, for each N of a list such as 1,2,4"),
	OPT('j', "threads", &o.threads, "LIST", "the same, as threads; not for commands"),
	OPT_HEADING("Number of samples"),
	OPT_SEEN('r', "runs", &o.runs, "N",
	    "take exactly N samples of each subject (functions, kernels, models: in each "
	    "process)",
	    &o.runs_set),
	OPT_SEEN('w', "warmup", &o.warmup, "N",
	    "take N warm-up samples first (1 for commands)", &o.warmup_set),
	OPT('t', "min-time", &o.min_time, "TIME",
	    "measure each subject for at least this time (3s; functions and kernels: "
	    "0.5s)"),
	OPT('T', "max-time", &o.max_time, "TIME",
	    "spend at most this time on each subject"),
	OPT('p', "precision", &o.precision, "PCT",
	    "measure until the median is known to within PCT (for at most 60s, or -T)"),
	OPT('C', "confidence", &o.confidence, "PCT", "confidence of intervals (95%)"),
	OPT(0, "sample-time", &o.sample_time, "TIME",
	    "minimum duration of a sample of a function, kernel or model (1ms; kernels "
	    "on devices other than processors: 20ms)"),
	OPT(0, "window", &o.window, "TIME", "length of a sample of --pid, -G or -a (1s)"),
	OPT_SEEN(0, "processes", &o.processes, "N",
	    "measure each function in N processes (6; kernels and models: 3)",
	    &o.processes_set),
	OPT_HEADING("Load"),
	OPT(0, "rate", &o.rate, "LIST",
	    "start requests at N per second, for each N of a list such as 10,20, or max"),
	OPT(0, "arrivals", &o.arrivals, "WHAT",
	    "when requests arrive: poisson, uniform, burst, closed or a file (poisson)"),
	OPT(0, "scenario", &o.scenario, "NAME",
	    "a load of MLPerf: single-stream, multi-stream, offline or server"),
	OPT(0, "batch-window", &o.batch_window, "TIME",
	    "let a model with -P batch=N wait this long to serve N requests at once"),
	OPT(0, "slo", &o.slo, "LIMIT[,LIMIT...]",
	    "count the requests that keep limits such as latency=50ms"),
	OPT_HEADING("Measuring until decided"),
	OPT(0, "until", &o.until, "decided",
	    "compare subjects, and measure until each comparison has a verdict"),
	OPT(0, "compare", &o.compare, "COLUMN",
	    "compare subjects that differ only in COLUMN"),
	OPT(0, "reference", &o.reference, "VALUE",
	    "the value of COLUMN to compare with (the first one)"),
	OPT(0, "threshold", &o.threshold, "PCT",
	    "treat differences up to PCT as none (2%)"),
	OPT(0, "gate", &o.gate, NULL, "exit with 1 if a subject is worse"),
	OPT(0, "unsure", &o.unsure, "WHAT",
	    "pass, warn or fail if a comparison remains undecided (warn)"),
	OPT_HEADING("Order and noise"),
	OPT('O', "order", &o.order, "ORDER", "random, interleaved or sequential (random)"),
	OPT_SEEN(0, "seed", &o.seed, "N", "seed of the random order", &o.seed_set),
	OPT(0, "aa", &o.aa, NULL,
	    "also measure each subject against itself, to show the noise"),
	OPT(0, "env-jitter", &o.env_jitter, NULL,
	    "vary the size of the environment randomly"),
	OPT(0, "wait-idle", &o.wait_idle, "LOAD",
	    "wait until fewer than LOAD processors are busy"),
	OPT_HEADING("Execution"),
	OPT('S', "shell", &o.shell, NULL, "run command lines with sh -c"),
	OPT(0, "stdin", &o.stdin_path, "FILE",
	    "standard input of the subjects (/dev/null)"),
	OPT(0, "stdout", &o.stdout_to, "WHERE",
	    "standard output of the subjects: null, inherit, pipe or a file (null)"),
	OPT(0, "env", &o.env, "NAME=VALUE", "set an environment variable (repeatable)"),
	OPT(0, "cpu", &o.cpu, "LIST", "run the subjects on these processors; with -a: measure only these"),
	OPT(0, "timeout", &o.timeout, "TIME",
	    "kill an execution after this time (functions: 60s; kernels and models: "
	    "10min)"),
	OPT_HEADING("Hooks"),
	OPT(0, "setup", &o.setup, "CMD", "run CMD once before a subject's first sample"),
	OPT(0, "prepare", &o.prepare, "CMD", "run CMD before each execution, not timed"),
	OPT(0, "conclude", &o.conclude, "CMD", "run CMD after each execution, not timed"),
	OPT(0, "cleanup", &o.cleanup, "CMD", "run CMD once after a subject's last sample"),
	OPT_HEADING("Counters and metrics"),
	OPT('e', "events", &o.events, "LIST",
	    "count these events, or none; see bench-list events (those of -E default)"),
	OPT('E', "event-set", &o.sets, "NAME", "count the events of a set: cache, tlb ..."),
	OPT(0, "extract", &o.extracts, "NAME[:UNIT]=REGEX",
	    "read a metric from the command's output (repeatable)"),
	OPT_SEEN(0, "metric", &o.extracts, "NAME[:UNIT]=REGEX", "old name of --extract",
	    &o.extracts_old),
	OPT(0, "interval", &o.interval, "TIME",
	    "sample memory, CPU use and I/O at this interval"),
	OPT(0, "gpu-clocks", &o.gpu_clocks, "MHZ",
	    "lock the clocks of GPUs at this rate during the run"),
	OPT(0, "gpu", &o.gpu, NULL,
	    "also sample the power, utilization, memory and clocks of GPUs"),
	OPT(0, "allocs", &o.allocs, NULL, "count the memory allocations of functions"),
	OPT(0, "ops", &o.ops, NULL, "also time each operation of kernels and models"),
	OPT(0, "check", &o.check, NULL,
	    "compare results of kernels and models with those of the reference backend"),
	OPT_HEADING("Energy and carbon"),
	OPT(0, "energy", &o.energy, NULL, "read the machine's energy counters"),
	OPT(0, "energy-idle", &o.energy_idle, "TIME",
	    "measure idle power for this time first (1s)"),
	OPT(0, "energy-model", &o.energy_model, "tdp=W",
	    "estimate energy from processor time"),
	OPT(0, "carbon", &o.carbon, "G|COUNTRY",
	    "convert energy to CO2e, at G g/kWh or at the rate of a country"),
	OPT_HEADING("Failures"),
	OPT(0, "success", &o.success, "LIST",
	    "exit codes that count as success, or any (0)"),
	OPT('i', "ignore-failure", &o.ignore_failure, NULL,
	    "measure commands that fail, and exit with 0"),
	OPT(0, "strict", &o.strict, NULL,
	    "measure nothing if any subject would be skipped"),
	OPT_HEADING("Output"),
	OPT('o', "output", &o.output, "FILE",
	    "write the samples to FILE, and a summary to the terminal"),
	OPT('d', "dir", &o.dir, "DIR", "also write all results to a new DIR/TIME/"),
	OPT(0, "timeline", &o.timeline, "FILE",
	    "write the phases and operations of kernels and models to FILE, as a trace "
	    "for Perfetto"),
	OPT(0, "label", &o.labels, "NAME=VALUE", "add a column to each row (repeatable)"),
	OPT(0, "commit", &o.commit, "TEXT", "set the column commit (that of git)"),
	OPT(0, "keep-warmup", &o.keep_warmup, NULL,
	    "also write warm-up samples, with negative numbers"),
	OPT(0, "live", &o.live, NULL, "show a running summary on the terminal"),
	OPT_END,
};

static const char *const synopsis[] = {
	"[options] [--] command [argument...]",
	"[options] -c 'command line' [-c 'command line']...",
	"[options] -f object.so[:glob] [-f object.so[:glob]]...",
	"[options] -k kernel[,kernel...] [-b backend[:device][,...]]",
	"[options] -M model[,model...] [-b backend[:device][,...]]",
	"[options] --pid pid[,pid...] [[--] command [argument...]]",
	"[options] -G group [-G group]... [[--] command [argument...]]",
	"[options] -a [[--] command [argument...]]",
	"[options] -I subjects.csv",
	NULL,
};

/* Options whose values are words; the number of some is defined elsewhere. */
static const struct {
	const char *option;
	const void *words;
	size_t size, count;
	const size_t *counted;
} values[] = {
	{ "order", order_names, sizeof(*order_names), 0, &order_names_count },
	{ "arrivals", arrivals_names, sizeof(*arrivals_names), 0, &arrivals_names_count },
	{ "scenario", scenarios, sizeof(*scenarios), 0, &scenarios_count },
	{ "unsure", unsure_names, sizeof(*unsure_names), 0, &unsure_names_count },
	{ "until", &(const char *const){ "decided" }, sizeof(char *), 1, NULL },
	{ "per", machine_parts, sizeof(*machine_parts), 0, &machine_parts_count },
	{ "stdout", (const char *const[]){ "null", "inherit", "pipe" }, sizeof(char *), 3,
	    NULL },
};

static void run_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	(void)file;
	(void)files;
	if (strcmp(option, "event-set") == 0)
		event_set_names(k);
	for (size_t i = 0; i < COUNT(values); i++)
		if (strcmp(option, values[i].option) == 0)
			known_names_add_all(k, values[i].words, values[i].size,
			    values[i].counted ? *values[i].counted : values[i].count);
}

static const struct opt_program program = {
	.values = run_values,
	.name = "bench-run",
	.synopsis = synopsis,
	.summary =
	    "Measure commands, functions, kernels, models, running processes and the "
	    "machine, and write the samples as CSV.",
	.opts = opts,
	.variable = "BENCH_RUN_OPTS",
	.verbose =
	    "also print all metrics, and report the order, the seed, and the default "
	    "counters that this machine lacks",
	.table = "write a table of all metrics, instead of the summary on a terminal",
	.flags = OPT_STOP | OPT_FORMATS,
};

static struct setup setup;

static _Noreturn void fail(const struct fault *f)
{
	message_fail(STATUS_TROUBLE, "%s%s", f->text, opt_hint(&program));
}

static void warn_lines(const struct buf *lines)
{
	message_warn_lines((struct text){ lines->ptr, lines->len });
}

static void warn_unmeasurable(
    const struct subjects *subjects, bool unsupported, bool with_names)
{
	struct buf lines = { 0 };

	subjects_explain(subjects, unsupported, with_names, &lines);
	warn_lines(&lines);
	buf_free(&lines);
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
	if (o.strict || nothing || !opt_common.quiet)
		warn_unmeasurable(subjects, true, true);
	if (o.strict && !none && n.skipped + n.unsupported)
		message_fail(STATUS_TROUBLE,
		    "--strict: %zu of %zu subjects cannot be measured%s",
		    n.skipped + n.unsupported, subjects->count, opt_hint(&program));
	if (none)
		exit(STATUS_TROUBLE);
}

static void make_plan(char **operands)
{
	struct buf notes = { 0 };
	struct fault f;
	int status;

	o.quiet = opt_common.quiet;
	if (setup_subjects(&setup, &o, operands, &f) < 0)
		fail(&f);
	if (!opt_common.quiet)
		warn_lines(&setup.selection.notes);
	check_unmeasurable(&setup.selection.subjects);
	if (setup_metrics(&setup, &o, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	if (setup_events(&setup, &o, &f) < 0)
		fail(&f);
	status = setup_plan(&setup, &o, &notes, &f);
	if (!opt_common.quiet)
		warn_lines(&notes);
	buf_free(&notes);
	if (status < 0)
		opt_usage_error(&program, "%s", f.text);
}

/* Returns standard output, in a format that is not RENDER_AUTO. */
static struct output chosen_output(void)
{
	struct output out = opt_common.output;

	if (out.format == RENDER_AUTO)
		out.format = render_is_table(&out) ? RENDER_TABLE : RENDER_CSV;
	return out;
}

/* Returns the file for the samples; NULL: standard output. */
static const char *output_file(void)
{
	return o.output && strcmp(o.output, "-") != 0 ? o.output : NULL;
}

enum { COLUMNS_LEAST = 24 }; /* A narrower terminal breaks lines itself. */

/* How to print lines for people. */
static struct brief_opts brief = { .inference = INFERENCE_DEFAULTS };

/* Returns NULL if standard output is not for people. */
static const struct brief_opts *read_brief(void)
{
	if (opt_common.output.format == RENDER_TABLE || !isatty(STDOUT_FILENO) ||
	    (opt_common.output.format != RENDER_AUTO && !output_file()))
		return NULL;
	brief.inference.confidence = o.confidence;
	brief.threshold = o.threshold.fraction;
	brief.width = terminal_size(STDOUT_FILENO).columns;
	brief.width = brief.width < COLUMNS_LEAST ? COLUMNS_LEAST : brief.width;
	brief.utf8 = terminal_utf8();
	brief.color = terminal_color(stdout);
	brief.scenario = setup.load.scenario;
	brief.level = setup.load.slo.share;
	brief.decided = o.until;
	brief.verbose = opt_common.verbose;
	return &brief;
}

/* Returns the kind of progress to show; -q does not suppress --live. */
static enum progress_what wanted_progress(void)
{
	if (o.live && !isatty(STDERR_FILENO))
		message_warn("--live: no progress is shown, because standard error is not "
		             "a terminal");
	return o.live ? PROGRESS_LIVE : opt_common.quiet ? PROGRESS_NONE : PROGRESS_LINE;
}

/* Refuses the file of an option if the run also reads it. */
static void check_spared(const char *option, const char *file)
{
	struct fault f;

	if (temp_file_spares(file, (char *const *)o.subjects.item, o.subjects.count, &f) <
	    0)
		opt_usage_error(&program, "%s: %s", option, f.text);
}

/* Refuses files of -o and --timeline that the run also reads, or that it or the subjects
 * also write. */
static void check_files(void)
{
	const char *output = output_file();

	if (output)
		check_spared("-o", output);
	if (output && o.stdout_to && strcmp(o.stdout_to, output) == 0)
		opt_usage_error(&program, "-o and --stdout name the same file");
	if (!o.timeline)
		return;
	check_spared("--timeline", o.timeline);
	if (strcmp(o.timeline, output ? output : "/dev/stdout") == 0)
		opt_usage_error(&program,
		    "--timeline needs a separate file: %s also gets the samples",
		    o.timeline);
}

static void open_session(struct session *session)
{
	const struct session_opts session_opts = { .commands = setup.commands > 0,
		.hooks =
		    o.setup.count || o.prepare.count || o.conclude.count || o.cleanup.count,
		.emit = { .subjects = &setup.selection.subjects,
		    .label = setup.selection.label,
		    .labels = setup.selection.labels,
		    .counters = &setup.counters,
		    .extract = setup.extracts,
		    .extracts = setup.extract_count,
		    .energy = setup.meter != NULL,
		    .gpu = o.gpu,
		    .workers = (o.workers || o.threads) && !run_has_load(&o),
		    .ops = o.ops,
		    .part = o.per,
		    .commit = o.commit,
		    .output = output_file(),
		    .out = chosen_output(),
		    .confidence = setup.plan.stop.confidence,
		    .brief = read_brief(),
		    .dir = o.dir },
		.timeline = o.timeline };
	struct buf notes = { 0 };
	struct fault f;
	int status;

	setup.plan.verbose = opt_common.verbose;
	if (output_file())
		temp_file_note_partial(output_file(), &notes);
	if (o.timeline)
		temp_file_note_partial(o.timeline, &notes);
	status = session_open(session, &setup.plan, &session_opts, &notes, &f);

	if (!opt_common.quiet)
		warn_lines(&notes);
	notes.len = 0;
	if (status == 0 && host_explain(sample_writer_host(session->emit), &notes))
		message_warn("%s", notes.ptr);
	buf_free(&notes);
	if (status < 0)
		fail(&f);
}

static void report(const struct session *session)
{
	struct buf lines = { 0 };

	if (opt_common.verbose)
		message_warn("order %s, seed %llu", o.order ? o.order : "random",
		    (unsigned long long)session->plan->seed);
	session_report(session, opt_common.quiet, &lines);
	warn_lines(&lines);
	buf_free(&lines);
}

/* Returns the exit status of a completed session. */
static int status_of(const struct session *session)
{
	const struct outcome *outcome = &session->outcome;

	if (outcome->unmeasured == session->plan->subjects->count)
		return STATUS_TROUBLE;
	if ((outcome->failed || outcome->skipped || outcome->ended) && !o.ignore_failure)
		return STATUS_NO;
	return o.gate ? decisions_status(session->plan->decisions) : STATUS_FINE;
}

/* Ends the program in a signal handler. */
static void report_shortened(const char *path)
{
	message_warn("%s: " BUS_ERROR_TEXT, path);
	leftover_remove();
	_exit(STATUS_TROUBLE);
}

int main(int argc, char **argv)
{
	standard_files_open();
	bus_errors_handle(report_shortened);

	int first = opt_parse(&program, argc, argv), status, ends;
	struct session session;
	struct fault f;

	check_files();
	make_plan(argv + first);
	signal(SIGPIPE, SIG_IGN);
	open_session(&session);
	status =
	    session_run(&session, wanted_progress(), &f) < 0 ? STATUS_TROUBLE : STATUS_FINE;
	if (status)
		message_warn("%s", f.text);
	if (session_close(&session, &f) < 0 && status == STATUS_FINE) {
		if (errno != EPIPE && interrupt_seen() != SIGPIPE)
			message_warn("%s", f.text);
		else if (!interrupt_seen())
			interrupt_request(SIGPIPE);
		status = STATUS_TROUBLE;
	}
	report(&session);
	ends = status == STATUS_FINE ? status_of(&session) : status;
	outcome_free(&session.outcome);
	buf_free(&session.machine);
	buf_free(&session.kept);
	setup_free(&setup);
	if (interrupt_seen())
		interrupt_end();
	/* One message about the output is enough. */
	return status == STATUS_TROUBLE ? status : stdout_close(ends);
}
