/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns options into a plan; see setup.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counters/event_set.h"
#include "run/gpu_clocks.h"
#include "run/process_counts.h"
#include "run/progress.h"
#include "run/setup.h"
#include "run/setup_kinds.h"

enum {
	GPU_INTERVAL_NS = 100000000,
	/* Starting the first and awaiting the last iteration takes a GPU up to 100 us. */
	DEVICE_SAMPLE_NS = 20000000,
	WEIGHT_SEED = 1, /* the weights are equal in all runs */
};

bool run_has_load(const struct run_opts *o)
{
	return o->rate || o->arrivals || o->scenario;
}

/* Shows the progress of a trial, whose end is not known. */
static void show_trial(void *ctx, const char *what, double done)
{
	progress_show(ctx, done, NAN, what);
}

int setup_subjects(
    struct setup *s, const struct run_opts *o, char *const *operands, struct fault *f)
{
	struct progress *progress = progress_open(o->quiet ? PROGRESS_NONE : PROGRESS_LINE);
	const struct subject_opts options = { .lines = &o->commands,
		.functions = &o->functions,
		.kernels = &o->kernels,
		.models = &o->models,
		.processes = &o->pids,
		.groups = &o->groups,
		.machine = o->all_cpus,
		.machine_opts = { o->per, o->all_cpus ? o->cpu : NULL },
		.window_ns = o->window.ns,
		.backends = &o->backends,
		.tables = &o->subjects,
		.names = &o->names,
		.sweeps = &o->sweeps,
		.engine_options = &o->engine_options,
		.labels = &o->labels,
		.hooks = { &o->setup, &o->prepare, &o->conclude, &o->cleanup },
		.operands = operands,
		.stdin_path = o->stdin_path,
		.env = &o->env,
		.shell = o->shell,
		.twins = o->aa,
		.workers = o->workers,
		.threads = o->threads,
		.rates = load_plan_searches(o->rate) ? NULL : o->rate,
		.load = run_has_load(o),
		.inputs = &o->inputs,
		.progress = show_trial,
		.ctx = progress };
	const int status = selection_read(&s->selection, &options, f);

	progress_close(progress);
	if (status < 0)
		return -1;
	for (size_t i = 0; i < s->selection.subjects.count; i++) {
		s->kinds[s->selection.subjects.subject[i].from->kind]++;
		s->commands += subject_has_command(&s->selection.subjects.subject[i]);
	}
	return 0;
}

int setup_metrics(struct setup *s, const struct run_opts *o, struct fault *f)
{
	/* values of hyperfine's --output */
	static const char *const outputs[] = { "null", "pipe", "inherit" };

	for (size_t i = 0; o->output && i < COUNT(outputs); i++)
		if (strcmp(o->output, outputs[i]) == 0)
			return fault_set(f,
			    "--output %s: names the file of samples; use --stdout for the "
			    "output of commands, or --output ./%s for a file of this name",
			    o->output, o->output);
	for (size_t i = 0; o->extracts_old && i < o->extracts.count; i++)
		if (!strchr(o->extracts.item[i], '='))
			return fault_set(f,
			    "--metric '%s': the option that reads a metric from the output "
			    "is now --extract NAME[:UNIT]=REGEX; bench-stat, bench-compare "
			    "and others select metrics with --metric",
			    o->extracts.item[i]);
	if (output_metrics_open(o->extracts.item, o->extracts.count, &s->extracts, f) < 0)
		return -1;
	s->extract_count = o->extracts.count;
	if (o->extracts.count && o->stdout_to)
		return fault_set(
		    f, "--extract reads the output and cannot be combined with --stdout");
	if (o->extracts.count && o->workers)
		return fault_set(f, "--extract reads the output of one command and cannot "
		                    "be combined with --workers");
	return 0;
}

int setup_events(struct setup *s, const struct run_opts *o, struct fault *f)
{
	s->counters.whole_machine = s->kinds[KIND_MACHINE] > 0;
	return event_set_choose(
	    &s->counters, o->events.item, o->events.count, o->sets.item, o->sets.count, f);
}

