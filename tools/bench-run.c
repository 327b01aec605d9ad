/*
 * bench-run: run commands, functions, kernels and models, and write what they took as
 * bench-csv(5). This file turns options
 * into a plan; lib/measure carries it out.
 */
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters/event_set.h"
#include "sys/interrupt.h"
#include "subject/option_scope.h"
#include "run/measure.h"
#include "io/opt.h"
#include "subject/subject_options.h"

enum {
	GPU_INTERVAL_NS = 100000000,
	COMPUTE_PROCESSES = 3,
	WEIGHT_SEED = 1, /* the same weights in every run */
};

static struct {
	uint64_t runs, warmup, seed, processes;
	bool runs_set, warmup_set, seed_set;
	struct opt_duration min_time, max_time, timeout, energy_idle, interval, sample_time;
	struct opt_percent precision, confidence;
	struct opt_list commands, functions, kernels, models, backends, inputs, names,
	    subjects, sweeps, events, sets, env, labels, metrics;
	struct opt_list prepare, setup, conclude, cleanup;
	const char *order, *cpu, *stdin_path, *stdout_to, *success, *wait_idle, *dir,
	    *commit, *energy_model, *carbon, *workers, *threads;
	bool processes_set, check, ops, energy, gpu, allocs, env_jitter, shell,
	    ignore_failure, keep_warmup, aa, live;
} o = { .warmup = 1, .processes = 5, .energy_idle.ns = 1e9, .sample_time.ns = 1e6 };

