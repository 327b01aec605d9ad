/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses when requests arrive; see arrivals.h.
 */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "load/arrivals.h"
#include "text/units.h"

const char *const arrivals_names[] = { "poisson", "uniform", "burst", "closed" };
const size_t arrivals_names_count = COUNT(arrivals_names);

bool arrivals_find(const char *name, enum arrivals_kind *out)
{
	for (size_t i = 0; i < arrivals_names_count; i++)
		if (strcmp(name, arrivals_names[i]) == 0) {
			*out = (enum arrivals_kind)i;
			return true;
		}
	return false;
}

bool arrivals_need_rate(enum arrivals_kind kind)
{
	return kind == ARRIVALS_POISSON || kind == ARRIVALS_UNIFORM;
}

/* Adds the arrival of a line. Returns 0, or -1 and the message. */
static int add_arrival(struct arrivals *a, size_t *cap, struct text line, struct fault *f)
{
	double s;

	if (!line.len || *line.ptr == '#')
		return 0;
	if (!number_parse(line, &s) || s < 0 || s > ARRIVALS_MAX_S)
		return fault_set(f, "'%.*s' is not a time in seconds",
		    (int)(line.len < 40 ? line.len : 40), line.ptr);
	if (a->count && (int64_t)llround(s * 1e9) < a->at_ns[a->count - 1])
		return fault_set(
		    f, "%.*s s is before the previous arrival", (int)line.len, line.ptr);
	if (a->count == ARRIVALS_MAX)
		return fault_set(f, "more than %d arrivals", ARRIVALS_MAX);
	*VEC_ADD(a->at_ns, a->count, *cap) = (int64_t)llround(s * 1e9);
	return 0;
}

int arrivals_parse(
    struct text contents, const char *name, struct arrivals *out, struct fault *f)
{
	size_t cap = 0, number = 0;

	*out = (struct arrivals){ .kind = ARRIVALS_FILE };
	while (contents.len) {
		const char *end = memchr(contents.ptr, '\n', contents.len);
		size_t len = end ? (size_t)(end - contents.ptr) : contents.len;

		number++;
		if (add_arrival(out, &cap, text_trim((struct text){ contents.ptr, len }),
		        f) < 0) {
			arrivals_free(out);
			return fault_prefix(f, "%s:%zu", name, number);
		}
		contents.ptr += len + (end != NULL);
		contents.len -= len + (end != NULL);
	}
	return out->count ? 0 : fault_set(f, "%s contains no arrival", name);
}

void arrivals_free(struct arrivals *a)
{
	free(a->at_ns);
	*a = (struct arrivals){ 0 };
}

int rate_parse(const char *text, double *out, struct fault *f)
{
	size_t len = strlen(text);
	char *number = len > 2 && strcmp(text + len - 2, "/s") == 0
	                   ? mem_text(text, len - 2)
	                   : str_copy(text);
	int status = units_number(number, out, f);

	free(number);
	if (status < 0)
		return -1;
	if (!(*out > 0) || *out > RATE_MAX)
		return fault_set(f,
		    "%s: a rate must be above 0 and at most %d requests per second", text,
		    RATE_MAX);
	return 0;
}

double arrivals_period_ns(const struct arrivals *a, const struct arrivals_size *size)
{
	size_t count = a->count;

	if (a->kind == ARRIVALS_BURST)
		return 0;
	if (a->kind == ARRIVALS_FILE) {
		if (size->requests && size->requests < count)
			count = (size_t)size->requests;
		return (double)a->at_ns[count - 1];
	}
	if (!size->requests)
		return size->period_ns;
	return arrivals_need_rate(a->kind) ? (double)size->requests / size->rate * 1e9 : 0;
}

int arrivals_check(
    const struct arrivals *a, const struct arrivals_size *size, struct fault *f)
{
	double expected =
	    size->requests ? (double)size->requests : size->rate * size->period_ns / 1e9;

	if (a->kind == ARRIVALS_BURST && !size->requests)
		return fault_set(f, "a burst needs the number of its requests: use -r");
	if (expected > ARRIVALS_MAX)
		return fault_set(f,
		    "a period would have %.0f requests, more than the limit of %d",
		    expected, ARRIVALS_MAX);
	if (arrivals_need_rate(a->kind) && expected < 1)
		return fault_set(f,
		    "at %.6g/s, fewer than one request arrives in a period of %.3g s: use "
		    "a "
		    "longer -t, or -r",
		    size->rate, size->period_ns / 1e9);
	if (arrivals_period_ns(a, size) > ARRIVALS_MAX_S * 1e9)
		return fault_set(f,
		    "a period would take %.3g s, more than the limit of %d s: use a higher "
		    "rate or a smaller -r",
		    arrivals_period_ns(a, size) / 1e9, ARRIVALS_MAX_S);
	return 0;
}

/* Draws arrivals with gaps of this mean, exponential ones if rng is not NULL. */
static int64_t *draw_arrivals(
    const struct arrivals_size *size, struct rng *rng, size_t *count)
{
	const double gap_ns = 1e9 / size->rate;
	double at_ns = rng ? -log1p(-rng_uniform(rng)) * gap_ns : 0;
	int64_t *out = NULL;
	size_t n = 0, cap = 0;

	do {
		*VEC_ADD(out, n, cap) = (int64_t)at_ns;
		at_ns =
		    rng ? at_ns - log1p(-rng_uniform(rng)) * gap_ns : (double)n * gap_ns;
	} while (n < ARRIVALS_MAX &&
	         (size->requests ? n < size->requests : at_ns < size->period_ns));
	*count = n;
	return out;
}

/* Returns the first arrivals of a file, or arrivals at 0 if there is none. */
static int64_t *copy_arrivals(const struct arrivals *a, size_t count)
{
	int64_t *out = mem_zero(count, sizeof(*out));

	if (a->kind == ARRIVALS_FILE)
		memcpy(out, a->at_ns, count * sizeof(*out));
	return out;
}

int64_t *arrivals_make(const struct arrivals *a, const struct arrivals_size *size,
    uint64_t seed, size_t *count)
{
	struct rng rng;

	*count = 0;
	if (a->kind == ARRIVALS_CLOSED)
		return NULL;
	if (arrivals_need_rate(a->kind)) {
		rng_seed(&rng, seed);
		return draw_arrivals(
		    size, a->kind == ARRIVALS_POISSON ? &rng : NULL, count);
	}
	*count = a->kind == ARRIVALS_FILE ? a->count : (size_t)size->requests;
	if (a->kind == ARRIVALS_FILE && size->requests && size->requests < *count)
		*count = (size_t)size->requests;
	return copy_arrivals(a, *count);
}

uint64_t arrivals_seed(uint64_t seed, uint64_t period)
{
	uint64_t state = seed;

	state = rng_splitmix(&state) + period;
	return rng_splitmix(&state);
}
