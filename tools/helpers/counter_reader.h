/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters that follow this process's children from their exec to their end, or that count
 * the thread which opens them. For the helpers, which link it alone.
 */
#ifndef TOOLS_HELPERS_COUNTER_READER_H
#define TOOLS_HELPERS_COUNTER_READER_H

#include "protocol/spawn_proto.h"

enum counting_whom {
	COUNTING_CHILDREN, /* from their exec on, until they have ended */
	COUNTING_SELF,     /* this thread; read without the kernel where that allows it */
	COUNTING_FAMILY,   /* this thread, and the threads and children that it starts */
};

/* Open up to WIRE_EVENTS_MAX events, once a thread; out has room for count. */
void counter_reader_open(const struct wire_event *asked, uint32_t count,
    enum counting_whom of, struct wire_opened *out);
/* Count from now on; children are counted without. */
void counter_reader_start(void);
/*
 * The sums so far: what happened between two readings is their difference. out is by
 * event; that of one that is not open stays as it is.
 */
void counter_reader_read(struct wire_count *out);

#endif
