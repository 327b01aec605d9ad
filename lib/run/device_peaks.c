/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Peak rates by device; see device_peaks.h.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/intern.h"
#include "run/device_peaks.h"

struct device_peaks {
	struct intern devices;
	struct peak **peak;
	size_t count, cap;
};

struct device_peaks *device_peaks_open(void)
{
	return mem_zero(1, sizeof(struct device_peaks));
}

void device_peaks_close(struct device_peaks *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < p->count; i++)
		free(p->peak[i]);
	free(p->peak);
	intern_free(&p->devices);
	free(p);
}

struct peak *device_peaks_of(struct device_peaks *p, const struct subject *s)
{
	static const char *const names[] = { "backend", "device", "threads", "dtype" };
	struct buf key = { 0 };
	size_t number;

	for (size_t i = 0; i < s->factors; i++)
		for (size_t k = 0; k < COUNT(names); k++)
			if (strcmp(s->factor[i].name, names[k]) == 0)
				buf_printf(&key, "%s=%s\n", names[k], s->factor[i].value);
	number = intern_add(&p->devices, text_in(&key));
	buf_free(&key);
	if (number == p->count)
		*VEC_ADD(p->peak, p->count, p->cap) = mem_zero(1, sizeof(struct peak));
	return p->peak[number];
}

double *peak_place(struct peak *p, enum run_metric metric)
{
	switch (metric) {
	case METRIC_PEAK_FLOP_RATE:
		return &p->flop_rate;
	case METRIC_PEAK_MATRIX_RATE:
		return &p->matrix_rate;
	case METRIC_PEAK_BANDWIDTH:
		return &p->bandwidth;
	case METRIC_PEAK_CACHE_BANDWIDTH:
		return &p->cache_bandwidth;
	case METRIC_PEAK_CACHE_SIZE:
		return &p->cache_bytes;
	default:
		return NULL;
	}
}

/* Returns the seconds of an amount; 0 if the rate is not known. */
static double seconds_of(double amount, double rate)
{
	return rate > 0 ? amount / rate : 0;
}

double peak_least_s(const struct peak *p, const struct peak_work *work)
{
	double matrix_rate = p->matrix_rate > 0 ? p->matrix_rate : p->flop_rate,
	       bandwidth = work->bytes < p->cache_bytes ? p->cache_bandwidth : p->bandwidth;

	return fmax(fmax(seconds_of(work->matrix_flops, matrix_rate),
	                seconds_of(work->flops - work->matrix_flops, p->flop_rate)),
	    seconds_of(work->bytes, bandwidth));
}
