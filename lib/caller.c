/*
 * A function's processes and their samples; see caller.h.
 *
 * A sample has as many iterations as take the time asked for, which is far above what the
 * clock resolves. They are counted out once, in the first process, and then stay, so that
 * all samples of a function are means of equally many.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "caller.h"
#include "function.h"
#include "speedup.h"
#include "steady.h"
#include "workers.h"

enum {
	CLOCK_STEPS = 1000, /* a sample lasts at least so many of the clock's */
	LEAST_SAMPLES = 10, /* of a process when a precision is asked for ... */
	FEWEST_SAMPLES = 2, /* ... and when not */
	GROWTH_MAX = 100,   /* from one attempt at a sample to the next */
};

static const double warmup_ns = 1e9; /* at most, when no time is asked for */

/* A sample that waits to be written. */
struct kept {
	struct call_answer answer;
	struct wire_count *counts;
	struct call_worker *workers;
};

struct caller {
	const struct plan *plan;
	const struct subject *subject;
	double items, bytes;
	uint64_t iterations; /* of a sample; 0: not known yet */
	struct tally tally;
	bool family, hopeless, told_absent;
	/* the process of the moment */
	struct call *call;
	int64_t process; /* its number */
	double first_ns; /* negative: it did not come so far */
	struct kept *warmup, sample;
	size_t warmups, warmup_cap;
	double *warm_ns, *wall_ns; /* of an iteration, of each sample */
	size_t warms, warm_cap, walls, wall_cap;
	double warming_ns, measured_ns;
	bool settled, sampled;
	char status[ENDING_MAX], why[CALL_WHY_MAX];
};

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* What the clock moves on by at least. */
static double clock_step_ns(void)
{
	double step_ns = INFINITY;

	for (int i = 0; i < 20; i++) {
		double start_ns = now_ns(), end_ns;

		while ((end_ns = now_ns()) <= start_ns)
			;
		step_ns = fmin(step_ns, end_ns - start_ns);
	}
	return step_ns;
}

static double sample_time_ns(const struct caller *c)
{
	return fmax(c->plan->sample_ns, CLOCK_STEPS * clock_step_ns());
}

struct caller *caller_open(
    const struct plan *plan, const struct subject *subject, struct fault *f)
{
	const struct function *fn = subject->from->function;
	struct caller *c = mem_zero(1, sizeof(*c));

	*c = (struct caller){ .plan = plan, .subject = subject, .process = -1 };
	if (function_amount(fn->items, subject, &c->items, f) < 0 ||
	    function_amount(fn->bytes, subject, &c->bytes, f) < 0) {
		struct fault why = *f;

		fault_set(f, "%s: %s", subject->from->bench, why.text);
		caller_close(c);
		return NULL;
	}
	return c;
}

static void drop(struct kept *k)
{
	free(k->counts);
	free(k->workers);
	*k = (struct kept){ 0 };
}

static void forget_process(struct caller *c)
{
	call_close(c->call);
	c->call = NULL;
	for (size_t i = 0; i < c->warmups; i++)
		drop(&c->warmup[i]);
	drop(&c->sample);
	c->warmups = c->warms = c->walls = 0;
	c->warming_ns = c->measured_ns = 0;
	c->settled = c->sampled = false;
	c->first_ns = -1;
	*c->why = '\0';
}

void caller_close(struct caller *c)
{
	if (!c)
		return;
	forget_process(c);
	free(c->warmup);
	free(c->warm_ns);
	free(c->wall_ns);
	free(c->tally.value);
	free(c);
}

static struct kept keep(const struct caller *c, const struct call_sample *s)
{
	size_t counters = c->plan->counters->count, workers = workers_of(c->subject);
	struct kept k = { .answer = s->answer,
		.counts = mem_zero(counters + 1, sizeof(*k.counts)),
		.workers = mem_zero(workers, sizeof(*k.workers)) };

	memcpy(k.counts, s->counts, counters * sizeof(*k.counts));
	memcpy(k.workers, s->workers, workers * sizeof(*k.workers));
	return k;
}

/* Of an iteration, as the mean of the workers. */
static double iteration_ns(
    const struct caller *c, const struct call_worker *workers, uint64_t iterations)
{
	double sum_ns = 0;

	for (uint32_t i = 0; i < workers_of(c->subject); i++)
		sum_ns += (double)workers[i].wall_ns;
	return sum_ns / workers_of(c->subject) / (double)iterations;
}

