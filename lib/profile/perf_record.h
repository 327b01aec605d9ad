/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decodes the records that the kernel writes into the ring buffer of a sampling event
 * (perf_event_open(2)). Pure: from bytes to a record, so that tests can use recorded bytes.
 */
#ifndef PROFILE_PERF_RECORD_H
#define PROFILE_PERF_RECORD_H

#include "base/base.h"

enum perf_kind {
	PERF_OTHER, /* not used */
	PERF_SAMPLE,
	PERF_MAP,
	PERF_COMM,
	PERF_FORK,
	PERF_EXIT,
	PERF_LOST,
	PERF_THROTTLE,
	PERF_SWITCH,
};

/* The content of samples. All records end with process, thread and time. */
struct perf_layout {
	bool chain;         /* call chain by frame pointers */
	uint64_t registers; /* bit set of the registers of user mode; 0: no registers and no
	                       stack */
};

enum { PERF_REGISTERS_MAX = 64 };

struct perf_sample {
	uint64_t address;
	uint64_t period; /* number of events that the sample represents */
	bool in_kernel;
	const unsigned char *chain; /* 64-bit words, innermost first; see perf_word */
	size_t links;
	bool has_registers;
	uint64_t
	    reg[PERF_REGISTERS_MAX]; /* by the number of the kernel; only those requested */
	const unsigned char *stack;  /* copy from the stack pointer upwards */
	size_t stack_size;
};

struct perf_map {
	uint64_t start, size, offset; /* offset: offset of start in the file */
	const char *path;
	/* Distinguishes files with the same path: 24 bytes of the kernel, with the device,
	 * inode and generation, or other bytes. */
	struct text identity;
};

struct perf_record {
	enum perf_kind kind;
	uint32_t pid, tid;
	uint64_t time_ns;
	union {
		struct perf_sample sample;
		struct perf_map map;
		struct {
			const char *name;
			bool exec;
		} comm;
		uint32_t parent; /* PERF_FORK: the process that forked */
		uint64_t lost;   /* number of lost records */
		struct {
			bool out; /* the thread leaves the processor; else it gets it */
			bool preempted; /* leaves it although it is ready to run */
		} change;
	};
};

/* Returns the sample_type of an event with this layout. */
uint64_t perf_sample_type(const struct perf_layout *layout);
/*
 * Decodes one record of size bytes, including its header. Returns 0, or -1 if the bytes are
 * not a record of this layout. Pointers in out point into bytes. Nothing after the record
 * is read: names are checked to end inside it.
 */
int perf_decode(const struct perf_layout *layout, const void *bytes, size_t size,
    struct perf_record *out);
/* Returns the time of a record, or 0 if it has none. */
uint64_t perf_time(const void *bytes, size_t size);
/* Returns word i of a call chain. */
uint64_t perf_word(const unsigned char *words, size_t i);

#endif
