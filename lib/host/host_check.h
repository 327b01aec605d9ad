/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks from its facts whether a machine is suitable for benchmarking. HOST_UNFIT: times
 * measured now would mislead. HOST_NOTE: worth knowing or changing, but a fair comparison
 * is possible.
 */
#ifndef HOST_HOST_CHECK_H
#define HOST_HOST_CHECK_H

#include "host/host.h"

enum host_severity { HOST_NOTE, HOST_UNFIT };

struct host_advice {
	enum host_severity severity;
	const char *check;  /* name of the check */
	char found[128];    /* value of the fact with its unit */
	const char *advice; /* why it matters, and what to do */
};

enum { HOST_CHECKS_MAX = 32 };
/*
 * Fills out, which must have room for HOST_CHECKS_MAX, with at most one advice for each
 * check. Returns their number.
 */
size_t host_check(const struct host *h, struct host_advice *out);

#endif
