/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the kernel puts into the ring buffer of a sampling event (perf_event_open(2)), as
 * structs. Pure: bytes in, a record out, so that tests can hand it recorded ones.
 */
#ifndef PROFILE_PERF_RECORD_H
#define PROFILE_PERF_RECORD_H

#include "base/base.h"

enum perf_kind {
	PERF_OTHER, /* of no use here */
	PERF_SAMPLE,
	PERF_MAP,
	PERF_COMM,
	PERF_FORK,
	PERF_EXIT,
	PERF_LOST,
	PERF_THROTTLE,
};

/* What the samples carry; all records end with process, thread and time. */
struct perf_layout {
	bool chain;         /* the call chain by frame pointer */
	uint64_t registers; /* which of the user's, a bit each; 0: none, and no stack */
};

enum { PERF_REGISTERS_MAX = 64 };

struct perf_sample {
	uint64_t address;
	uint64_t period; /* how much of the event it stands for */
	bool in_kernel;
	const unsigned char *chain; /* of 64-bit words, innermost first; see perf_word */
	size_t links;
	bool has_registers;
	uint64_t reg[PERF_REGISTERS_MAX]; /* by the kernel's number; those asked for */
	const unsigned char *stack;       /* from the stack pointer upwards */
	size_t stack_size;
};

struct perf_map {
	uint64_t start, size, offset; /* offset: of the start in the file */
	const char *path;
	struct text identity; /* device, inode and generation; only to tell files apart */
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
		uint64_t lost;   /* how many records */
	};
};

/* What the sample_type of an event with this layout is. */
uint64_t perf_sample_type(const struct perf_layout *layout);
/*
 * Decodes one record of size bytes, header included. Returns 0, or -1 when the bytes are no
 * record of this layout. Pointers in out go into bytes, which must be followed by nothing
 * in particular: names are checked to end inside.
 */
int perf_decode(const struct perf_layout *layout, const void *bytes, size_t size,
    struct perf_record *out);
/* Only the time of a record; 0 when it has none. */
uint64_t perf_time(const void *bytes, size_t size);
/* Word i of a call chain. */
uint64_t perf_word(const unsigned char *words, size_t i);

#endif
