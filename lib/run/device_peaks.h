/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What devices can do at most, as far as a run has measured it: once for each backend,
 * device, number of threads and type of elements.
 */
#ifndef RUN_DEVICE_PEAKS_H
#define RUN_DEVICE_PEAKS_H

#include "subject/subject.h"

struct peak {
	double flop_rate, bandwidth; /* 0: not known */
};

struct device_peaks;

struct device_peaks *device_peaks_open(void);
void device_peaks_close(struct device_peaks *p);
/* That of a kernel's or model's device, nothing at first; it lives as long as the peaks. */
struct peak *device_peaks_of(struct device_peaks *p, const struct subject *s);

#endif
