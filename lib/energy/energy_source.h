/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy counters of a machine, whatever shows them. A source is a row of a table: one
 * for the powercap zones, one for perf's power PMU; they show the same processors, so the
 * first that can be read is used. Sources of other devices (a graphics card) come on top.
 */
#ifndef ENERGY_ENERGY_SOURCE_H
#define ENERGY_ENERGY_SOURCE_H

#include "energy/energy.h"
#include "sys/kernel_files.h"

struct energy_source;

struct energy_counter {
	const struct energy_source *source;
	enum energy_domain domain;
	char *name;     /* "package-0" */
	uint64_t range; /* where it wraps; 0: never */
	double units_per_joule;
	double quantum_joules; /* its steps */
	double update_s;       /* how often it is renewed */
	int fd;                /* the source's */
	void *handle;          /* the source's, when a descriptor does not do */
};

struct energy_counter_list {
	struct energy_counter *counter;
	size_t count, cap;
};

enum energy_state { ENERGY_READY, ENERGY_DENIED, ENERGY_UNSUPPORTED };
enum energy_device { ENERGY_DEVICE_PROCESSOR, ENERGY_DEVICE_CARD, ENERGY_DEVICES };

struct energy_source {
	const char *name;
	enum energy_device device;
	/*
	 * Open the counters there are, and put them into the list, with energy_counter_add,
	 * also those that may not be read. If any may not, or there is none, why says so,
	 * with the file or setting and the line that mends it. A sum over some of them
	 * would mislead, so all or none are ready.
	 */
	enum energy_state (*open)(struct energy_counter_list *list,
	    const struct kernel_files *files, struct fault *why);
	bool (*read)(const struct kernel_files *files, const struct energy_counter *c,
	    uint64_t *units);
	void (*close)(struct energy_counter *c);
};

extern const struct energy_source energy_source_powercap, energy_source_perf,
    energy_source_nvml;

/* For sources: a new counter, cleared but for the source and fd -1. */
struct energy_counter *energy_counter_add(
    struct energy_counter_list *list, const struct energy_source *source);

struct energy_sources;
/*
 * Finds and opens the counters; never fails, see energy_sources_state. The tree must
 * outlive it. When they wrap, a thread reads them often enough that none goes unseen.
 */
struct energy_sources *energy_sources_open(const struct kernel_files *files);
void energy_sources_close(struct energy_sources *p);
/* Ready when those of the processors, or of a card, are. */
enum energy_state energy_sources_state(const struct energy_sources *p);
const char *energy_state_name(enum energy_state s); /* as in the status column */
/* Why those of the processors are not ready, and what to do; "" when they are. */
const char *energy_sources_why(const struct energy_sources *p);
/* Returns the counters; when they are not ready, those that are there but may not be read.
 */
const struct energy_counter_list *energy_sources_list(const struct energy_sources *p);

/* All counters at one moment. */
struct energy_reading {
	double s;        /* of CLOCK_BOOTTIME: a machine that slept shows */
	uint64_t *units; /* by counter: what each has counted since energy_sources_open */
	uint64_t unsure; /* how often until now a wrap may have gone unseen */
	bool failed;     /* a counter could not be read */
};

void energy_sources_read(struct energy_sources *p, struct energy_reading *out);
void energy_reading_free(struct energy_reading *r);

#endif
