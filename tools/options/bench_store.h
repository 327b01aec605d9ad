/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-store.
 */
#ifndef OPTIONS_BENCH_STORE_H
#define OPTIONS_BENCH_STORE_H

#include "io/opt.h"
#include "store/store_annotate.h"
#include "store/store_filter_opts.h"
#include "store/store_prune_opts.h"

/* The values of the options. */
struct bench_store_opts {
	const char *database;
	struct opt_duration wait;
	struct store_filter_opts filter;
	struct opt_list melt;
	bool overwrite, facts, write, anonymize;
	const char *key;
	struct store_prune_opts prune;
	const char *at;
	bool seal, force;
};

enum store_verb {
	STORE_VERB_INIT,
	STORE_VERB_ADD,
	STORE_VERB_EXPORT,
	STORE_VERB_LIST,
	STORE_VERB_TAG,
	STORE_VERB_UNTAG,
	STORE_VERB_ANNOTATE,
	STORE_VERB_UNANNOTATE,
	STORE_VERB_PRUNE,
	STORE_VERB_MERGE,
	STORE_VERB_CHECK,
	STORE_VERB_BACKUP,
	STORE_VERB_INFO,
	STORE_VERB_SQL,
	STORE_VERBS
};

/* The task that the options and operands choose. */
struct bench_store_plan {
	enum store_verb verb;
	char **args; /* operands of the verb */
	size_t count;
	char **run; /* the operands that name runs */
	size_t runs;
	char *database;
	int flags;                          /* of store_open */
	bool reads;                         /* the verb is one of those that only read */
	struct store_filter filter;         /* of a verb that takes filters */
	struct store_keep keep;             /* of prune */
	struct store_annotation annotation; /* of annotate */
};

extern const struct opt_program bench_store;

/*
 * Reads and checks the command line, and fills in the plan, which is zero before. Returns
 * the values of the options, which live until the program ends. A wrong option, verb or
 * operand ends the program (opt_usage_error).
 */
const struct bench_store_opts *bench_store_opts_read(
    int argc, char **argv, struct bench_store_plan *plan);
/* Frees what the plan holds. */
void bench_store_opts_free(struct bench_store_plan *plan);

#endif
