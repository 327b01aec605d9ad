/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store: the history of measurements in a database.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/standard_files.h"
#include "db/db.h"
#include "io/message.h"
#include "io/opt.h"
#include "io/opt_verb.h"
#include "record/anonymize.h"
#include "store/store_add_files.h"
#include "store/store_annotate.h"
#include "store/store_filter_opts.h"
#include "store/store_merge.h"
#include "store/store_prune_opts.h"
#include "store/store_report.h"
#include "store/store_reseal.h"
#include "sys/user_name.h"

static struct {
	const char *database;
	struct opt_duration wait;
	struct store_filter_opts filter;
	struct opt_list melt;
	bool overwrite, facts, write, anonymize;
	const char *key;
	struct store_prune_opts prune;
	const char *at;
	bool seal, force;
} o = { .wait.ns = 30e9, .filter.last = STORE_FILTER_OPTS_ALL };

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
	"[-D database] list [filters] [runs|benches|tags|facts|annotations]",
	"[-D database] export [filters] [--facts] [--anonymize] [--anonymize-key file]",
	"[-D database] info",
	"[-D database] sql [-w] statement [value...]",
	"[-D database] tag name [filters] [run...]",
	"[-D database] untag name [filters] [run...]",
	"[-D database] annotate text [filters] [run...]",
	"[-D database] annotate text --at time [--host name] [--bench name]",
	"[-D database] unannotate number...",
	"[-D database] check [--seal [--force]]",
	"[-D database] backup file",
	"[-D database] prune [filters] [prune options]",
	NULL,
};

enum { VERBS = 14 };
static const char *verb_names[VERBS + 1]; /* of verbs, for completion */

static const struct opt_program program = {
	.name = "bench-store",
	.synopsis = synopsis,
	.summary = "Keep measurements in a database, and query them.",
	.verbs = verb_names,
	.opts = opts,
	.flags = OPT_FORMATS | OPT_PAGER,
};

/* The arguments of a verb. */
struct request {
	char *database;
	struct store *store;
	char **args;
	size_t count;
	struct store_filter filter; /* of a verb that takes filters */
	char **runs;                /* that the filter names */
	struct store_keep keep;     /* of prune */
	struct store_annotation annotation;
	struct store_output out;
	struct buf report;   /* lines for standard error ... */
	bool report_always;  /* ... even with -q */
	struct buf warnings; /* the same, always */
};

struct verb {
	struct opt_verb usage;
	void (*check)(struct request *r); /* before the store is opened; may be NULL */
	int (*run)(struct request *r, struct fault *f); /* the exit status, or -1 */
	bool filters;
	int flags;          /* of store_open */
	const bool *toggle; /* when true, toggles the flag below; may be NULL */
	int toggled;
};

static struct store *open_store(const char *name, int flags)
{
	struct fault f;
	struct store *s;