static int check_until(const struct setup *s, const struct run_opts *o, struct fault *f)
{
	const struct subjects *subjects = &s->selection.subjects;

	if (!o->until)
		return 0;
	if (strcmp(o->until, "decided") != 0)
		return fault_set(
		    f, "--until: unknown value '%s' (there is: decided)", o->until);
	if (!o->compare)
		return fault_set(f,
		    "--until decided requires --compare with the column that "
		    "distinguishes the subjects: bench, or a parameter of -P");
	if (!(o->threshold.fraction >= 0))
		return fault_set(f, "--threshold must not be negative");
	if (o->order && strcmp(o->order, "random") != 0)
		return fault_set(f, "--until decided requires --order random");
	if (o->processes_set)
		return fault_set(f, "--until decided cannot be combined with --processes");
	for (size_t i = 0; i < subjects->count; i++)
		if (subjects->subject[i].from->runs)
			return fault_set(f,
			    "%s: the table sets the number of its samples, so --until "
			    "decided cannot be used",
			    subjects->subject[i].from->bench);
	return 0;
}

/* Reads the service level of models that are measured without a load. Returns 0, or -1 and
 * the message. */
static int read_slo(struct setup *s, const struct run_opts *o, struct fault *f)
{
	const struct subjects *subjects = &s->selection.subjects;
	struct fault why;

	for (size_t i = 0; i < subjects->count; i++)
		if (!subjects->subject[i].work || !subjects->subject[i].work->new_tokens)
			return fault_set(f,
			    "--slo requires --rate, --arrivals or --scenario, because %s "
			    "generates no tokens",
			    subjects->subject[i].from->bench);
	if (o->workers || o->threads)
		return fault_set(f,
		    "--slo with several workers requires --rate, --arrivals or --scenario");
	if (slo_parse(o->slo, &s->load.slo, &why) < 0)
		return fault_set(f, "--slo: %s", why.text);
	s->load.has_slo = true;
	return 0;
}

/* Returns the number of processes of a kernel or model. */
static uint64_t compute_processes(const struct run_opts *o)
{
	return o->processes_set ? o->processes : COMPUTE_PROCESSES;
}

/* Returns the number of processes of a function, or of periods of a command under load. */
static uint64_t function_processes(const struct setup *s, const struct run_opts *o)
{
	return o->processes_set || o->until || run_has_load(o)
	           ? o->processes
		   : process_counts_default(&s->selection.subjects, o->confidence);
}

/* Refuses costs of a period if --rate max searches: its periods have different rates.
 * Returns 0, or -1 and the message. */
static int check_search_costs(const struct run_opts *o, struct fault *f)
{
	return load_plan_searches(o->rate) && run_wants_energy(o)
	           ? fault_set(f,
	                 "--energy cannot be combined with --rate max, whose periods "
	                 "have different rates; measure the rate that it finds "
	                 "with --rate N")
		   : 0;
}

/* Reads the load. Returns 0, or -1 and the message if it cannot be combined with another
 * option. */
static int read_load(struct setup *s, const struct run_opts *o, struct fault *f)
{
	const struct {
		const char *name;
		bool given;
	} excluded[] = { { "-p", o->precision.set }, { "--until", o->until != NULL },
		{ "--prepare and --conclude", o->prepare.count || o->conclude.count },
		{ "--extract", o->extracts.count > 0 }, { "--interval", o->interval.set },
		{ "--gpu", o->gpu }, { "--timeline", o->timeline != NULL },
		{ "--keep-warmup", o->keep_warmup } };
	const struct load_opts options = { .rate = o->rate,
		.arrivals = o->arrivals,
		.slo = o->slo,
		.scenario = o->scenario,
		.runs = o->runs_set ? &o->runs : NULL,
		.min_ns = o->min_time.set ? &o->min_time.ns : NULL,
		.max_ns = o->max_time.set ? &o->max_time.ns : NULL,
		.window_ns = o->batch_window.set ? &o->batch_window.ns : NULL };

	if (!run_has_load(o) && o->batch_window.set)
		return fault_set(
		    f, "--batch-window requires --rate, --arrivals or --scenario");
	if (!run_has_load(o))
		return o->slo ? read_slo(s, o, f) : 0;
	for (size_t i = 0; i < COUNT(excluded); i++)
		if (excluded[i].given)
			return fault_set(f, "%s cannot be combined with %s",
			    excluded[i].name, load_plan_option(o->rate, o->scenario));
	if (check_search_costs(o, f) < 0)
		return -1;
	return load_plan_read(&s->load, &options, &s->selection.subjects,
	    (struct load_periods){ o->processes, compute_processes(o) }, f);
}

