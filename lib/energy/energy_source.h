/*
 * The energy counters of a machine, whatever shows them. A source is a row of a table: one
 * for the powercap zones, one for perf's power PMU; they show the same processors, so the
 * first that can be read is used. Sources of other devices (a graphics card) come on top.
 */
#ifndef POWER_H
#define POWER_H

#include "energy/energy.h"
#include "sys/kernel_files.h"

struct power_source;

struct power_counter {
	const struct power_source *source;
	enum energy_domain domain;
	char *name;     /* "package-0" */
	uint64_t range; /* where it wraps; 0: never */
	double units_per_joule;
	double quantum_joules; /* its steps */
	double update_s;       /* how often it is renewed */
	int fd;                /* the source's */
	void *handle;          /* the source's, when a descriptor does not do */
};

struct power_list {
	struct power_counter *counter;
	size_t count, cap;
};

enum power_state { POWER_READY, POWER_DENIED, POWER_UNSUPPORTED };
enum power_device { POWER_PROCESSOR, POWER_CARD, POWER_DEVICES };

struct power_source {
	const char *name;
	enum power_device device;
	/*
	 * Open the counters there are, and put them into the list, with power_add, also
	 * those that may not be read. If any may not, or there is none, why says so, with
	 * the file or setting and the line that mends it. A sum over some of them would
	 * mislead, so all or none are ready.
	 */
	enum power_state (*open)(
	    struct power_list *list, const struct tree *tree, struct fault *why);
	bool (*read)(
	    const struct tree *tree, const struct power_counter *c, uint64_t *units);
	void (*close)(struct power_counter *c);
};

extern const struct power_source power_powercap, power_perf, power_nvml;

/* For sources: a new counter, cleared but for the source and fd -1. */
struct power_counter *power_add(struct power_list *list, const struct power_source *source);

struct power;
/*
 * Find and open the counters; never fails, see power_state. The tree must outlive it. When
 * they wrap, a thread reads them often enough that none goes unseen.
 */
struct power *power_open(const struct tree *tree);
void power_close(struct power *p);
/* Ready when those of the processors, or of a card, are. */
enum power_state power_state(const struct power *p);
const char *power_state_name(enum power_state s); /* as in the status column */
/* Why those of the processors are not ready, and what to do; "" when they are. */
const char *power_why(const struct power *p);
/* The counters; when they are not ready, those that are there but may not be read. */
const struct power_list *power_list(const struct power *p);

/* All counters at one moment. */
struct power_reading {
	double s;        /* of CLOCK_BOOTTIME: a machine that slept shows */
	uint64_t *units; /* by counter: what each has counted since power_open */
	uint64_t unsure; /* how often until now a wrap may have gone unseen */
	bool failed;     /* a counter could not be read */
};

void power_read(struct power *p, struct power_reading *out);
void power_reading_free(struct power_reading *r);

#endif