/* Find how many iterations take the time of a sample. False: the process is gone. */
static bool count_out(struct caller *c, bool *more_threads)
{
	double wanted_ns = sample_time_ns(c);
	uint64_t n = 1;

	for (;;) {
		const struct call_sample *s = call_run(c->call, n);

		if (!s)
			return false;
		double wall_ns = fmax((double)s->answer.wall_ns, 1);
		double enough = wanted_ns / wall_ns * (double)n;

		*more_threads = s->answer.more_threads;
		if (wall_ns >= wanted_ns)
			break;
		if (wall_ns >= wanted_ns / 2) {
			n = (uint64_t)ceil(enough);
			break;
		}
		n = (uint64_t)ceil(fmin(enough, (double)n * GROWTH_MAX)) + 1;
	}
	c->iterations = n;
	return true;
}

/* The first iteration, and what the samples are to be. False: the process is gone. */
static bool begin(struct caller *c, bool *more_threads)
{
	const struct call_sample *s = call_run(c->call, 1);

	if (!s)
		return false;
	c->first_ns = iteration_ns(c, s->workers, 1);
	*more_threads = s->answer.more_threads;
	return c->iterations || count_out(c, more_threads);
}

int caller_start(struct caller *c, uint32_t jitter, struct fault *f)
{
	const struct function *fn = c->subject->from->function;
	const struct plan *p = c->plan;
	struct call_config config = { .object = fn->object,
		.symbol = fn->symbol,
		.set_up = fn->set_up,
		.tear_down = fn->tear_down,
		.sort = fn->sort,
		.param = c->subject->factor,
		.params = c->subject->factors,
		.items = c->items,
		.bytes = c->bytes,
		.threads = c->subject->threads,
		.processes = c->subject->workers,
		.counters = p->counters,
		.allocs = p->allocs,
		.cpus = p->cpus,
		.stdin_path = c->subject->stdin_path,
		.stdout_path = p->stdout_path,
		.inherit = p->output == OUTPUT_INHERIT,
		.timeout_ns = p->call_timeout_ns,
		.jitter = jitter };
	double start_ns = now_ns();
	bool more_threads = false;

	c->process++;
	for (;;) {
		forget_process(c);
		config.family = c->family;
		c->call = call_open(&config, f);
		if (!c->call)
			return -1;
		begin(c, &more_threads);
		/* Counters that were opened for its own thread miss the others. */
		if (c->family || !more_threads || !p->counters->count ||
		    call_state(c->call) != CALL_LIVES)
			break;
		c->family = true;
	}
	c->tally.spent_ns += now_ns() - start_ns;
	return 0;
}

bool caller_lives(const struct caller *c)
{
	return c->call && call_state(c->call) == CALL_LIVES;
}

bool caller_may_start(const struct caller *c)
{
	return !c->hopeless;
}

struct stop_rule caller_rule(const struct caller *c)
{
	struct stop_rule rule = c->plan->call_stop;

	if (c->subject->from->runs)
		rule.runs = c->subject->from->runs;
	return rule;
}

/* The longest that a process warms up. */
static double warmup_limit_ns(const struct caller *c)
{
	return c->plan->call_stop.min_ns > 0 ? c->plan->call_stop.min_ns : warmup_ns;
}

bool caller_is_cold(const struct caller *c)
{
	if (!caller_lives(c))
		return false;
	if (c->plan->warmups_set)
		return c->warms < c->plan->warmups;
	return !c->settled && c->warming_ns < warmup_limit_ns(c);
}

void caller_warm_up(struct caller *c)
{
	double start_ns = now_ns();
	const struct call_sample *s = call_run(c->call, c->iterations);

	if (s) {
		*VEC_ADD(c->warm_ns, c->warms, c->warm_cap) =
		    iteration_ns(c, s->workers, c->iterations);
		c->warming_ns += (double)s->answer.wall_ns;
		c->settled = c->warms >= STEADY_LEAST &&
		             steady_is(&c->warm_ns[c->warms - STEADY_LEAST], STEADY_LEAST);
		if (c->plan->keep_warmups)
			*VEC_ADD(c->warmup, c->warmups, c->warmup_cap) = keep(c, s);
	}
	c->tally.spent_ns += now_ns() - start_ns;
}

/* Rules are for a subject; each process has its share of the time, and every one of the
 * runs. */
