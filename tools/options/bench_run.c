/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-run; see bench_run.h.
 */
#include <string.h>

#include "bench_run.h"
#include "compare/gate.h"
#include "counters/event_set.h"
#include "run/process_counts.h"
#include "run/schedule.h"
#include "stats/inference.h"
#include "subject/machine_subject.h"
#include "sys/temp_file.h"

static struct run_opts o = { .confidence = DEFAULT_CONFIDENCE,
	.warmup = 1,
	.processes = FUNCTION_PROCESSES,
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
	    "measure the subjects in a table (- for stdin) or a suite (small, large)"),
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
	    "measure each function in N processes (6 or more; kernels and models: 3)",
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
	OPT(0, "cpu", &o.cpu, "LIST",
	    "run the subjects on these processors; with -a: measure only these"),
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
	OPT(0, "no-peaks", &o.no_peaks, NULL,
	    "do not measure the peak rates of the devices of kernels and models"),
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

static const struct opt_rule rules[] = {
	{ "--compare --reference --threshold --gate --unsure", OPT_REQUIRES, "--until",
	    " decided; to compare a given number of runs, pipe them into "
	    "bench-compare -b bench" },
	OPT_RULES_END,
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

const struct opt_program bench_run = {
	.values = run_values,
	.name = "bench-run",
	.synopsis = synopsis,
	.summary =
	    "Measure commands, functions, kernels, models, running processes and the "
	    "machine, and write the samples as CSV.",
	.opts = opts,
	.rules = rules,
	.variable = "BENCH_RUN_OPTS",
	.verbose =
	    "also print all metrics, and report the order, the seed, and the default "
	    "counters that this machine lacks",
	.table = "write a table of all metrics, instead of the summary on a terminal",
	.flags = OPT_STOP | OPT_FORMATS,
};

/* Refuses the file of an option if the run also reads it. */
static void check_spared(const char *option, const char *file)
{
	struct fault f;

	if (temp_file_spares(file, (char *const *)o.subjects.item, o.subjects.count, &f) <
	    0)
		opt_usage_error(&bench_run, "%s: %s", option, f.text);
}

/* Refuses files of -o and --timeline that the run also reads, or that it or the subjects
 * also write. */
static void check_files(void)
{
	if (o.output)
		check_spared("-o", o.output);
	if (o.output && o.stdout_to && strcmp(o.stdout_to, o.output) == 0)
		opt_usage_error(&bench_run, "-o and --stdout name the same file");
	if (!o.timeline)
		return;
	check_spared("--timeline", o.timeline);
	if (strcmp(o.timeline, o.output ? o.output : "/dev/stdout") == 0)
		opt_usage_error(&bench_run,
		    "--timeline needs a separate file: %s also gets the samples",
		    o.timeline);
}

const struct run_opts *bench_run_opts_read(int argc, char **argv, char ***operands)
{
	*operands = argv + opt_parse(&bench_run, argc, argv);
	o.quiet = opt_common.quiet;
	if (o.output && strcmp(o.output, "-") == 0)
		o.output = NULL;
	check_files();
	return &o;
}