	if (flags & STORE_CREATE && !o.database && store_make_folder(name, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	s = store_open(name, flags, o.wait.ns, &f);
	if (!s)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (!(flags & STORE_READ) && !opt_common.quiet) {
		struct buf warning = { 0 };

		store_warn_location(s, &warning);
		if (warning.len)
			message_warn("%s", warning.ptr);
		buf_free(&warning);
	}
	return s;
}

/* Writes the lines of the report so far to standard error. */
static void print_report(struct request *r)
{
	if (!opt_common.quiet || r->report_always)
		message_warn_lines((struct text){ r->report.ptr, r->report.len });
	r->report.len = 0;
	message_warn_lines((struct text){ r->warnings.ptr, r->warnings.len });
	r->warnings.len = 0;
}

static void check_init(struct request *r)
{
	if (!o.overwrite && db_exists(r->database))
		message_fail(STATUS_TROUBLE,
		    "%s: already exists (use init --overwrite to empty it)", r->database);
}

/* Opening the store has made the database. */
static int run_init(struct request *r, struct fault *f)
{
	(void)r;
	(void)f;
	return STATUS_FINE;
}

static int run_add(struct request *r, struct fault *f)
{
	const struct store_add_opts add = {
		.path = r->args, .count = r->count, .melt = &o.melt
	};

	return store_add_files(r->store, &add, &r->report, &r->warnings, f);
}

static int run_export(struct request *r, struct fault *f)
{
	int status = 0;

	if ((o.anonymize || o.key) && !(r->out.names = anonymizer_open(o.key, f)))
		return -1;
	status =
	    (o.facts ? store_export_facts : store_export)(r->store, &r->filter, &r->out, f);
	if (r->out.names)
		anonymizer_close(r->out.names);
	return status;
}

static int run_list(struct request *r, struct fault *f)
{
	return store_list(
	    r->store, r->count ? r->args[0] : store_lists[0], &r->filter, &r->out, f);
}

static int run_info(struct request *r, struct fault *f)
{
	return store_info(r->store, &r->out, f);
}

static int run_sql(struct request *r, struct fault *f)
{
	return store_sql(r->store, r->args[0], r->args + 1, r->count - 1, &r->out, f);
}

/* Adds the runs named after the first operand to the filter; or else the newest run. */
static int select_runs(struct request *r, bool newest, struct fault *f)
{
	r->runs = store_find_runs(r->store, r->args + 1, r->count - 1, f);
	if (!r->runs)
		return -1;
	r->filter.run =
	    (struct store_filter_names){ (const char *const *)r->runs, r->count - 1 };
	if (newest && store_filter_is_empty(&r->filter))
		r->filter.last = 1;
	return 0;
}

static int change_tag(struct request *r, bool away, struct fault *f)
{
	uint64_t runs = 0;

	if (select_runs(r, !away, f) < 0 || (away ? store_untag : store_tag)(r->store,
	                                        r->args[0], &r->filter, &runs, f) < 0)
		return -1;
	store_report_tagged(&r->report, runs, away);
	r->report_always = !runs;
	return runs ? STATUS_FINE : STATUS_NO;
}

static int run_tag(struct request *r, struct fault *f)
{
	return change_tag(r, false, f);
}

static int run_untag(struct request *r, struct fault *f)
{
	return change_tag(r, true, f);
}

static void check_annotate(struct request *r)
{
	struct fault f;

	const struct store_annotation_opts annotate = { .text = r->args[0],
		.at = o.at,
		.filter = &r->filter,
		.runs = r->count - 1,
		.now_ns = clock_realtime_ns() };

	if (store_annotation_init(&r->annotation, &annotate, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
}

static int run_annotate(struct request *r, struct fault *f)
{
	char *author = user_name();
	uint64_t count = 0;
	int status = o.at ? 0 : select_runs(r, true, f);

	r->annotation.author = author;
	if (status == 0)
		status = store_annotate(r->store, &r->annotation, &r->filter, &count, f);
	free(author);
	if (status < 0)
		return -1;
	store_report_annotated(&r->report, count, o.at);
	r->report_always = !count;
	return count ? STATUS_FINE : STATUS_NO;
}

static int run_unannotate(struct request *r, struct fault *f)
{
	return store_unannotate(r->store, r->args, r->count, f);
}

static void check_prune(struct request *r)
{
	struct fault f;

	if (store_keep_from_opts(&o.prune, &r->filter, clock_realtime_ns(), &r->keep, &f) <
	    0)
		opt_usage_error(&program, "%s", f.text);
}

static int run_prune(struct request *r, struct fault *f)
{
	struct store_pruned pruned = { 0 };
	int status = 0;

	if (store_prune_selects(&o.prune, &r->filter))
		status = store_prune(r->store, &r->filter, &r->keep,
		    o.prune.dry ? &r->out : NULL, &pruned, f);
	if (status == 0)
		store_report_pruned(&r->report, &pruned, o.prune.dry);
	if (status == 0 && o.prune.vacuum && !o.prune.dry)
		status = store_vacuum(r->store, f);
	return status;
}

/* Opens the other databases before the store is made, so that a wrong name makes none. */
static void check_merge(struct request *r)
{
	for (size_t i = 0; i < r->count; i++)
		store_close(open_store(r->args[i], STORE_READ));
}

static int run_merge(struct request *r, struct fault *f)
{
	struct store_added added;
	uint64_t tags;
	int status = 0;

	for (size_t i = 0; i < r->count && status == 0; i++) {
		struct store *other = open_store(r->args[i], STORE_READ);

		status = store_merge(r->store, other, &added, &tags, f);
		store_close(other);
		if (status == 0) {
			store_report_added(&r->report, &added, true);
			store_report_incomplete(&r->warnings, &added);
		}
		print_report(r);
	}
	return status;
}

static void print_finding(void *ctx, const char *text)
{
	(void)ctx;
	puts(text);
}

static void check_check(struct request *r)
{
	(void)r;
	if (o.force && !o.seal)
		opt_usage_error(&program, "check: --force requires --seal");
}

/* Seals the database after a check, unless findings prevent it. */
static int seal_checked(
    struct request *r, const struct store_checked *checked, struct fault *f)
{
	uint64_t sealed;

	if (checked->damages || (checked->findings && !o.force)) {
		store_report_unsealed(&r->report, checked);
		return STATUS_NO;
	}
	if (store_reseal(r->store, &sealed, f) < 0)
		return -1;
	store_report_sealed(&r->report, sealed);
	return STATUS_FINE;
}

static int run_check(struct request *r, struct fault *f)
{
	struct store_checked checked;
	struct buf text = { 0 };
	uint64_t waiting, refused;

	if (store_check(r->store, &checked, print_finding, NULL, f) < 0)
		return -1;
	store_count_spool(r->store, &waiting, &refused);
	store_report_refused(&text, refused);
	fputs(text.ptr ? text.ptr : "", stdout);
	buf_free(&text);
	store_report_checked(&r->report, &checked, waiting, refused);
	if (o.seal)
		return seal_checked(r, &checked, f);
	return checked.findings || refused ? STATUS_NO : STATUS_FINE;
}

static int run_backup(struct request *r, struct fault *f)
{
	return store_copy(r->store, r->args[0], f);
}

static const struct verb verbs[VERBS] = {
	{ { "init", 0, 0, { "overwrite" } }, .check = check_init, .run = run_init,
	    .flags = STORE_CREATE, .toggle = &o.overwrite, .toggled = STORE_EMPTY },
	{ { "add", 0, SIZE_MAX, { "melt" } }, .run = run_add,
	    .flags = STORE_CREATE | STORE_DEFER },
	{ { "export", 0, 0, { "facts", "anonymize", "anonymize-key" } }, .run = run_export,
	    .filters = true, .flags = STORE_READ },
	{ { "list", 0, 1, { NULL } }, .run = run_list, .filters = true,
	    .flags = STORE_READ },
	{ { "tag", 1, SIZE_MAX, { NULL } }, .run = run_tag, .filters = true },
	{ { "untag", 1, SIZE_MAX, { NULL } }, .run = run_untag, .filters = true },
	{ { "annotate", 1, SIZE_MAX, { "at" } }, .check = check_annotate,
	    .run = run_annotate, .filters = true },
	{ { "unannotate", 1, SIZE_MAX, { NULL } }, .run = run_unannotate },
	{ { "prune", 0, 0, { STORE_PRUNE_OPT_NAMES } }, .check = check_prune,
	    .run = run_prune, .filters = true, .toggle = &o.prune.dry,
	    .toggled = STORE_READ },
	{ { "merge", 1, SIZE_MAX, { NULL } }, .check = check_merge, .run = run_merge,
	    .flags = STORE_CREATE },
	{ { "check", 0, 0, { "seal", "force" } }, .check = check_check, .run = run_check,
	    .flags = STORE_READ, .toggle = &o.seal, .toggled = STORE_READ },
	{ { "backup", 1, 1, { NULL } }, .run = run_backup,
	    .flags = STORE_READ | STORE_OLD },
	{ { "info", 0, 0, { NULL } }, .run = run_info, .flags = STORE_READ },
	{ { "sql", 1, SIZE_MAX, { "write" } }, .run = run_sql, .flags = STORE_READ,
	    .toggle = &o.write, .toggled = STORE_READ },
};

static const struct opt_verbs table = { &program, verbs, sizeof(*verbs), VERBS };

/* Opens the store, runs the verb, and returns the exit status. */
static int run_verb(const struct verb *v, struct request *r)
{
	bool toggles = v->toggle && *v->toggle;
	struct fault f;
	int status;

	if (v->filters &&
	    store_filter_from_opts(&o.filter, clock_realtime_ns(), &r->filter, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	if (v->check)
		v->check(r);
	r->store = open_store(r->database, v->flags ^ (toggles ? v->toggled : 0));
	status = v->run(r, &f);
	if (status == 0 && o.filter.given && v->flags & STORE_READ && !r->out.printed)
		buf_str(&r->report, "nothing in the database matches the filters\n");
	store_close(r->store);
	store_free_runs(r->runs);
	print_report(r);
	buf_free(&r->report);
	buf_free(&r->warnings);
	if (r->out.error) {
		errno = r->out.error;
		return stdout_failed();
	}
	if (status < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	return stdout_close(status);
}

int main(int argc, char **argv)
{
	standard_files_open();

	static const char *const filters[] = { STORE_FILTER_OPT_NAMES, NULL };
	struct request r = { .out.warnings = &r.warnings };
	struct fault f;
	int first;

	for (size_t i = 0; i < VERBS; i++)
		verb_names[i] = verbs[i].usage.name;
	first = opt_parse(&program, argc, argv);
	const struct verb *v = opt_verb_choose(&table, argv[first]);
	r.args = argv + first + 1;
	r.count = (size_t)(argc - first - 1);
	r.out.to = opt_common.output;
	opt_verb_check(&table, &v->usage, r.count);
	if (!v->filters)
		opt_verb_refuse(&program, filters, STORE_FILTER_OPT_VERBS);
	r.database = o.database ? str_copy(o.database) : store_default_name(&f);
	if (!r.database)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	int status = run_verb(v, &r);
	free(r.database);
	return status;
}