bool caller_wants(struct caller *c)
{
	const struct plan *p = c->plan;
	struct stop_rule rule = caller_rule(c);
	double processes = (double)p->processes, due = (double)(c->process + 1) / processes;
	size_t least = rule.precision > 0 ? LEAST_SAMPLES : FEWEST_SAMPLES;

	if (!caller_lives(c))
		return false;
	if (rule.max_ns > 0 && c->walls && c->tally.spent_ns >= rule.max_ns * due)
		return false;
	if (rule.runs)
		return c->walls < rule.runs;
	if (c->walls < least || c->measured_ns < rule.min_ns / processes)
		return true;
	return !tally_is_precise(&c->tally, &rule);
}

void caller_sample(struct caller *c)
{
	double start_ns = now_ns();
	const struct call_sample *s = call_run(c->call, c->iterations);

	if (!s) {
		c->tally.spent_ns += now_ns() - start_ns;
		return;
	}
	drop(&c->sample);
	c->sample = keep(c, s);
	c->sampled = true;
	*VEC_ADD(c->wall_ns, c->walls, c->wall_cap) =
	    iteration_ns(c, s->workers, c->iterations);
	c->measured_ns += (double)s->answer.wall_ns;
	tally_add(&c->tally, (double)s->answer.wall_ns, now_ns() - start_ns, true);
}

/* The rows of a sample. */
struct rows {
	struct emit_value *value;
	size_t count, cap;
	const char *status;
	uint64_t iterations;
};

static struct emit_value *put(
    struct rows *r, const char *metric, const char *unit, double value)
{
	struct emit_value *v = VEC_ADD(r->value, r->count, r->cap);

	*v = (struct emit_value){ .metric = metric,
		.unit = unit,
		.value = value,
		.status = r->status,
		.iterations = r->iterations };
	return v;
}

/* What workers beside each other came to. */
static void put_workers(
    struct rows *r, const struct caller *c, const struct kept *k, double speedup)
{
	uint32_t workers = workers_of(c->subject);

	if (!isnan(speedup)) {
		put(r, "speedup", "1", speedup);
		put(r, "efficiency", "1", speedup_efficiency(speedup, workers));
	}
	for (uint32_t i = 0; i < workers; i++) {
		struct emit_value *v = put(r, "worker_wall", "ns",
		    (double)k->workers[i].wall_ns / (double)c->iterations);

		v->of_worker = true;
		v->worker = i;
	}
}

static void write_kept(struct caller *c, struct emit *emit, const struct kept *k,
    int64_t number, double speedup)
{
	bool together = c->plan->workers || c->plan->threads;
	uint32_t workers = workers_of(c->subject);
	struct rows rows = { .status = "ok", .iterations = c->iterations };
	struct wire_result result = { .begin_ns = k->answer.begin_ns,
		.wall_ns = k->answer.wall_ns };
	double n = (double)c->iterations, per_ns = n / (double)k->answer.wall_ns, items = 0,
	       bytes = 0, allocs = 0, alloc_bytes = 0;

	for (uint32_t i = 0; i < workers; i++) {
		items += k->workers[i].items;
		bytes += k->workers[i].bytes;
		allocs += (double)k->workers[i].allocs;
		alloc_bytes += (double)k->workers[i].alloc_bytes;
	}
	put(&rows, "wall", "ns", iteration_ns(c, k->workers, c->iterations));
	if (together && items <= 0)
		items = workers; /* an iteration is one */
	if (items > 0)
		put(&rows, "throughput", "1/s", items * per_ns * 1e9);
	if (bytes > 0)
		put(&rows, "bandwidth", "B/s", bytes * per_ns * 1e9);
	put(&rows, "rss", "B", (double)k->answer.rss_bytes);
	if (k->answer.allocates) {
		put(&rows, "alloc_calls", "1", allocs / n / workers);
		put(&rows, "alloc_bytes", "B", alloc_bytes / n / workers);
	}
	if (together)
		put_workers(&rows, c, k, speedup);
	emit_call(emit, &(struct emit_sample){ .subject = c->subject,
	                    .process = c->process,
	                    .sample = number,
	                    .iterations = c->iterations,
	                    .status = rows.status,
	                    .result = &result,
	                    .counts = k->counts,
	                    .value = rows.value,
	                    .values = rows.count });
	free(rows.value);
}