/* Prepares the comparisons of --until decided. */
static int open_decisions(struct setup *s, const struct run_opts *o, struct fault *f)
{
	struct decision_opts options = { .column = o->compare,
		.reference = o->reference,
		.margin = o->threshold.fraction,
		.confidence = o->confidence };
	struct gate_opts gate;

	if (check_until(s, o, f) < 0 ||
	    gate_opts_parse(&gate, o->unsure, NULL, o->quiet, f) < 0)
		return -1;
	if (!o->until)
		return 0;
	options.unsure = gate.unsure;
	s->decisions = decisions_open(&s->selection.subjects, &options, f);
	return s->decisions ? 0 : -1;
}

static int open_meter(struct setup *s, const struct run_opts *o, struct fault *f)
{
	const struct energy_meter_opts config = { .energy = run_wants_energy(o),
		.idle_ns = s->kinds[KIND_MACHINE] ? 0 : o->energy_idle.ns,
		.model = o->energy_model,
		.carbon = o->carbon };

	if (o->energy_idle.set && !config.energy)
		return fault_set(f, "--energy-idle requires --energy");
	return energy_meter_open(&s->meter, &config, s->selection.subjects.count, f);
}

static int set_environment(const struct run_opts *o, struct fault *f)
{
	for (size_t i = 0; i < o->env.count; i++) {
		char *name = str_copy(o->env.item[i]), *value = strchr(name, '=');

		if (!value || value == name) {
			free(name);
			return fault_set(f, "--env '%s' is not K=V", o->env.item[i]);
		}
		*value++ = '\0';
		setenv(name, value, 1);
		free(name);
	}
	return 0;
}

/* Returns whether a subject runs on a GPU. */
static bool uses_gpu(const struct setup *s)
{
	for (size_t i = 0; i < s->selection.subjects.count; i++)
		if (gpu_state_concerns(&s->selection.subjects.subject[i]))
			return true;
	return false;
}

/*
 * Opens the GPUs, if they were requested or a subject uses one. A missing GPU does not
 * prevent the measurement; it is noted if it was requested.
 */
static void open_gpus(struct setup *s, const struct run_opts *o, struct buf *notes)
{
	struct fault f;

	if (!o->gpu && !o->gpu_clocks && !uses_gpu(s))
		return;
	if (kernel_files_open(&s->gpu_files, kernel_files_root(), &f) == 0) {
		s->gpus = gpus_open(&s->gpu_files, &f);
		if (!s->gpus)
			kernel_files_close(&s->gpu_files);
	}
	if (s->gpus && setup_computes(s))
		s->gpu_state = gpu_state_open(s->gpus, &f);
	if (!s->gpus && (o->gpu || o->gpu_clocks))
		buf_printf(notes, "%s: %s\n", o->gpu ? "--gpu" : "--gpu-clocks", f.text);
}

static int lock_clocks(const struct setup *s, const struct run_opts *o, struct fault *f)
{
	unsigned mhz;

	if (!o->gpu_clocks)
		return 0;
	if (gpu_clocks_parse(o->gpu_clocks, &mhz, f) < 0)
		return -1;
	return s->gpus ? gpu_clocks_lock(s->gpus, mhz, f)
	               : fault_set(f, "--gpu-clocks requires a GPU");
}

