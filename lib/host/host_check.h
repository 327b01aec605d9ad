/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks whether a machine is fit to measure on, from its facts alone. HOST_UNFIT: times
 * measured now would mislead. HOST_NOTE: worth knowing or changing, but a fair comparison
 * is possible.
 */
#ifndef HOST_HOST_CHECK_H
#define HOST_HOST_CHECK_H

#include "host/host.h"

enum host_severity { HOST_NOTE, HOST_UNFIT };

struct host_advice {
	enum host_severity severity;
	const char *check;  /* what was looked at */
	char found[128];    /* the fact, as people read it */
	const char *advice; /* why it matters and what to do */
};

/* Fills out, which has room for HOST_CHECKS_MAX, with at most one advice a check. Returns
 * their number. */
enum { HOST_CHECKS_MAX = 32 };
size_t host_check(const struct host *h, struct host_advice *out);

#endif
