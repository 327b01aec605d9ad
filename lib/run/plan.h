/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What bench-run is to do: the subjects, how often and in which order, and what is watched.
 */
#ifndef RUN_PLAN_H
#define RUN_PLAN_H

#include <sched.h>

#include "counters/counter.h"
#include "protocol/spawn_proto.h"
#include "run/energy_meter.h"
#include "run/output_metric.h"
#include "run/schedule.h"
#include "subject/compute_request.h"
#include "subject/subject.h"
#include "sys/gpu.h"

enum { EXIT_CODES = 256 };

struct plan {
	const struct subjects *subjects;
	struct counter_set *counters;
	struct output_metric *const *extract;
	size_t extracts;
	struct energy_meter *meter; /* of energy; or NULL */
	struct stop_rule stop;
	enum order order;
	uint64_t seed;
	uint64_t warmups;
	bool keep_warmups;
	double interval_ns;      /* of the time series of a run; 0: none */
	const struct gpus *gpus; /* that are in it; or NULL */
	bool gpu_absent;         /* they were asked for, and there are none */
	bool workers, threads;   /* were asked for, be it one */
	bool confined;           /* to these processors */
	cpu_set_t cpus;
	bool strict;       /* a subject that cannot be measured ends the run */
	bool jitter;       /* an environment of random size for each run */
	double timeout_ns; /* of one run; 0: none */
	/* of functions */
	struct stop_rule function_stop;
	uint64_t processes; /* fresh ones of each */
	double sample_ns;   /* a sample lasts at least so long */
	double
	    function_timeout_ns; /* of a sample, and of load and set-up together; 0: none */
	bool warmups_set;        /* exactly so many; otherwise until it is steady */
	bool allocs;             /* count allocations */
	/* of kernels and models */
	uint64_t compute_processes;
	double compute_timeout_ns;
	struct compute_opts compute;
	double idle_load; /* wait before each round until so few processors are busy; < 0:
	                     no */
	enum wire_output output; /* OUTPUT_CAPTURE when extracts need it */
	const char *stdout_path;
	bool fine[EXIT_CODES]; /* exit codes that are a success */
};

/* What bench-run's options say, as text where they need reading; NULL: not said. */
struct plan_opts {
	const char *order, *success, *wait_idle, *stdout_to, *cpu;
	const uint64_t *seed;
	const double *timeout_ns;
	struct stop_opts stop;
};

/*
 * Fill in the parts of a plan that these say: order, seed, exit codes, output, processors,
 * times and stopping rules; one that captures the output stays so. -1 and the message in
 * the words of the options.
 */
int plan_read(struct plan *p, const struct plan_opts *o, struct fault *f);

/*
 * Kernels and models that do not fit into memory together are measured one after the other.
 * Appends a line for people if so.
 */
void plan_fit_memory(struct plan *p, struct buf *notes);

#endif
