/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events of a run: the arguments for perf_event_open(2), and the result of opening
 * each. The process that counts opens and reads the counters: see spawn_client.h.
 */
#ifndef COUNTERS_COUNTER_H
#define COUNTERS_COUNTER_H

#include <linux/perf_event.h>

#include "sys/kernel_files.h"
#include "text/formula.h"

enum counter_state { COUNTER_READY, COUNTER_UNSUPPORTED, COUNTER_DENIED };

struct counter {
	char *name; /* as requested; ":u" is appended if only user mode may be counted */
	char *unit;
	double scale; /* value = count * scale */
	struct perf_event_attr attr;
	bool user_only_counts; /* is meaningful without the kernel's part */
	bool asked;     /* requested by name: gets a row even if it cannot be counted */
	bool hidden;    /* counted only for a derived metric */
	uint32_t bond;  /* counters with the same bond other than 0 are counted together */
	bool strict;    /* the counters of the bond are counted together or not at all */
	bool user_only; /* the kernel's part was denied */
	enum counter_state state;
	int error; /* errno of opening; ECANCELED: another event of the group failed; EDOM:
	              it would include the time of idle processors; EADDRNOTAVAIL: it is
	              counted on other processors */
};

/* A metric computed from counts and other metrics of a sample. */
struct derived {
	char *name, *unit;
	struct formula *formula;
	size_t *input; /* for each name of the formula: index of a counter, or SIZE_MAX */
};

struct counter_set {
	struct counter *counter;
	size_t count, cap;
	struct derived *derived;
	size_t deriveds, derived_cap;
	uint32_t bonds;
	struct kernel_files files; /* files of the machine, valid if files_open is set */
	bool files_open;
	bool attached; /* counted in processes that run already, by bench-run itself ... */
	bool foreign;  /* ... some of which belong to another user */
	bool whole_machine; /* counted on each processor, by bench-run itself ... */
	bool in_groups;     /* ... likewise, but of control groups */
	char **kind; /* PMU of each kind of processors, if there are several */
	size_t kinds;
};

/*
 * Adds the events of a list in the syntax of perf: "cycles,LLC-load-misses,r01c2,
 * task-clock:u". {a,b} is a group, which is counted together or not at all. On a machine
 * with several kinds of processors, a hardware event becomes one event for each kind.
 * Returns 0, or -1 with a message that names the unknown event.
 */
int counter_add(struct counter_set *set, const char *list, bool asked, struct fault *f);
/*
 * Adds an event of a set under another name, with a bond (0: none). On a machine with
 * several kinds of processors, @ and the PMU of the kind are appended to the name. Sets are
 * written for many machines: an event of a PMU that this kernel lacks is added but cannot
 * be opened. Returns 0, or -1 with a message that names the unknown event.
 */
int counter_add_named(struct counter_set *set, const char *name, const char *event,
    uint32_t bond, bool asked, struct fault *f);
/* Adds a requested metric that this machine lacks, so that it gets a row. */
void counter_add_absent(struct counter_set *set, const char *name, const char *unit);
/*
 * Returns whether the machine has a PMU whose name in the kernel or in libpfm4 matches a
 * pattern such as "@(icx|spr)", or an event of the kernel such as "cpu/slots/". Returns
 * true for "".
 */
bool counter_has_pmu(struct counter_set *set, const char *glob);
/*
 * Adds a derived metric. Its counters get the same bond, so that they are counted at the
 * same time. If a bond would be too large for most processors, a counter is counted once
 * more. A metric is omitted if the set lacks one of its counters. Returns 0, or -1 and a
 * message.
 */
int counter_derive(struct counter_set *set, const char *name, const char *unit,
    const char *formula, struct fault *f);
/* Records the result of opening event i. */
void counter_opened(struct counter_set *set, size_t i, int error, bool user_only);
/* Appends ":u" to metrics derived from user-mode counts. Call after all events are opened.
 */
void counter_settle(struct counter_set *set);
/*
 * Appends one line to out, which must be empty, about events that could not be counted and
 * the remedy. Events that the machine lacks are included only if they were requested by
 * name, or if unrequested is set. Returns false if there is nothing to report.
 */
bool counter_explain(const struct counter_set *set, bool unrequested, struct buf *out);
void counter_free(struct counter_set *set);

#endif
