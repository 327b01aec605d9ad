/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan of bench-run: the subjects, the number and order of their samples, and the
 * values to record.
 */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include <sched.h>

#include "counters/counter.h"
#include "monitor/gpu_state.h"
#include "protocol/spawn_proto.h"
#include "results/run_timeline.h"
#include "run/decision.h"
#include "run/load_plan.h"
#include "run/schedule.h"
#include "sample/energy_meter.h"
#include "sample/output_metric.h"
#include "subject/compute_request.h"
#include "subject/subject.h"
#include "sys/gpu.h"

enum { EXIT_CODES = 256 };

struct plan {
	const struct subjects *subjects;
	struct counter_set *counters;
	bool watches; /* something else is measured while the commands run */
	struct output_metric *const *extract;
	size_t extracts;
	struct energy_meter *meter; /* NULL: no energy is measured */
	struct stop_rule stop;
	struct decisions *decisions; /* which end the rounds of commands; or NULL */
	enum order order;
	uint64_t seed;
	uint64_t warmups;
	bool keep_warmups;
	double interval_ns; /* of the time series of an execution; 0: none */
	bool
	    interval_asked; /* it was requested, so also of functions, kernels and models */
	const struct gpus *gpus;     /* of the machine, or NULL */
	bool gpu_asked;              /* their values were requested */
	bool gpu_absent;             /* GPUs were requested, and there are none */
	struct gpu_state *gpu_state; /* during kernels and models; or NULL */
	bool workers, threads;       /* -J or -j was given, even with 1 */
	bool confined;               /* the subjects are confined to these processors */
	cpu_set_t cpus;
	bool verbose;        /* events that were not requested are also reported if they are
	                        missing */
	bool ignore_failure; /* commands that fail are measured like others */
	bool strict;         /* a subject that cannot be measured ends the run */
	bool jitter;         /* an environment of random size for each execution */
	double timeout_ns;   /* of one execution; 0: none */
	const struct load_plan *load; /* requests arrive at given times; or NULL */
	const struct slo *slo;        /* limits of the times of a request; or NULL */
	/* for functions */
	struct stop_rule function_stop;
	uint64_t processes;      /* of each function; periods of a command under load */
	double sample_ns;        /* least duration of a sample ... */
	double device_sample_ns; /* ... and of a kernel on a device with its own memory */
	double function_timeout_ns; /* limit of a sample, and of load and set-up together;
	                               0: none */
	bool warmups_set; /* exactly this number of warm-ups; otherwise until the times
	                     settle */
	bool allocs;
	/* for kernels and models */
	uint64_t compute_processes;
	double compute_timeout_ns;
	struct compute_opts compute;
	struct run_timeline *timeline; /* NULL: none is written */
	double idle_load; /* wait before each block until fewer processors are busy; < 0: do
	                     not wait */
	enum wire_output output; /* OUTPUT_CAPTURE if extracts need it */
	const char *stdout_path;
	bool fine[EXIT_CODES]; /* exit codes that count as success */
};

/* Values of bench-run's options, as text if they need parsing; NULL: not given. */
struct plan_opts {
	const char *order, *success, *wait_idle, *stdout_to, *cpu;
	const uint64_t *seed;
	const double *timeout_ns;
	struct stop_opts stop;
};

/*
 * Fills in the order, seed, exit codes, output, processors, times and stopping rules of
 * a plan from the options. A plan that captures the output continues to do so. Returns
 * 0, or -1 and a message that names the option.
 */
int plan_read(struct plan *p, const struct plan_opts *o, struct fault *f);

/*
 * Returns the stopping rule of a command: that of the plan, with the subject's own number
 * of samples if it has one.
 */
struct stop_rule plan_stop_rule(const struct plan *p, size_t subject);

/* Waits until the machine is idle, if the plan asks for it. Returns false if it never was.
 */
bool plan_wait_idle(const struct plan *p);

/*
 * Changes the order to sequential if kernels and models do not fit into memory
 * together, and then appends a note.
 */
void plan_fit_memory(struct plan *p, struct buf *notes);

#endif