void caller_write_warmups(struct caller *c, struct emit *emit)
{
	for (size_t i = 0; i < c->warmups; i++)
		write_kept(c, emit, &c->warmup[i], (int64_t)i - (int64_t)c->warmups, NAN);
}

double caller_throughput(const struct caller *c)
{
	return c->sampled ? speedup_throughput(c->iterations * workers_of(c->subject),
	                        (double)c->sample.answer.wall_ns)
	                  : NAN;
}

void caller_write(struct caller *c, struct emit *emit, double speedup)
{
	if (c->sampled)
		write_kept(c, emit, &c->sample, (int64_t)c->walls - 1, speedup);
	c->sampled = false;
}

/* Rows that a process has once, or that of a sample that came to nothing; they are freed.
 */
static void write_rows(
    struct caller *c, struct emit *emit, struct rows *rows, size_t number)
{
	struct wire_result result = { .begin_ns = call_phases(c->call).begin_ns };

	emit_values(emit, &(struct emit_sample){ .subject = c->subject,
	                      .process = c->process,
	                      .sample = (int64_t)number,
	                      .result = &result,
	                      .value = rows->value,
	                      .values = rows->count });
	free(rows->value);
}

/* 1, 0, or NAN where there are too few samples to tell. */
static double steadiness(const struct caller *c)
{
	bool told = false, steady = true;

	if (!c->plan->warmups_set && c->warms >= STEADY_LEAST) {
		told = true;
		steady = c->settled;
	}
	if (c->walls >= STEADY_LEAST) {
		told = true;
		steady = steady && steady_is(c->wall_ns, c->walls);
	}
	return told ? steady : NAN;
}

static void write_phases(
    struct caller *c, struct emit *emit, const char *status, int64_t max_rss_bytes)
{
	struct call_phases phases = call_phases(c->call);
	struct rows rows = { .status = status, .iterations = 1 };
	bool ok = strcmp(status, "ok") == 0;

	if (phases.load_ns >= 0)
		put(&rows, "load", "ns", phases.load_ns);
	if (phases.setup_ns >= 0)
		put(&rows, "setup", "ns", phases.setup_ns);
	if (c->first_ns >= 0)
		put(&rows, "first", "ns", c->first_ns);
	if (max_rss_bytes)
		put(&rows, "max_rss", "B", (double)max_rss_bytes);
	if (ok) {
		double steady = steadiness(c);

		if (!isnan(steady))
			put(&rows, "steady", "1", steady);
	}
	rows.status = "ok";
	put(&rows, "ok", "1", ok);
	write_rows(c, emit, &rows, 0);
}

/* The row of a sample that did not come about. */
static void write_failure(struct caller *c, struct emit *emit)
{
	struct rows rows = { .status = c->status,
		.iterations = c->iterations ? c->iterations : 1 };
	bool timed_out = strcmp(c->status, "timeout") == 0;

	put(&rows, "wall", "ns",
	    timed_out ? c->plan->call_timeout_ns / (double)rows.iterations : NAN);
	write_rows(c, emit, &rows, c->walls);
}

void caller_end(struct caller *c, struct emit *emit)
{
	int64_t max_rss_bytes;
	enum call_state state;

	if (!c->call)
		return;
	max_rss_bytes = call_end(c->call);
	state = call_state(c->call);
	snprintf(c->status, sizeof(c->status), "%s", call_status(c->call));
	snprintf(c->why, sizeof(c->why), "%s", call_why(c->call) ? call_why(c->call) : "");
	if (state == CALL_INTERRUPTED)
		return;
	c->hopeless = state == CALL_UNAVAILABLE || strcmp(c->status, "timeout") == 0;
	if (state != CALL_OVER)
		write_failure(c, emit);
	if (state != CALL_UNAVAILABLE)
		write_phases(c, emit, c->status, max_rss_bytes);
	if (!c->told_absent) {
		struct wire_result result = { .begin_ns = call_phases(c->call).begin_ns };

		emit_absent(emit,
		    &(struct emit_sample){
		        .subject = c->subject, .process = c->process, .result = &result });
		c->told_absent = true;
	}
	call_close(c->call);
	c->call = NULL;
}

const char *caller_status(const struct caller *c)
{
	return c->status;
}

const char *caller_why(const struct caller *c)
{
	return *c->why ? c->why : NULL;
}

struct tally *caller_tally(struct caller *c)
{
	return &c->tally;
}
