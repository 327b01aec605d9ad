/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what the whole machine has done since it was booted, from /proc: its processors,
 * page faults, storage, network and memory.
 *
 * The processors of a machine may change: the kernel lists those that are online. The time
 * of all processors together includes those that are offline.
 */
#ifndef SYS_MACHINE_READING_H
#define SYS_MACHINE_READING_H

#include "sys/kernel_files.h"

/* Processor time, in ns; NAN: unknown. */
struct cpu_times {
	double user; /* with the time of guests */
	double sys;  /* with interrupts */
	double idle, iowait, steal;
};

struct machine_cpu {
	unsigned number;
	struct cpu_times time;
};

/* A network interface that belongs to a device, and its bytes. */
struct machine_link {
	char name[24];
	uint64_t received, sent;
};

/* Counts since boot; NAN: unknown. */
struct machine_reading {
	int64_t at_ns;         /* CLOCK_MONOTONIC, when the values up to forks were read */
	struct cpu_times time; /* of all processors together */
	struct machine_cpu *cpu; /* that are online, in the order of their numbers */
	size_t cpus, cpu_cap;
	double switches, forks;
	int64_t more_at_ns; /* CLOCK_MONOTONIC, when the values below were read */
	double faults, major_faults;
	double read_bytes, written_bytes; /* of block devices */
	double memory_bytes;              /* in use now: not available for programs */
	struct machine_link *link;
	size_t links, link_cap;
};

/*
 * Reads the machine. A zeroed reading can be used repeatedly. Returns 0, or -1 and the
 * message if the times of the processors cannot be read.
 */
int machine_reading_take(
    const struct kernel_files *files, struct machine_reading *out, struct fault *f);
/*
 * Keeps some of the processors, by their numbers below CPUS_MAX, with the sum of their
 * times. Values that all processors share become unknown.
 */
void machine_reading_keep(struct machine_reading *r, const bool *cpus);
void machine_reading_free(struct machine_reading *r);

/* Returns the duration of a clock tick, in which the processor times are counted. */
double machine_reading_tick_ns(void);
/* Returns whether the same processors are online in both readings. */
bool machine_reading_same_cpus(
    const struct machine_reading *a, const struct machine_reading *b);
/* Returns a processor that is online; otherwise NULL. */
const struct machine_cpu *machine_reading_cpu(
    const struct machine_reading *r, unsigned number);
/*
 * Returns the time between two readings of a processor. A time that went back is unknown:
 * the kernel does not guarantee that of idle processors.
 */
struct cpu_times cpu_times_between(
    const struct cpu_times *from, const struct cpu_times *to);
/*
 * Computes the bytes that all network interfaces received and sent between two readings;
 * NAN if there is none, or if they are not the same in both.
 */
void machine_reading_network(const struct machine_reading *from,
    const struct machine_reading *to, double *received, double *sent);

#endif
