/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of bench-store; see bench_store.h.
 */
#include <stdlib.h>

#include "base/clock.h"
#include "bench_store.h"
#include "io/message.h"
#include "io/opt_verb.h"

static struct bench_store_opts o = { .wait.ns = 30e9,
	.filter.last = STORE_FILTER_OPTS_ALL };

static const struct opt opts[] = {
	OPT_HEADING("The database"),
	OPT('D', "database", &o.database, "NAME",
	    "file or postgresql:// URL (default: $BENCH_DB, or a file in your home "
	    "directory)"),
	OPT(0, "wait", &o.wait, "TIME", "time to wait for a lock (30s)"),
	OPT_HEADING("Filters (for " STORE_FILTER_OPT_VERBS ")"),
	STORE_FILTER_OPTS(&o.filter),
	OPT_HEADING("Adding and querying"),
	OPT('m', "melt", &o.melt, "COLUMN[:UNIT]",
	    "add: read the values from COLUMN of another program's CSV (repeatable)"),
	OPT(0, "overwrite", &o.overwrite, NULL, "init: empty an existing database"),
	OPT(0, "facts", &o.facts, NULL, "export: write facts of machines, not rows"),
	OPT('w', "write", &o.write, NULL, "sql: allow statements to change the database"),
	OPT(0, "anonymize", &o.anonymize, NULL,
	    "export: replace hosts, paths, arguments of commands and users"),
	OPT(0, "anonymize-key", &o.key, "FILE",
	    "export: anonymize with the key in FILE (a file in your home directory)"),
	OPT(0, "at", &o.at, "TIME", "annotate: attach the text to a time, not to runs"),
	OPT_HEADING("Maintenance"),
	OPT(0, "seal", &o.seal, NULL, "check: seal runs that an older version added"),
	OPT(0, "force", &o.force, NULL,
	    "check --seal: also seal changes by other programs"),
	STORE_PRUNE_OPTS(&o.prune),
	OPT_END,
};

static const char *const synopsis[] = {
	"[-D database] init [--overwrite]",
	"[-D database] add [-m column[:unit]]... [file...]",
	"[-D database] merge database...",
	"[-D database] list [filters] [runs|benches|hosts|tags|facts|annotations [run...]]",
	"[-D database] export [filters] [--facts] [--anonymize] [--anonymize-key file] "
	"[run...]",
	"[-D database] info",
	"[-D database] sql [-w] statement [value...]",
	"[-D database] tag name [filters] [run...]",
	"[-D database] untag name [filters] [run...]",
	"[-D database] annotate text [filters] [run...]",
	"[-D database] annotate text --at time [--host name] [--bench name]",
	"[-D database] unannotate number...",
	"[-D database] check [--seal [--force]]",
	"[-D database] backup file",
	"[-D database] prune [filters] [prune options] [run...]",
	NULL,
};

static const struct opt_word verb_words[] = {
	{ "init", "create an empty database; add also creates one" },
	{ "add", "add rows and facts; rows that are already there are skipped" },
	{ "merge", "add everything in other databases" },
	{ "list", "list runs, benchmarks, machines, tags, facts or annotations" },
	{ "export", "write rows to standard output" },
	{ "info", "print the size of the database and what it contains" },
	{ "sql", "run SQL statements" },
	{ "tag", "tag runs, by default the newest" },
	{ "untag", "remove a tag" },
	{ "annotate", "attach a note to runs or to a moment" },
	{ "unannotate", "remove notes" },
	{ "check", "look for damage and for changes by other programs" },
	{ "backup", "copy the database while it is in use" },
	{ "prune", "remove runs; -n only lists them" },
	{ NULL, NULL },
};

const struct opt_program bench_store = {
	.name = "bench-store",
	.synopsis = synopsis,
	.summary = "Keep measurements in a database, and query them.",
	.words = verb_words,
	.words_title = "Verbs",
	.opts = opts,
	.flags = OPT_FORMATS | OPT_PAGER,
};

static void check_annotate(struct bench_store_plan *plan)
{
	const struct store_annotation_opts annotate = { .text = plan->args[0],
		.at = o.at,
		.filter = &plan->filter,
		.runs = plan->runs,
		.now_ns = clock_realtime_ns() };
	struct fault f;

	if (store_annotation_init(&plan->annotation, &annotate, &f) < 0)
		opt_usage_error(&bench_store, "%s", f.text);
}

static void check_prune(struct bench_store_plan *plan)
{
	struct fault f;

	if (store_keep_from_opts(&o.prune, &plan->filter, plan->runs, clock_realtime_ns(),
	        &plan->keep, &f) < 0)
		opt_usage_error(&bench_store, "%s", f.text);
}

static void check_check(struct bench_store_plan *plan)
{
	(void)plan;
	if (o.force && !o.seal)
		opt_usage_error(&bench_store, "check: --force requires --seal");
}

