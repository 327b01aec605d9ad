/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turns the options of bench-run into a plan, and owns everything that the plan refers
 * to.
 */
#ifndef RUN_SETUP_H
#define RUN_SETUP_H

#include "io/opt.h"
#include "run/plan.h"
#include "subject/subject_options.h"

/* The values of the options. */
struct run_opts {
	uint64_t runs, warmup, seed, processes;
	bool runs_set, warmup_set, seed_set;
	struct opt_duration min_time, max_time, timeout, energy_idle, interval, sample_time,
	    batch_window, window;
	struct opt_percent precision, threshold;
	double confidence;
	struct opt_list commands, functions, kernels, models, pids, groups, backends,
	    inputs, engine_options, names, subjects, sweeps, events, sets, env, labels,
	    extracts;
	struct opt_list prepare, setup, conclude, cleanup;
	const char *order, *cpu, *stdin_path, *stdout_to, *success, *wait_idle, *dir,
	    *output, *commit, *energy_model, *carbon, *workers, *threads, *until, *compare,
	    *reference, *unsure, *gpu_clocks, *timeline, *rate, *arrivals, *slo, *scenario,
	    *per;
	bool processes_set, check, ops, no_peaks, energy, gpu, allocs, env_jitter, shell,
	    ignore_failure, keep_warmup, aa, live, strict, gate, quiet, all_cpus,
	    extracts_old; /* --metric was given, the old name of --extract */
};

/* Returns whether the options ask for a load. */
bool run_has_load(const struct run_opts *o);

struct setup {
	struct selection selection;
	size_t kinds[KINDS]; /* number of subjects of each kind */
	size_t commands;     /* subjects that execute a command */
	struct output_metric **extracts;
	size_t extract_count;
	struct counter_set counters;
	struct energy_meter *meter;
	struct kernel_files gpu_files; /* open if gpus is not NULL */
	struct gpus *gpus;
	struct gpu_state *gpu_state; /* NULL: no kernel or model uses a GPU */
	struct binding *input;
	size_t inputs;
	struct decisions *decisions; /* NULL: without --until */
	struct load_plan load;
	struct plan plan;
};

/*
 * The functions setup_subjects, setup_metrics, setup_events and setup_plan are called
 * in this order. The options must outlive the setup. Each returns 0, or -1 and the
 * message.
 *
 * Reads the subjects; notes are in the selection.
 */
int setup_subjects(
    struct setup *s, const struct run_opts *o, char *const *operands, struct fault *f);
/* Reads the metrics that are taken from the output. */
int setup_metrics(struct setup *s, const struct run_opts *o, struct fault *f);
/* Reads the events and event sets. */
int setup_events(struct setup *s, const struct run_opts *o, struct fault *f);
/*
 * Checks the options against the subjects and fills in the plan. Appends notes, even on
 * failure.
 */
int setup_plan(
    struct setup *s, const struct run_opts *o, struct buf *notes, struct fault *f);
void setup_free(struct setup *s);

#endif
