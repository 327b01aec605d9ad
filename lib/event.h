/*
 * The name of an event -> what perf_event_open(2) calls it, through libpfm4 (the one module
 * that includes it; its headers define struct perf_event_attr anew, so the result is ours).
 */
#ifndef EVENT_H
#define EVENT_H

#include "base.h"

struct event_code {
	uint32_t type;
	uint64_t config, config1, config2;
	bool exclude_user, exclude_kernel, exclude_hv;
};

/* "cycles", "LLC-load-misses:u", "r01c2", a vendor's name. 0, or -1 and the message. */
int event_encode(const char *name, struct event_code *out, struct fault *f);

#endif