static const struct opt opts[] = {
	OPT('c', "command", &o.commands, "LINE", "measure this command line (repeatable)"),
	OPT('f', "function", &o.functions, "OBJECT[:GLOB]",
	    "measure functions of a shared object (repeatable)"),
	OPT('k', "kernel", &o.kernels, "KERNEL[,KERNEL...]",
	    "measure compute kernels (see bench-list kernels)"),
	OPT('M', "model", &o.models, "MODEL[,MODEL...]",
	    "measure whole models (see bench-list models)"),
	OPT('b', "backend", &o.backends, "BACKEND[,BACKEND...]",
	    "run kernels and models on these backends (auto)"),
	OPT('I', "subjects", &o.subjects, "FILE",
	    "measure what a subjects table lists (see bench-list)"),
	OPT('n', "name", &o.names, "NAME",
	    "name of a command, in their order (repeatable)"),
	OPT('P', "param", &o.sweeps, "NAME=LIST",
	    "sweep: fill {NAME} with each value (repeatable)"),
	OPT('J', "workers", &o.workers, "LIST", "run so many copies of it at once: 1,2,4"),
	OPT('j', "threads", &o.threads, "LIST",
	    "run a function in so many threads at once"),
	OPT_SEEN('r', "runs", &o.runs, "N", "exactly N measured runs of each subject",
	    &o.runs_set),
	OPT_SEEN('w', "warmup", &o.warmup, "N", "N runs before that do not count (1)",
	    &o.warmup_set),
	OPT('t', "min-time", &o.min_time, "S", "measure each subject for at least S (3s)"),
	OPT_SEEN(0, "processes", &o.processes, "N",
	    "fresh processes of each function (5), kernel or model (3)", &o.processes_set),
	OPT(0, "sample-time", &o.sample_time, "S",
	    "iterations of a function fill a sample of S (1ms)"),
	OPT('T', "max-time", &o.max_time, "S", "spend at most S on each subject"),
	OPT('p', "precision", &o.precision, "PCT", "until the median is known to +-PCT"),
	OPT('C', "confidence", &o.confidence, "PCT", "confidence of intervals (95%)"),
	OPT(0, "aa", &o.aa, NULL, "measure each subject beside itself: how much is noise?"),
	OPT('O', "order", &o.order, "ORDER", "random (blocks), interleaved or sequential"),
	OPT_SEEN(0, "seed", &o.seed, "N", "seed of the random order", &o.seed_set),
	OPT('e', "events", &o.events, "LIST", "counters to read; none: no counters"),
	OPT('E', "event-set", &o.sets, "NAME",
	    "counters and metrics of a set: cache, tlb ..."),
	OPT(0, "metric", &o.metrics, "NAME[:UNIT]=REGEX",
	    "take a number from the command's output"),
	OPT(0, "allocs", &o.allocs, NULL, "count the allocations of functions"),
	OPT(0, "check", &o.check, NULL,
	    "compare the results of kernels and models with the reference"),
	OPT(0, "ops", &o.ops, NULL, "also time each operation of kernels and models"),
	OPT(0, "input", &o.inputs, "NAME=PATH",
	    "an input of a model from a file or folder (repeatable)"),
	OPT(0, "gpu", &o.gpu, NULL, "look at graphics cards, too"),
	OPT(0, "interval", &o.interval, "S", "look at memory and processors so often"),
	OPT(0, "energy", &o.energy, NULL, "read the machine's energy counters"),
	OPT(0, "energy-idle", &o.energy_idle, "S",
	    "first watch the idle machine for S (1s); 0: do not"),
	OPT(0, "energy-model", &o.energy_model, "tdp=W",
	    "estimate energy from processor time"),
	OPT(0, "carbon", &o.carbon, "G|COUNTRY",
	    "greenhouse gas at so many g/kWh, or a country's"),
	OPT(0, "cpu", &o.cpu, "LIST", "run the commands on these processors"),
	OPT(0, "timeout", &o.timeout, "S",
	    "kill a run after S; its time is censored there"),
	OPT(0, "env", &o.env, "K=V", "set an environment variable (repeatable)"),
	OPT(0, "env-jitter", &o.env_jitter, NULL,
	    "an environment of random size for each run"),
	OPT(0, "stdin", &o.stdin_path, "FILE", "standard input of the commands (nothing)"),
	OPT(0, "stdout", &o.stdout_to, "WHERE",
	    "their output: null, inherit or a file (null)"),
	OPT('S', "shell", &o.shell, NULL, "run the lines with sh -c"),
	OPT(0, "setup", &o.setup, "CMD", "run CMD before a subject's first run"),
	OPT(0, "prepare", &o.prepare, "CMD", "run CMD before each run, not timed"),
	OPT(0, "conclude", &o.conclude, "CMD", "run CMD after each run, not timed"),
	OPT(0, "cleanup", &o.cleanup, "CMD", "run CMD after a subject's last run"),
	OPT(0, "success", &o.success, "LIST", "exit codes that are fine, or any (0)"),
	OPT('i', "ignore-failure", &o.ignore_failure, NULL, "exit 0 although runs failed"),
	OPT(0, "wait-idle", &o.wait_idle, "LOAD",
	    "wait until fewer than LOAD processors are busy"),
	OPT(0, "label", &o.labels, "K=V", "add a column to every row (repeatable)"),
	OPT(0, "commit", &o.commit, "TEXT", "what the commit column says (git's commit)"),
	OPT(0, "keep-warmup", &o.keep_warmup, NULL,
	    "write the warm-ups too, as samples below 0"),
	OPT(0, "live", &o.live, NULL, "show on the terminal what each has come to so far"),
	OPT('d', "dir", &o.dir, "DIR", "also keep samples and summary in DIR/TIME/"),
	OPT_END,
};

static const char *const synopsis[] = {
	"[options] [--] command [argument...]",
	"[options] -c 'command line' [-c 'command line']...",
	"[options] -f object.so[:glob] [-f object.so[:glob]]...",
	"[options] -k kernel[,kernel...] [-b backend[,backend...]]",
	"[options] -M model[,model...] [-b backend[,backend...]]",
	"[options] -I subjects.csv",
	NULL,
};

static const struct opt_program program = {
	.name = "bench-run",
	.synopsis = synopsis,
	.summary = "Measure commands, functions, kernels and models, and write the samples "
	           "as CSV.",
	.opts = opts,
	.variable = "BENCH_RUN_OPTS",
	.flags = OPT_STOP | OPT_FORMATS,
};

static struct selection selection;
static size_t kinds[KINDS]; /* subjects of each */
static struct extract **extracts;
static struct counter_set counters;
static struct meter *meter;
static struct gpus *gpus;

static _Noreturn void fail(const struct fault *f)
{
	errx(STATUS_TROUBLE, "%s%s", f->text, opt_hint(&program));
}