/* In the order of messages. */
static const struct verb {
	struct opt_verb usage;
	bool filters;
	size_t before_runs; /* operands before the names of runs; 0: only runs, if any */
	int flags;          /* of store_open */
	const bool *toggle; /* when true, toggles the flag below; may be NULL */
	int toggled;
	void (*check)(struct bench_store_plan *plan); /* may be NULL */
} verbs[STORE_VERBS] = {
	[STORE_VERB_INIT] = { { "init", 0, 0, { "overwrite" } }, .flags = STORE_CREATE,
	    .toggle = &o.overwrite, .toggled = STORE_EMPTY },
	[STORE_VERB_ADD] = { { "add", 0, SIZE_MAX, { "melt" } },
	    .flags = STORE_CREATE | STORE_DEFER },
	[STORE_VERB_EXPORT] = { { "export", 0, SIZE_MAX,
	                            { "facts", "anonymize", "anonymize-key" } },
	    .filters = true, .flags = STORE_READ },
	[STORE_VERB_LIST] = { { "list", 0, SIZE_MAX, { NULL } }, .filters = true,
	    .before_runs = 1, .flags = STORE_READ },
	[STORE_VERB_TAG] = { { "tag", 1, SIZE_MAX, { NULL } }, .filters = true,
	    .before_runs = 1 },
	[STORE_VERB_UNTAG] = { { "untag", 1, SIZE_MAX, { NULL } }, .filters = true,
	    .before_runs = 1 },
	[STORE_VERB_ANNOTATE] = { { "annotate", 1, SIZE_MAX, { "at" } }, .filters = true,
	    .before_runs = 1, .check = check_annotate },
	[STORE_VERB_UNANNOTATE] = { .usage = { "unannotate", 1, SIZE_MAX, { NULL } } },
	[STORE_VERB_PRUNE] = { { "prune", 0, SIZE_MAX, { STORE_PRUNE_OPT_NAMES } },
	    .filters = true, .toggle = &o.prune.dry, .toggled = STORE_READ,
	    .check = check_prune },
	[STORE_VERB_MERGE] = { { "merge", 1, SIZE_MAX, { NULL } },
	    .flags = STORE_CREATE | STORE_DEFER },
	[STORE_VERB_CHECK] = { { "check", 0, 0, { "seal", "force" } }, .flags = STORE_READ,
	    .toggle = &o.seal, .toggled = STORE_READ, .check = check_check },
	[STORE_VERB_BACKUP] = { { "backup", 1, 1, { NULL } },
	    .flags = STORE_READ | STORE_OLD },
	[STORE_VERB_INFO] = { { "info", 0, 0, { NULL } }, .flags = STORE_READ },
	[STORE_VERB_SQL] = { { "sql", 1, SIZE_MAX, { "write" } }, .flags = STORE_READ,
	    .toggle = &o.write, .toggled = STORE_READ },
};

/* Verbs of other programs. */
static const struct name_alias foreign[] = { { "create", "init" }, { "import", "add" },
	{ "insert", "add" }, { "load", "add" }, { "push", "add" }, { "ls", "list" },
	{ "log", "list" }, { "show", "list" }, { "runs", "list runs" }, { "cat", "export" },
	{ "dump", "export" }, { "query", "sql" }, { "select", "sql" }, { "status", "info" },
	{ "stats", "info" }, { "delete", "prune" }, { "rm", "prune" },
	{ "remove", "prune" }, { "gc", "prune" }, { "vacuum", "prune --vacuum" },
	{ "fsck", "check" }, { "verify", "check" }, { "copy", "backup" },
	{ "restore", "merge" }, { "note", "annotate" }, { "help", "--help" } };

static const struct opt_verbs table = { &bench_store, verbs, sizeof(*verbs), STORE_VERBS,
	foreign, COUNT(foreign) };

/* Reads the filters of a verb that takes some; then checks the options of the verb. */
static void read_verb(const struct verb *verb, struct bench_store_plan *plan)
{
	const bool toggles = verb->toggle && *verb->toggle;
	struct fault f;

	if (verb->filters &&
	    store_filter_from_opts(&o.filter, clock_realtime_ns(), &plan->filter, &f) < 0)
		opt_usage_error(&bench_store, "%s", f.text);
	if (verb->check)
		verb->check(plan);
	plan->verb = (enum store_verb)(verb - verbs);
	plan->flags = verb->flags ^ (toggles ? verb->toggled : 0);
	plan->reads = verb->flags & STORE_READ;
}

const struct bench_store_opts *bench_store_opts_read(
    int argc, char **argv, struct bench_store_plan *plan)
{
	static const char *const filters[] = { STORE_FILTER_OPT_NAMES, NULL };
	const struct verb *verb;
	struct fault f;
	int first;

	first = opt_parse(&bench_store, argc, argv);
	verb = opt_verb_choose(&table, argv[first]);
	plan->args = argv + first + 1;
	plan->count = (size_t)(argc - first - 1);
	opt_verb_check(&table, &verb->usage, plan->count);
	if (verb->filters && plan->count > verb->before_runs) {
		plan->run = plan->args + verb->before_runs;
		plan->runs = plan->count - verb->before_runs;
	}
	if (!verb->filters)
		opt_verb_refuse(&bench_store, filters, STORE_FILTER_OPT_VERBS);
	plan->database = o.database ? str_copy(o.database) : store_default_name(&f);
	if (!plan->database)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	read_verb(verb, plan);
	return &o;
}

void bench_store_opts_free(struct bench_store_plan *plan)
{
	free(plan->database);
}
