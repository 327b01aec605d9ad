/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the fastest device for a model among the devices of engines and the device that
 * auto chooses without engines. Each device is tried for a short time, and the result is
 * kept for later runs.
 */
#ifndef SUBJECT_ENGINE_TRIAL_H
#define SUBJECT_ENGINE_TRIAL_H

#include "device/devices.h"
#include "subject/subject.h"

/* The options of the run. */
struct trial_opts {
	const struct sweep *common; /* the common sweeps */
	size_t commons;
	char *const *input; /* the values of --input */
	size_t inputs;
	/* Reports the device that is tried next, and the fraction of devices that were
	 * tried; may be NULL. */
	void (*progress)(void *ctx, const char *what, double done);
	void *ctx;
};

/*
 * Returns the value of -b for the fastest device, which the caller frees; NULL if no engine
 * can run the model. Emulated devices are not chosen. The trial takes the first value of
 * each sweep, and the largest number of workers. If there are several devices, appends the
 * choice to the note. If the model runs on no device, the first device is returned.
 */
char *engine_trial_fastest(const struct devices *d, const struct template *t,
    const struct trial_opts *opts, struct buf *note);

#endif
