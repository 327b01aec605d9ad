/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events of a run: what perf_event_open(2) takes, and what became of each. Opening and
 * reading is the work of the process that counts: see spawn_client.h.
 */
#ifndef COUNTERS_COUNTER_H
#define COUNTERS_COUNTER_H

#include <linux/perf_event.h>

#include "sys/kernel_files.h"
#include "text/formula.h"

enum counter_state { COUNTER_READY, COUNTER_UNSUPPORTED, COUNTER_DENIED };

struct counter {
	char *name; /* as asked; ":u" is appended when only user mode may be counted */
	char *unit;
	double scale; /* value = count * scale */
	struct perf_event_attr attr;
	bool user_only_counts; /* still tells something without the kernel's part */
	bool asked;            /* by name, so that its absence is worth a row */
	bool hidden;           /* only there for a derived metric */
	uint32_t bond;         /* equal ones other than 0 are to be counted together ... */
	bool strict;           /* ... or not at all */
	bool user_only;        /* the kernel's part was denied */
	enum counter_state state;
	int error; /* errno of the opening that failed; ECANCELED: of another in its group
	            */
};

/* A metric made of counts, and of the other figures of a run. */
struct derived {
	char *name, *unit;
	struct formula *formula;
	size_t *input; /* by name of the formula: which counter, or SIZE_MAX: a figure */
};

struct counter_set {
	struct counter *counter;
	size_t count, cap;
	struct derived *derived;
	size_t deriveds, derived_cap;
	uint32_t bonds;
	struct kernel_files files; /* the machine's, once it was needed */
	bool files_open;
	char **kind; /* of processors: the PMU of each, when there are several */
	size_t kinds;
};

/*
 * Adds the events of a list as perf writes it: "cycles,LLC-load-misses,r01c2,task-clock:u";
 * {a,b} is a group, counted together or not at all. On a machine with several kinds of
 * processors an event of the processors becomes one for each kind. Returns 0, or -1 with a
 * message naming the event that is not known.
 */
int counter_add(struct counter_set *set, const char *list, bool asked, struct fault *f);
/*
 * Adds one event of a set under a name of its own, and bonded (0: not). On a machine with
 * several kinds of processors the name is followed by @ and the kind's PMU. Sets are
 * written for many machines: an event of a PMU that this kernel lacks is added, and cannot
 * be opened. 0, or -1 with a message naming the event that is not known.
 */
int counter_add_named(struct counter_set *set, const char *name, const char *event,
    uint32_t bond, bool asked, struct fault *f);
/* A metric that was asked for and that this machine lacks. */
void counter_add_absent(struct counter_set *set, const char *name, const char *unit);
/*
 * Returns whether the machine has a PMU, by the kernel's name or libpfm4's, a glob such as
 * "@(icx|spr)"; or an event of the kernel's, "cpu/slots/". "" is always there.
 */
bool counter_has_pmu(struct counter_set *set, const char *glob);
/*
 * Adds a derived metric. Its counters, those of its names which are none of a run's figures
, are bonded, so that a ratio is one of counts of the same time; where a bond
 * would be too large for most processors, a counter is counted once more for it. A metric
 * whose counters are not all in the set is left out. Returns 0, or -1 and the message.
 */
int counter_derive(struct counter_set *set, const char *name, const char *unit,
    const char *formula, struct fault *f);
/* Takes in what opening event i came to. */
void counter_opened(struct counter_set *set, size_t i, int error, bool user_only);
/* All have been opened: metrics derived from counts of user mode only are named so. */
void counter_settle(struct counter_set *set);
/*
 * One line, put into the empty out, about what could not be counted and what would help;
 * false when all is well.
 */
bool counter_explain(const struct counter_set *set, struct buf *out);
void counter_free(struct counter_set *set);

#endif
