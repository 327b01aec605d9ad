/*
 * The descendants of a process, looked at again and again.
 */
#ifndef FAMILY_H
#define FAMILY_H

#include <sys/types.h>

#include "base/base.h"

struct family;

struct family_sums {
	uint64_t processes, threads, rss_bytes;
	/* NAN when it is not known of all of them, or was not looked at */
	double cpu_ns; /* since the beginning; of those that were waited for, too */
	double pss_bytes;
	double read_bytes, write_bytes; /* from and to storage, since the beginning */
	double switches;                /* since the last time that they were known */
};

/* What is to be looked at that costs more. */
struct family_depth {
	bool pss;
	bool tasks; /* the threads of processes that have several, and their children */
};

struct family *family_open(pid_t head, struct fault *f);
void family_close(struct family *f);
/* Forget all: another run begins. */
void family_forget(struct family *f);
/* Look at all descendants of the head, without itself. False when there are none. */
bool family_look(struct family *f, struct family_depth depth, struct family_sums *out);

#endif