static struct plan plan_of(struct setup *s, const struct run_opts *o)
{
	return (struct plan){ .subjects = &s->selection.subjects,
		.decisions = s->decisions,
		.counters = &s->counters,
		.watches = s->commands > s->kinds[KIND_COMMAND],
		.extract = s->extracts,
		.extracts = s->extract_count,
		.output = s->extract_count ? OUTPUT_CAPTURE : OUTPUT_FILE,
		.meter = s->meter,
		.processes = function_processes(s, o),
		.compute_processes = compute_processes(o),
		.compute = { .seed = o->seed_set ? o->seed : WEIGHT_SEED,
		    .check = o->check,
		    .ops = o->ops,
		    .ceilings = !o->no_peaks,
		    .timeline = o->timeline != NULL,
		    .input = s->input,
		    .inputs = s->inputs },
		.sample_ns = o->sample_time.ns,
		.device_sample_ns =
		    o->sample_time.set ? o->sample_time.ns : DEVICE_SAMPLE_NS,
		.warmups_set = o->warmup_set,
		.allocs = o->allocs,
		.warmups =
		    s->commands > s->kinds[KIND_COMMAND] && !o->warmup_set ? 0 : o->warmup,
		.keep_warmups = o->keep_warmup,
		.load = run_has_load(o) ? &s->load : NULL,
		.slo = s->load.has_slo ? &s->load.slo : NULL,
		.workers =
		    !run_has_load(o) && (o->workers || (o->threads && setup_computes(s))),
		.threads = !run_has_load(o) && o->threads && !setup_computes(s),
		.ignore_failure = o->ignore_failure,
		.strict = o->strict,
		.jitter = o->env_jitter,
		.interval_ns =
		    o->gpu && !o->interval.set ? GPU_INTERVAL_NS : o->interval.ns,
		.interval_asked = o->interval.set,
		.gpus = s->gpus,
		.gpu_state = s->gpu_state,
		.gpu_asked = o->gpu,
		.gpu_absent = o->gpu && !s->gpus };
}

static int read_plan(struct setup *s, const struct run_opts *o, struct fault *f)
{
	const struct plan_opts options = { .order = o->order,
		.success = o->success,
		.wait_idle = o->wait_idle,
		.stdout_to = o->stdout_to,
		.cpu = s->kinds[KIND_MACHINE] ? NULL : o->cpu,
		.seed = o->seed_set ? &o->seed : NULL,
		.timeout_ns = o->timeout.set ? &o->timeout.ns : NULL,
		.stop = { .runs = o->runs_set ? &o->runs : NULL,
		    .min_ns = o->min_time.set ? &o->min_time.ns : NULL,
		    .max_ns = o->max_time.set ? &o->max_time.ns : NULL,
		    .precision = o->precision.set ? &o->precision.fraction : NULL,
		    .confidence = &o->confidence,
		    .until_decided = o->until != NULL } };

	s->plan = plan_of(s, o);
	if (o->interval.set && o->interval.ns < 1)
		return fault_set(f, "--interval must be at least 1ns");
	return plan_read(&s->plan, &options, f);
}

int setup_plan(
    struct setup *s, const struct run_opts *o, struct buf *notes, struct fault *f)
{
	if (setup_check_kinds(s, o, f) < 0 || read_load(s, o, f) < 0 ||
	    open_decisions(s, o, f) < 0 || open_meter(s, o, f) < 0)
		return -1;
	gpu_clocks_recover(notes);
	open_gpus(s, o, notes);
	if (lock_clocks(s, o, f) < 0)
		return -1;
	if (set_environment(o, f) < 0 ||
	    compute_inputs_read(
	        o->inputs.item, o->inputs.count, &s->selection.subjects, &s->input, f) < 0)
		return -1;
	s->inputs = o->inputs.count;
	if (o->check && computes_check_reference(&s->selection.subjects, f) < 0)
		return -1;
	if (read_plan(s, o, f) < 0)
		return -1;
	plan_fit_memory(&s->plan, notes);
	if (o->until && s->plan.order == ORDER_SEQUENTIAL)
		return fault_set(f, "--until decided: the subjects do not fit into memory "
		                    "together");
	return 0;
}

void setup_free(struct setup *s)
{
	decisions_close(s->decisions);
	load_plan_free(&s->load);
	selection_free(&s->selection);
	output_metrics_close(s->extracts, s->extract_count);
	counter_free(&s->counters);
	energy_meter_close(s->meter);
	gpu_clocks_unlock();
	gpu_state_close(s->gpu_state);
	if (s->gpus) {
		gpus_close(s->gpus);
		kernel_files_close(&s->gpu_files);
	}
	compute_inputs_free(s->input, s->inputs);
}
