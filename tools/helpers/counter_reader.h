/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts events of this process's children from their exec to their end, or of the thread
 * that opens the counters. Only the helpers link it.
 */
#ifndef TOOLS_HELPERS_COUNTER_READER_H
#define TOOLS_HELPERS_COUNTER_READER_H

#include "protocol/spawn_proto.h"

/* Whose events are counted. */
enum counting_whom {
	COUNTING_CHILDREN, /* this process's children, from their exec to their end */
	COUNTING_SELF,     /* this thread; read without the kernel if that is possible */
	COUNTING_FAMILY,   /* this thread, and the threads and children that it starts */
};

/* Opens up to WIRE_EVENTS_MAX events, and stores in out how each of them went. Called at
 * most once in each thread. */
void counter_reader_open(const struct wire_event *asked, uint32_t count,
    enum counting_whom of, struct wire_opened *out);
/* Starts counting. COUNTING_CHILDREN does not need it. */
void counter_reader_start(void);
/*
 * Stores the sums so far, by event; the difference of two readings is what happened in
 * between. The count of an event that is not open is left unchanged.
 */
void counter_reader_read(struct wire_count *out);

#endif
