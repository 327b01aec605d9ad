/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The peak rates of devices, as far as a run has measured them: once for each backend,
 * device, number of threads and element type.
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
/* Returns the peak of the subject's device, zeroed until it is measured. Owned by p. */
struct peak *device_peaks_of(struct device_peaks *p, const struct subject *s);

#endif
