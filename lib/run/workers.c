/*
 * Workers' metrics; see workers.h. Subjects that differ in nothing but the number of
 * workers are a family, and one of them is sequential.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "run/speedup.h"
#include "run/workers.h"

struct workers {
	const struct subjects *subjects;
	bool workers, threads;
	size_t *family;     /* by subject */
	double *sequential; /* by family: throughput of one worker in this round, or NAN */
	struct emit_value *value;
	size_t values, cap;
};

uint32_t workers_of(const struct subject *s)
{
	return s->workers * s->threads;
}

/*
 * All that a subject is, but for its workers: no other parameter may have their name. Nor
 * for the devices that these are on: what is on others has another template.
 */
static void put_key(const struct workers *w, struct buf *key, const struct subject *s)
{
	key->len = 0;
	buf_put(key, (const char *)&s->from, sizeof(s->from));
	buf_byte(key, s->aa);
	for (size_t i = 0; i < s->factors; i++)
		if (!(w->workers && strcmp(s->factor[i].name, "workers") == 0) &&
		    !(w->threads && strcmp(s->factor[i].name, "threads") == 0) &&
		    !(s->work && strcmp(s->factor[i].name, "device") == 0))
			buf_put(key, s->factor[i].value, strlen(s->factor[i].value) + 1);
}

struct workers *workers_open(const struct subjects *subjects, bool workers, bool threads)
{
	struct workers *w = mem_zero(1, sizeof(*w));
	struct intern seen = { 0 };
	struct buf key = { 0 };

	*w = (struct workers){ .subjects = subjects,
		.workers = workers,
		.threads = threads,
		.family = mem_zero(subjects->count, sizeof(*w->family)),
		.sequential = mem_zero(subjects->count, sizeof(*w->sequential)) };
	for (size_t i = 0; i < subjects->count; i++) {
		put_key(w, &key, &subjects->subject[i]);
		w->family[i] = intern_add(&seen, (struct text){ key.ptr, key.len });
	}
	intern_free(&seen);
	buf_free(&key);
	return w;
}

void workers_close(struct workers *w)
{
	if (!w)
		return;
	free(w->family);
	free(w->sequential);
	free(w->value);
	free(w);
}

static bool is_ok(const struct emit_sample *s)
{
	return strcmp(s->status, "ok") == 0;
}

static double throughput_of(const struct emit_sample *s)
{
	return is_ok(s)
	           ? speedup_throughput(s->subject->workers, (double)s->result->wall_ns)
	           : NAN;
}

void workers_forget(struct workers *w)
{
	for (size_t i = 0; w && i < w->subjects->count; i++)
		w->sequential[i] = NAN;
}

void workers_note(struct workers *w, size_t subject, double throughput)
{
	if (w && workers_of(&w->subjects->subject[subject]) == 1)
		w->sequential[w->family[subject]] = throughput;
}

double workers_speedup(const struct workers *w, size_t subject, double throughput)
{
	return w ? speedup_of(throughput, w->sequential[w->family[subject]]) : NAN;
}

void workers_round(struct workers *w, struct runner *r)
{
	workers_forget(w);
	for (size_t i = 0; w && i < w->subjects->count; i++)
		if (runner_ran(r, i)) {
			struct emit_sample sample = runner_sample(r, i);

			workers_note(w, i, throughput_of(&sample));
		}
}

static struct emit_value *sample_add_value(struct workers *w, const struct emit_sample *s,
    const char *metric, const char *unit, double value)
{
	struct emit_value *v = VEC_ADD(w->value, w->values, w->cap);

	*v = (struct emit_value){ .metric = metric,
		.unit = unit,
		.value = value,
		.status = s->status,
		.iterations = 1 };
	return v;
}

void workers_values(struct workers *w, size_t subject, const struct wire_worker *worker,
    struct emit_sample *s)
{
	uint32_t workers;
	double throughput, speedup;

	if (!w)
		return;
	w->values = 0;
	for (size_t i = 0; i < s->values; i++)
		*VEC_ADD(w->value, w->values, w->cap) = s->value[i];
	workers = s->subject->workers;
	throughput = throughput_of(s);
	speedup = workers_speedup(w, subject, throughput);
	sample_add_value(w, s, "throughput", "1/s", throughput);
	if (!isnan(speedup)) {
		sample_add_value(w, s, "speedup", "1", speedup);
		sample_add_value(
		    w, s, "efficiency", "1", speedup_efficiency(speedup, workers));
	}
	for (uint32_t k = 0; k < workers; k++) {
		struct emit_value *v = sample_add_value(w, s, "worker_wall", "ns",
		    (double)(worker ? worker[k].wall_ns : s->result->wall_ns));

		v->of_worker = true;
		v->worker = k;
	}
	s->value = w->value;
	s->values = w->values;
}