static void select_subjects(char **operands)
{
	struct fault f;

	if (selection_read(&selection,
	        &(struct selection_options){ .lines = &o.commands,
	            .functions = &o.functions,
	            .kernels = &o.kernels,
	            .models = &o.models,
	            .backends = &o.backends,
	            .tables = &o.subjects,
	            .names = &o.names,
	            .sweeps = &o.sweeps,
	            .labels = &o.labels,
	            .hooks = { &o.setup, &o.prepare, &o.conclude, &o.cleanup },
	            .operands = operands,
	            .stdin_path = o.stdin_path,
	            .shell = o.shell,
	            .twins = o.aa,
	            .workers = o.workers,
	            .threads = o.threads },
	        &f) < 0)
		fail(&f);
	for (char *line = selection.notes ? strtok(selection.notes, "\n") : NULL;
	     line && !opt_common.quiet; line = strtok(NULL, "\n"))
		warnx("%s", line);
	for (size_t i = 0; i < selection.subjects.count; i++)
		kinds[selection.subjects.subject[i].from->kind]++;
}

static size_t computes(void)
{
	return kinds[KIND_KERNEL] + kinds[KIND_MODEL];
}

static void check_kinds(void)
{
	const struct kind_option only[] = {
		{ "--metric", o.metrics.count > 0, OF_COMMANDS },
		{ "--energy, --energy-model and --carbon",
		    o.energy || o.energy_model || o.carbon, OF_COMMANDS },
		{ "--gpu", o.gpu, OF_COMMANDS },
		{ "--interval", o.interval.set, OF_COMMANDS },
		{ "--prepare and --conclude", o.prepare.count || o.conclude.count,
		    OF_COMMANDS },
		{ "--shell", o.shell, OF_COMMANDS },
		{ "--threads", o.threads != NULL, OF_FUNCTIONS | OF_LISTS },
		{ "--allocs", o.allocs, OF_FUNCTIONS },
		{ "--check", o.check, OF_LISTS },
		{ "--ops", o.ops, OF_LISTS },
		{ "--input", o.inputs.count > 0, OF_LISTS },
	};
	struct fault f;

	if (kinds_check(only, COUNT(only), &selection.subjects, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	if (o.threads && computes() && (kinds[KIND_FUNCTION] || o.workers))
		opt_usage_error(&program,
		    "--threads of kernels and models excludes functions and --workers");
	if (o.aa && o.order && strcmp(o.order, "sequential") == 0)
		opt_usage_error(
		    &program, "--aa measures in turns: it excludes --order sequential");
	if (!o.processes)
		opt_usage_error(&program, "--processes: at least one process is needed");
}

static void set_environment(void)
{
	for (size_t i = 0; i < o.env.count; i++) {
		char *variable = str_copy(o.env.item[i]);

		if (!strchr(variable, '=') || *variable == '=')
			opt_usage_error(&program, "--env '%s' is not K=V", variable);
		putenv(variable); /* keeps the text */
	}
}

static void read_metrics(void)
{
	struct fault f;

	extracts = mem_zero(o.metrics.count, sizeof(struct extract *));
	for (size_t i = 0; i < o.metrics.count; i++)
		if (!(extracts[i] = extract_open(o.metrics.item[i], &f)))
			opt_usage_error(&program, "--metric: %s", f.text);
	if (o.metrics.count && o.stdout_to)
		opt_usage_error(
		    &program, "--metric reads the output: it excludes --stdout");
	if (o.metrics.count && o.workers)
		opt_usage_error(&program,
		    "--metric reads the output of one command: it excludes --workers");
}

static void open_meter(void)
{
	struct meter_config config = { .energy = o.energy,
		.idle_ns = o.energy_idle.ns,
		.model = o.energy_model,
		.carbon = o.carbon };
	struct fault f;

	if (o.energy_idle.set && !o.energy)
		opt_usage_error(&program, "--energy-idle needs --energy");
	if (meter_open(&meter, &config, selection.subjects.count, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
}

static void read_events(void)
{
	struct fault f;

	for (size_t i = 0; i < o.sets.count; i++)
		o.energy = o.energy || strcmp(o.sets.item[i], "energy") == 0;
	if (event_set_choose(&counters, o.events.item, o.events.count, o.sets.item,
	        o.sets.count, &f) < 0)
		fail(&f);
}

/* Graphics cards are looked at over time; that there are none is no reason not to measure.
 */
static void open_gpus(void)
{
	struct fault f;

	if (!o.gpu)
		return;
	gpus = gpus_open(&f);
	if (!gpus && !opt_common.quiet)
		warnx("--gpu: %s", f.text);
	if (!o.interval.set)
		o.interval.ns = GPU_INTERVAL_NS;
}

static struct binding *input;

static void read_inputs(void)
{
	input = mem_zero(o.inputs.count + 1, sizeof(*input));
	for (size_t i = 0; i < o.inputs.count; i++) {
		const char *spec = o.inputs.item[i], *equals = strchr(spec, '=');
		struct fault f;

		if (!equals || equals == spec || !equals[1])
			opt_usage_error(&program, "--input '%s' is not NAME=PATH", spec);
		input[i] =
		    (struct binding){ mem_text(spec, (size_t)(equals - spec)), equals + 1 };
		if (computes_check_input(&selection.subjects, input[i].name, &f) < 0)
			opt_usage_error(&program, "%s", f.text);
	}
}

static struct plan make_plan(void)
{
	struct plan p = { .subjects = &selection.subjects,
		.counters = &counters,
		.extract = extracts,
		.extracts = o.metrics.count,
		.output = o.metrics.count ? OUTPUT_CAPTURE : OUTPUT_FILE,
		.meter = meter,
		.processes = o.processes,
		.compute_processes = o.processes_set ? o.processes : COMPUTE_PROCESSES,
		.compute = { .seed = o.seed_set ? o.seed : WEIGHT_SEED,
		    .check = o.check,
		    .ops = o.ops,
		    .input = input,
		    .inputs = o.inputs.count },
		.sample_ns = o.sample_time.ns,
		.warmups_set = o.warmup_set,
		.allocs = o.allocs,
		.warmups = o.warmup,
		.keep_warmups = o.keep_warmup,
		.workers = o.workers || (o.threads && computes()),
		.threads = o.threads && !computes(),
		.jitter = o.env_jitter,
		.interval_ns = o.interval.ns,
		.gpus = gpus,
		.gpu_absent = o.gpu && !gpus };
	const struct plan_options options = { .order = o.order,
		.success = o.success,
		.wait_idle = o.wait_idle,
		.stdout_to = o.stdout_to,
		.cpu = o.cpu,
		.seed = o.seed_set ? &o.seed : NULL,
		.timeout_ns = o.timeout.set ? &o.timeout.ns : NULL,
		.stop = { .runs = o.runs_set ? &o.runs : NULL,
		    .min_ns = o.min_time.set ? &o.min_time.ns : NULL,
		    .max_ns = o.max_time.set ? &o.max_time.ns : NULL,
		    .precision = o.precision.set ? &o.precision.fraction : NULL,
		    .confidence = o.confidence.set ? &o.confidence.fraction : NULL } };
	struct fault f;

	if (o.interval.set && o.interval.ns <= 0)
		opt_usage_error(&program, "--interval: there is no time in it");
	if (plan_read(&p, &options, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	return p;
}

/* Kernels and models that do not fit together are measured one after the other. */
static void see_room(struct plan *p)
{
	for (size_t i = 0; i < selection.subjects.count && !opt_common.quiet; i++) {
		const struct subject *s = &selection.subjects.subject[i];

		if (s->skipped)
			warnx("%s: %s: %s", s->from->bench,
			    s->unsupported ? "unsupported" : "skipped", s->skipped);
	}
	if (!computes() || p->order == ORDER_SEQUENTIAL ||
	    computes_fit(&selection.subjects))
		return;
	p->order = ORDER_SEQUENTIAL;
	if (!opt_common.quiet)
		warnx("they do not fit into memory together: order sequential");
}

static enum render_format format(void)
{
	if (opt_common.format != RENDER_AUTO)
		return opt_common.format;
	return isatty(STDOUT_FILENO) ? RENDER_TABLE : RENDER_CSV;
}

static struct emit *open_emit(const struct plan *p)
{
	struct fault f;
	struct emit *emit =
	    emit_open(&(struct emit_config){ .subjects = &selection.subjects,
	                  .label = selection.label,
	                  .labels = selection.labels,
	                  .counters = &counters,
	                  .extract = extracts,
	                  .extracts = o.metrics.count,
	                  .energy = meter != NULL,
	                  .gpu = o.gpu,
	                  .workers = o.workers || o.threads,
	                  .ops = o.ops,
	                  .commit = o.commit,
	                  .out = stdout,
	                  .format = format(),
	                  .confidence = p->stop.confidence,
	                  .dir = o.dir },
	        &f);

	if (!emit)
		fail(&f);
	return emit;
}

static void explain_counters(void)
{
	struct buf missing = { 0 };

	if (!opt_common.quiet && counter_explain(&counters, &missing))
		warnx("%s", missing.ptr);
	buf_free(&missing);
}

static struct spawn *open_spawn(const struct plan *p)
{
	struct fault f;
	struct spawn *spawn = spawn_open(&(struct spawn_config){ .counters = &counters,
	                                     .cpus = p->confined ? &p->cpus : NULL,
	                                     .capture = p->output == OUTPUT_CAPTURE },
	    &f);
	struct buf missing = { 0 };

	if (!spawn)
		fail(&f);
	interrupt_watch(spawn_pid(spawn));
	explain_counters();
	if (!opt_common.quiet && meter_explain(meter, &missing))
		warnx("%s", missing.ptr);
	buf_free(&missing);
	return spawn;
}

static struct spawn *open_hooks(void)
{
	struct counter_set none = { 0 };
	struct fault f;
	struct spawn *hooks;

	if (!o.setup.count && !o.prepare.count && !o.conclude.count && !o.cleanup.count)
		return NULL;
	hooks = spawn_open(&(struct spawn_config){ .counters = &none }, &f);
	if (!hooks)
		fail(&f);
	interrupt_watch(spawn_pid(hooks));
	return hooks;
}

static void tell(const struct plan *p, const struct outcome *out)
{
	struct buf losses = { 0 }, lines = { 0 };

	if (opt_common.verbose)
		warnx("order %s, seed %llu", o.order ? o.order : "random",
		    (unsigned long long)p->seed);
	if (!opt_common.quiet && !kinds[KIND_COMMAND])
		explain_counters();
	outcome_failures(out, p, &lines);
	if (!opt_common.quiet)
		outcome_explain(out, p, &lines);
	if (!opt_common.quiet && meter_losses(meter, &losses))
		buf_printf(&lines, "%s\n", losses.ptr);
	for (char *line = lines.ptr ? strtok(lines.ptr, "\n") : NULL; line;
	     line = strtok(NULL, "\n"))
		warnx("%s", line);
	buf_free(&lines);
	buf_free(&losses);
}

static void free_all(void)
{
	selection_free(&selection);
	for (size_t i = 0; i < o.metrics.count; i++)
		extract_close(extracts[i]);
	free(extracts);
	counter_free(&counters);
	meter_close(meter);
	gpus_close(gpus);
	for (size_t i = 0; i < o.inputs.count; i++)
		free((char *)input[i].name);
	free(input);
}

/* --live is as much of a wish as -q. */
static enum progress_what wanted_progress(void)
{
	if (o.live && !isatty(STDERR_FILENO))
		warnx("--live: standard error is no terminal: there is nothing to see");
	return o.live ? PROGRESS_LIVE : opt_common.quiet ? PROGRESS_NONE : PROGRESS_LINE;
}

int main(int argc, char **argv)
{
	int first = opt_parse(&program, argc, argv), status;
	struct outcome outcome = { 0 };
	struct fault f;

	select_subjects(argv + first);
	read_metrics();
	read_events();
	check_kinds();
	open_meter();
	open_gpus();
	set_environment();
	read_inputs();
	struct plan plan = make_plan();
	see_room(&plan);
	signal(SIGPIPE, SIG_IGN);
	struct spawn *spawn = kinds[KIND_COMMAND] ? open_spawn(&plan) : NULL,
	             *hooks = open_hooks();
	struct emit *emit = open_emit(&plan);
	struct progress *progress = progress_open(wanted_progress());

	interrupt_watch(0);
	status = measure(&plan, spawn, hooks, emit, progress, &outcome, &f) < 0
	             ? STATUS_TROUBLE
	             : STATUS_FINE;
	progress_close(progress);
	spawn_close(spawn);
	spawn_close(hooks);
	if (status)
		warnx("%s", f.text);
	if (emit_close(emit, &f) < 0 && status == STATUS_FINE && !interrupt_seen()) {
		if (errno == EPIPE)
			interrupt_request(SIGPIPE);
		else
			warnx("%s", f.text);
		status = STATUS_TROUBLE;
	}
	tell(&plan, &outcome);
	free_all();
	if (interrupt_seen())
		interrupt_end();
	if (status == STATUS_FINE && outcome.failed && !o.ignore_failure)
		status = STATUS_NO;
	/* One line about the output is enough. */
	return status == STATUS_TROUBLE ? status : stdout_close(status);
}
