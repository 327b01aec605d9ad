/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The energy counters of a machine. A source is one way to read them: powercap zones, or
 * the power PMU of perf. Both show the same processors, so the first source that can be
 * read is used. Sources of other devices (GPUs) are used in addition.
 */
#ifndef ENERGY_ENERGY_SOURCE_H
#define ENERGY_ENERGY_SOURCE_H

#include "energy/energy.h"
#include "sys/kernel_files.h"

struct energy_source;

struct energy_counter {
	const struct energy_source *source;
	enum energy_domain domain;
	char *name;           /* "package-0" */
	const char *access;   /* the name of the interface, such as "powercap" */
	char pci[16];         /* the PCI address of a card; empty if it is not known */
	uint64_t range_units; /* value at which it wraps; 0: never */
	double units_per_joule;
	double quantum_joules; /* size of a step */
	double update_s;       /* time between two updates */
	int fd;                /* for the source */
	void *handle;          /* for a source that needs more than a descriptor */
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
	 * Opens all counters and adds them to the list with energy_counter_add, including
	 * those that may not be read. If a counter may not be read, or if there is none,
	 * why is the reason, with the file or setting and the command that helps. Either
	 * all or none are ready, because a partial sum would mislead.
	 */
	enum energy_state (*open)(struct energy_counter_list *list,
	    const struct kernel_files *files, struct fault *why);
	bool (*read)(const struct kernel_files *files, const struct energy_counter *c,
	    uint64_t *units);
	void (*close)(struct energy_counter *c);
};

extern const struct energy_source energy_source_powercap, energy_source_perf,
    energy_source_card;

/* Adds a counter with the source, its name as the interface, and fd -1; all else is zero.
 * For sources. */
struct energy_counter *energy_counter_add(
    struct energy_counter_list *list, const struct energy_source *source);

struct energy_sources;
/*
 * Finds and opens the counters. Never fails; see energy_sources_state. files must stay open
 * until energy_sources_close. A thread reads counters that wrap, often enough to detect
 * every wrap.
 */
struct energy_sources *energy_sources_open(const struct kernel_files *files);
void energy_sources_close(struct energy_sources *p);
/* Returns ready if the counters of the processors or of a GPU are. */
enum energy_state energy_sources_state(const struct energy_sources *p);
/* Returns why the counters of the processors are not ready and what to do, or "". */
const char *energy_sources_why(const struct energy_sources *p);
/* Returns the counters; if they are not ready, those that exist but may not be read. */
const struct energy_counter_list *energy_sources_list(const struct energy_sources *p);

/* A reading of all counters. */
struct energy_reading {
	double s;                /* CLOCK_BOOTTIME, which includes suspended time */
	uint64_t *units;         /* by counter: units since energy_sources_open */
	uint64_t unsure;         /* number of times that a wrap may have been missed */
	bool failed;             /* a counter could not be read */
	unsigned suspensions[2]; /* of this process, before and after the reading */
};

/* Reads all counters. Free the reading with energy_reading_free. */
void energy_sources_read(struct energy_sources *p, struct energy_reading *out);
void energy_reading_free(struct energy_reading *r);

#endif
