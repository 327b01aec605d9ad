/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events of libpfm4. Only this module includes libpfm4.
 */
#ifndef COUNTERS_EVENT_PFM_H
#define COUNTERS_EVENT_PFM_H

#include "counters/event.h"

/* Returns whether libpfm4 can be loaded. */
bool event_pfm_installed(void);
/* Encodes an event. Returns 0, 1 if libpfm4 is not installed or does not know the name, or
 * -1 and a message. */
int event_pfm_encode(const char *name, struct event_code *out, struct fault *f);
/* Returns whether this machine has a PMU whose name matches a pattern, see fnmatch(3). */
bool event_pfm_present(const char *glob);
/* Calls visit for each event of the processors of this machine. Returns 0 or -1. */
int event_pfm_each(event_visit *visit, void *ctx, struct fault *f);

#endif
