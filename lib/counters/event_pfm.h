/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Events that libpfm4 knows; the one module that includes it.
 */
#ifndef COUNTERS_EVENT_PFM_H
#define COUNTERS_EVENT_PFM_H

#include "counters/event.h"

/* Returns 0; 1 when libpfm4 does not know the name; or -1 and the message. */
int event_pfm_encode(const char *name, struct event_code *out, struct fault *f);
/* Returns whether a PMU of such a name is here; a glob, as of fnmatch(3). */
bool event_pfm_present(const char *glob);
/* Those of the processors that are here. Returns 0 or -1. */
int event_pfm_each(event_visit *visit, void *ctx, struct fault *f);

#endif
