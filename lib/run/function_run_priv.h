/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Definitions shared by the modules of function_run.h.
 */
#ifndef RUN_FUNCTION_RUN_PRIV_H
#define RUN_FUNCTION_RUN_PRIV_H

#include "load/rate_search.h"
#include "load/requests.h"
#include "monitor/gpu_state.h"
#include "run/function_run.h"
#include "run/token_rows.h"

/* A sample that has not been written yet. */
struct kept {
	struct helper_answer answer;
	struct wire_count *counts;
	struct worker_result *workers;
	struct helper_extra *extra;
	size_t extras;
	struct helper_token *token;
	size_t tokens;
	bool of_gpu; /* the following are set */
	double gpu[GPU_METRICS];
	double settled; /* 1 or 0; NAN: not known */
};

/* Limits of the clock of a GPU, in the order of gpu.h. */
enum { GPU_LIMITS = GPU_METRICS - GPU_THROTTLE_POWER };

/* The GPUs of a subject. */
struct subject_gpu {
	uint64_t cards;  /* that are observed; 0: none */
	bool on_card;    /* the subject runs on them */
	double usual_hz; /* the rate of the clock under the subject; NAN: not known yet */
	bool settled;    /* before the current sample */
	double settling_ns; /* the time that this took in the process, without the first */
	struct gpu_counts {
		uint64_t samples, unsettled, limited[GPU_LIMITS];
	} counts;
};

/* The load of a subject. */
struct function_load {
	struct load_request *request; /* of the period that has not been written yet */
	size_t requests;
	double iterations;             /* that served them */
	struct period_summary summary; /* of that period ... */
	double service_ns;             /* ... and its mean time of a service */
	struct load_total total;
	/* of --rate max */
	struct rate_search search;
	int64_t search_ns; /* its start, CLOCK_MONOTONIC */
	uint64_t searches, without_low, without_high, unfinished; /* numbers */
};

struct function_run {
	const struct plan *plan;
	const struct subject *subject;
	double items, bytes;
	struct peak *peak;   /* of the subject's device; NULL for a function */
	bool asks_peaks;     /* whether the process was to measure that peak */
	double above_peak;   /* the largest share of a peak above 1; 0: none */
	uint64_t iterations; /* of a sample; 0: not calibrated yet */
	uint64_t under_way;  /* iterations of the sample that was running when the process
	                        was lost; 0: none */
	struct run_progress run_progress;
	bool family, hopeless, told_absent;
	/* the current process */
	struct helper_client *call;
	int64_t process;
	double first_ns; /* negative: not reached */
	struct kept *warmup, sample;
	size_t warmups, warmup_cap;
	double *warm_ns, *wall_ns; /* time per iteration, one value per sample */
	size_t warms, warm_cap, walls, wall_cap;
	double warming_ns, measured_ns;
	struct token_level level; /* of its samples, with a service level */
	bool settled, sampled;
	struct run_status status;
	char why[HELPER_WHY_MAX];
	struct run_sample row; /* the sample that is being written */
	struct subject_gpu gpu;
	struct helper_span *span; /* the samples of the process, for the timeline */
	size_t spans, span_cap;
	struct function_load load;
};

/* Returns the number of the subject. */
size_t function_run_index(const struct function_run *c);
/* Runs this number of iterations. Returns NULL if the process has ended. */
const struct helper_sample *function_run_iterate(
    struct function_run *c, uint64_t iterations);
/* Adds iterations to the timeline: as a sample with this number, or as a phase if the
 * number is negative. */
void function_run_note_span(struct function_run *c, const char *name, int64_t number,
    uint64_t iterations, const struct helper_sample *s);
/* Writes the timeline of the current process. */
void function_run_write_spans(struct function_run *c);
/* Plays a period of a load; see helper_client_play. */
const struct helper_sample *function_run_order(
    struct function_run *c, const struct helper_order *order, const int64_t *arrival_ns);
/* Copies a sample, which is valid only until the next one. */
struct kept function_run_copy(const struct function_run *c, const struct helper_sample *s);
/* Keeps a sample until it is written. */
void function_run_keep(struct function_run *c, const struct helper_sample *s);
/* Plays the period of the current process, which function_run_write_period writes. */
void function_run_play(struct function_run *c);
void function_run_write_period(struct function_run *c, struct sample_writer *writer);
/* Forgets the warm-ups that have not been written. */
void function_run_forget_warmups(struct function_run *c);
/* Ends the current process and forgets its samples. */
void function_run_forget(struct function_run *c);
/* Returns the least duration of a sample. */
double function_run_sample_ns(const struct function_run *c);
/* Finds the GPUs that are observed during the samples. */
void function_run_find_gpu(struct function_run *c);
/* Runs the subject until the clock of its GPU is constant, and begins a sample. */
void function_run_settle(struct function_run *c);
/* Keeps the state of the GPU at the end of a sample. */
void function_run_keep_gpu(struct function_run *c, struct kept *k);
/* Begins a sample of the current process, whose values are added to the result. */
struct run_sample *function_run_begin_row(
    struct function_run *c, int64_t number, int64_t begin_ns, uint64_t iterations);
/* Adds the allocations of a sample per iteration; the number is that of all workers. */
void function_run_put_allocs(struct run_sample *s, const struct function_run *c,
    const struct kept *k, double iterations);
/* Adds the counted events, each divided by the iterations of the sample; wall_ns is the
 * time in which they were counted. */
void function_run_put_counts(struct run_sample *s, const struct function_run *c,
    const struct kept *k, double wall_ns);
/* Adds the state of the GPU to a sample. */
void function_run_put_gpu(
    const struct function_run *c, const struct kept *k, struct run_sample *s);
/* Returns the time of one iteration, as the mean over the workers. */
double function_run_iteration_ns(
    const struct function_run *c, const struct worker_result *workers, uint64_t iterations);

#endif
