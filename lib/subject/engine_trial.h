/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the device that is the fastest for a model: one of those of engines, or the one
 * that auto chooses without engines. Each is tried for a short time, and the result is kept
 * for later runs.
 */
#ifndef SUBJECT_ENGINE_TRIAL_H
#define SUBJECT_ENGINE_TRIAL_H

#include "device/devices.h"
#include "subject/subject.h"

/*
 * Returns the value of -b for the fastest device, which the caller frees; NULL if no engine
 * can run the model. Emulated devices are not chosen. The trial takes the first value of
 * each sweep. Appends the choice to the note if there was one to make. If the model runs on
 * no device, the first device is returned.
 */
char *engine_trial_fastest(const struct devices *d, const struct template *t,
    const struct sweep *common, size_t commons, struct buf *note);

#endif
