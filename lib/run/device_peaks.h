/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The peak rates of devices, as far as a run has measured them: once for each backend,
 * device, number of threads and element type.
 */
#ifndef RUN_DEVICE_PEAKS_H
#define RUN_DEVICE_PEAKS_H

#include "protocol/run_metric.h"
#include "subject/subject.h"

/* The peak rates of a device; 0: not known. */
struct peak {
	double flop_rate;       /* of plain arithmetic */
	double matrix_rate;     /* of matrix products */
	double bandwidth;       /* of its memory */
	double cache_bandwidth; /* of the cache that processors share ... */
	double cache_bytes;     /* ... with data of less than this size */
};

/* The work of an iteration. */
struct peak_work {
	double flops, matrix_flops; /* the second is a part of the first */
	double bytes;               /* 0: not known */
};

struct device_peaks;

struct device_peaks *device_peaks_open(void);
void device_peaks_close(struct device_peaks *p);
/* Returns the peak of the subject's device, zeroed until it is measured. Owned by p. */
struct peak *device_peaks_of(struct device_peaks *p, const struct subject *s);
/* Returns where a metric of the peaks is; NULL for another metric. */
double *peak_place(struct peak *p, enum run_metric metric);
/*
 * Returns the least seconds that the work takes: those of its arithmetic or, if longer,
 * those of its memory accesses (S. Williams, A. Waterman, D. Patterson, "Roofline", CACM
 * 52(4), 2009). The bytes are accessed at the rate of the level of memory that they fit in.
 * Returns 0 if the peaks are not known.
 */
double peak_least_s(const struct peak *p, const struct peak_work *work);

#endif
