/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-store: the history of measurements in a database.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/standard_files.h"
#include "db/db.h"
#include "io/message.h"
#include "options/bench_store.h"
#include "record/anonymize.h"
#include "record/foreign_input.h"
#include "store/store_add_files.h"
#include "store/store_annotate.h"
#include "store/store_merge.h"
#include "store/store_report.h"
#include "store/store_reseal.h"
#include "sys/bus_error.h"
#include "sys/user_name.h"

static const struct bench_store_opts *o;
static struct bench_store_plan plan;

/* The store of a verb, and what the verb prints. */
struct request {
	struct store *store;
	char **runs; /* that the filter names */
	struct store_output out;
	struct buf report;   /* lines for standard error ... */
	bool report_always;  /* ... even with -q */
	struct buf warnings; /* the same, always */
};

static struct store *open_store(const char *name, int flags)
{
	struct fault f;
	struct store *s;

	if (flags & STORE_CREATE && !o->database && store_make_folder(name, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	s = store_open(name, flags, o->wait.ns, &f);
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
		message_warn_lines(text_in(&r->report));
	r->report.len = 0;
	message_warn_lines(text_in(&r->warnings));
	r->warnings.len = 0;
}

static void check_init(void)
{
	if (!o->overwrite && db_exists(plan.database))
		message_fail(STATUS_TROUBLE,
		    "%s: already exists (use init --overwrite to empty it)", plan.database);
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
		.path = plan.args, .count = plan.count, .melt = &o->melt
	};

	return store_add_files(r->store, &add, &r->report, &r->warnings, f);
}

/* Adds the named runs to the filter. 0, or -1 and the message. */
static int name_runs(struct request *r, struct fault *f)
{
	r->runs = store_find_runs(r->store, plan.run, plan.runs, f);
	if (!r->runs)
		return -1;
	plan.filter.run =
	    (struct store_filter_names){ (const char *const *)r->runs, plan.runs };
	return 0;
}

static int run_export(struct request *r, struct fault *f)
{
	int status = 0;

	if (name_runs(r, f) < 0)
		return -1;
	if ((o->anonymize || o->key) && !(r->out.names = anonymizer_open(o->key, f)))
		return -1;
	status = (o->facts ? store_export_facts : store_export)(
	    r->store, &plan.filter, &r->out, f);
	if (r->out.names)
		anonymizer_close(r->out.names);
	return status;
}

static int run_list(struct request *r, struct fault *f)
{
	if (name_runs(r, f) < 0)
		return -1;
	return store_list(
	    r->store, plan.count ? plan.args[0] : store_lists[0], &plan.filter, &r->out, f);
}

static int run_info(struct request *r, struct fault *f)
{
	return store_info(r->store, &r->out, f);
}

static int run_sql(struct request *r, struct fault *f)
{
	return store_sql(r->store, plan.args[0], plan.args + 1, plan.count - 1, &r->out, f);
}

/* Selects the named runs; or else, without a filter, the newest run. */
static int select_runs(struct request *r, bool newest, struct fault *f)
{
	if (name_runs(r, f) < 0)
		return -1;
	if (newest && store_filter_is_empty(&plan.filter))
		plan.filter.last = 1;
	return 0;
}

static int change_tag(struct request *r, bool away, struct fault *f)
{
	uint64_t runs = 0;

	if (select_runs(r, !away, f) < 0 || (away ? store_untag : store_tag)(r->store,
	                                        plan.args[0], &plan.filter, &runs, f) < 0)
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

static int run_annotate(struct request *r, struct fault *f)
{
	char *author = user_name();
	uint64_t count = 0;
	int status = o->at ? 0 : select_runs(r, true, f);

	plan.annotation.author = author;
	if (status == 0)
		status =
		    store_annotate(r->store, &plan.annotation, &plan.filter, &count, f);
	free(author);
	if (status < 0)
		return -1;
	store_report_annotated(&r->report, count, o->at);
	r->report_always = !count;
	return count ? STATUS_FINE : STATUS_NO;
}

static int run_unannotate(struct request *r, struct fault *f)
{
	return store_unannotate(r->store, plan.args, plan.count, f);
}

static int run_prune(struct request *r, struct fault *f)
{
	struct store_pruned pruned = { 0 };
	int status = name_runs(r, f);

	if (status == 0 && store_prune_selects(&o->prune, &plan.filter, plan.runs))
		status = store_prune(r->store, &plan.filter, &plan.keep,
		    o->prune.dry ? &r->out : NULL, &pruned, f);
	if (status == 0)
		store_report_pruned(&r->report, &pruned, o->prune.dry);
	if (status == 0 && o->prune.vacuum && !o->prune.dry)
		status = store_vacuum(r->store, f);
	return status;
}

/* Opens the other databases before the store is made, so that a wrong name makes none. */
static void check_merge(void)
{
	for (size_t i = 0; i < plan.count; i++)
		store_close(open_store(plan.args[i], STORE_READ));
}

static int run_merge(struct request *r, struct fault *f)
{
	struct store_added added;
	uint64_t tags;
	int status = 0;

	for (size_t i = 0; i < plan.count && status == 0; i++) {
		struct store *other = open_store(plan.args[i], STORE_READ);

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

/* Seals the database after a check, unless findings prevent it. */
static int seal_checked(
    struct request *r, const struct store_checked *checked, struct fault *f)
{
	uint64_t sealed;

	if (checked->damages || (checked->findings && !o->force)) {
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
	if (o->seal)
		return seal_checked(r, &checked, f);
	return checked.findings || refused ? STATUS_NO : STATUS_FINE;
}

static int run_backup(struct request *r, struct fault *f)
{
	return store_copy(r->store, plan.args[0], f);
}

/* The action of each verb. */
static const struct {
	void (*prepare)(void); /* before the store is opened; may be NULL */
	int (*run)(struct request *r, struct fault *f); /* the exit status, or -1 */
} actions[STORE_VERBS] = {
	[STORE_VERB_INIT] = { check_init, run_init },
	[STORE_VERB_ADD] = { NULL, run_add },
	[STORE_VERB_EXPORT] = { NULL, run_export },
	[STORE_VERB_LIST] = { NULL, run_list },
	[STORE_VERB_TAG] = { NULL, run_tag },
	[STORE_VERB_UNTAG] = { NULL, run_untag },
	[STORE_VERB_ANNOTATE] = { NULL, run_annotate },
	[STORE_VERB_UNANNOTATE] = { NULL, run_unannotate },
	[STORE_VERB_PRUNE] = { NULL, run_prune },
	[STORE_VERB_MERGE] = { check_merge, run_merge },
	[STORE_VERB_CHECK] = { NULL, run_check },
	[STORE_VERB_BACKUP] = { NULL, run_backup },
	[STORE_VERB_INFO] = { NULL, run_info },
	[STORE_VERB_SQL] = { NULL, run_sql },
};

/* Opens the store and runs the verb. Returns the exit status, or -1 and the message. */
static int run_verb(struct request *r, struct fault *f)
{
	int status;

	if (actions[plan.verb].prepare)
		actions[plan.verb].prepare();
	r->out.to = opt_common.output;
	r->store = open_store(plan.database, plan.flags);
	status = actions[plan.verb].run(r, f);
	if (status == 0 && (o->filter.given || plan.runs) && plan.reads && !r->out.printed)
		buf_str(&r->report, "nothing in the database matches the filters\n");
	store_close(r->store);
	store_free_runs(r->runs);
	return status;
}

/* SQLite maps the -shm file. The handler ends the program without other steps, as kill -9
 * does; the transaction is not committed. */
static void report_shortened(const char *path)
{
	message_warn("%s: " BUS_ERROR_TEXT, path);
	_exit(STATUS_TROUBLE);
}

int main(int argc, char **argv)
{
	standard_files_open();
	bus_errors_handle(report_shortened);

	struct request request = { .out.warnings = &request.warnings };
	struct fault f;
	int status;

	foreign_input_arguments(argc, argv);
	o = bench_store_opts_read(argc, argv, &plan);
	status = run_verb(&request, &f);
	print_report(&request);
	buf_free(&request.report);
	buf_free(&request.warnings);
	bench_store_opts_free(&plan);
	if (request.out.error) {
		errno = request.out.error;
		return stdout_failed();
	}
	if (status < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	return stdout_close(status);
}
