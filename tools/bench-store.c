/*
 * bench-store: the history of measurements in a database.
 */
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "db/db.h"
#include "io/opt.h"
#include "record/bench_csv.h"
#include "record/provenance.h"
#include "store/store.h"
#include "store/store_check.h"
#include "store/store_merge.h"
#include "store/store_prune.h"
#include "store/store_spool.h"
#include "text/stamp.h"

static struct {
	const char *database, *since, *until, *where;
	struct opt_list melt, bench, metric, factor, host, env, commit, tag;
	uint64_t last;
	struct opt_duration wait;
	bool overwrite, facts, write;
	struct opt_duration keep;
	const char *thin;
	bool keep_tagged, dry, vacuum;
	bool filtered, melts, prunes;
} o = { .wait.ns = 30e9, .last = UINT64_MAX };

#define FILTER(letter, name, dest, arg, help) \
	OPT_SEEN(letter, name, dest, arg, help, &o.filtered)

#define PRUNE(letter, name, dest, arg, help) \
	OPT_SEEN(letter, name, dest, arg, help, &o.prunes)

static const struct opt opts[] = {
	OPT('D', "database", &o.database, "NAME",
	    "file or postgresql:// URL (else $BENCH_DB, or your own)"),
	OPT(0, "wait", &o.wait, "TIME", "how long to wait for a lock (30s)"),
	FILTER(0, "bench", &o.bench, "PATTERN", "series of these benchmarks"),
	FILTER(0, "metric", &o.metric, "PATTERN", "series of these metrics"),
	FILTER(0, "factor", &o.factor, "NAME=VALUE", "series with this factor"),
	FILTER(0, "host", &o.host, "PATTERN", "series of these hosts"),
	FILTER(0, "env", &o.env, "PATTERN", "series of these environments"),
	FILTER(0, "commit", &o.commit, "TEXT", "series whose commit begins so"),
	FILTER(0, "tag", &o.tag, "NAME", "runs with this tag"),
	FILTER(0, "since", &o.since, "TIME", "runs from then on: 2026-01-31, or 30d ago"),
	FILTER(0, "until", &o.until, "TIME", "runs before then"),
	FILTER(0, "last", &o.last, "N", "only the newest N of the runs"),
	FILTER(0, "where", &o.where, "SQL", "series for which this expression is true"),
	OPT_SEEN('m', "melt", &o.melt, "COLUMN[:UNIT]",
	    "add: a foreign column that holds values", &o.melts),
	OPT(0, "facts", &o.facts, NULL, "export: the facts of machines, not the rows"),
	OPT(0, "overwrite", &o.overwrite, NULL, "init: empty a database that is there"),
	PRUNE(0, "keep", &o.keep, "TIME", "prune: leave what is newer, such as 90d"),
	PRUNE(0, "keep-tagged", &o.keep_tagged, NULL, "prune: leave runs with a tag"),
	PRUNE(0, "thin", &o.thin, "N/PERIOD",
	    "prune: leave N runs of each benchmark an hour, day, week, month or year"),
	PRUNE('n', "dry-run", &o.dry, NULL, "prune: show what would go"),
	PRUNE(0, "vacuum", &o.vacuum, NULL, "prune: make the file smaller"),
	OPT('w', "write", &o.write, NULL, "sql: let statements change the database"),
	OPT_END,
};

static const char *const synopsis[] = {
	"[-D database] init [--overwrite]",
	"[-D database] add [-m column[:unit]]... [file...]",
	"[-D database] export [filters] [--facts]",
	"[-D database] list [filters] [runs | benches | tags]",
	"[-D database] tag name [filters] [run...]",
	"[-D database] untag name [filters] [run...]",
	"[-D database] prune [--keep time] [--keep-tagged] [--thin n/period] [filters] "
	"[-n] "
	"[--vacuum]",
	"[-D database] merge database...",
	"[-D database] check",
	"[-D database] backup file",
	"[-D database] info",
	"[-D database] sql [-w] statement [value...]",
	NULL,
};

enum { VERBS = 12 };
static const char *verb_names[VERBS + 1]; /* of verbs, for completion */

static const struct opt_program program = {
	.name = "bench-store",
	.synopsis = synopsis,
	.summary = "Keep measurements in a database, and get them out again.",
	.verbs = verb_names,
	.opts = opts,
	.flags = OPT_FORMATS,
};

static struct store *open_store(const char *name, int flags)
{
	struct fault f;
	struct store *s;

	if (flags & STORE_CREATE && !o.database && store_make_folder(name, &f) < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	s = store_open(name, flags, o.wait.ns, &f);
	if (!s)
		errx(STATUS_TROUBLE, "%s", f.text);
	if (!(flags & STORE_READ) && !opt_common.quiet) {
		struct buf doubt = { 0 };

		store_doubt(s, &doubt);
		if (doubt.len)
			warnx("%s", doubt.ptr);
		buf_free(&doubt);
	}
	return s;
}

static int64_t moment(const char *option, const char *text)
{
	struct fault f;
	int64_t ns = 0;

	if (text && stamp_option(text, clock_realtime_ns(), &ns, &f) < 0)
		opt_usage_error(&program, "--%s: %s", option, f.text);
	return ns;
}

static struct filter filter_of_options(void)
{
	if (!o.last)
		opt_usage_error(&program, "--last: one run at least");
	struct filter filter = {
		.bench = { o.bench.item, o.bench.count },
		.metric = { o.metric.item, o.metric.count },
		.factor = { o.factor.item, o.factor.count },
		.host = { o.host.item, o.host.count },
		.env = { o.env.item, o.env.count },
		.commit = { o.commit.item, o.commit.count },
		.tag = { o.tag.item, o.tag.count },
		.has_since = o.since,
		.since = moment("since", o.since),
		.has_until = o.until,
		.until = moment("until", o.until),
		.last = o.last == UINT64_MAX ? 0 : o.last,
		.where = o.where,
	};
	struct fault f;

	if (filter_check(&filter, &f) < 0)
		opt_usage_error(&program, "%s", f.text);
	return filter;
}

/* End a verb that prints. */
static int printed(int status, const struct store_output *out, const struct fault *f)
{
	if (out->error) {
		errno = out->error;
		exit(stdout_failed());
	}
	if (status < 0)
		errx(STATUS_TROUBLE, "%s", f->text);
	return STATUS_FINE;
}

static int run_init(const char *name, char **args, size_t count)
{
	(void)args;
	(void)count;
	if (!o.overwrite && db_exists(name))
		errx(STATUS_TROUBLE, "%s: exists (--overwrite empties a database)", name);
	store_close(open_store(name, STORE_CREATE | (o.overwrite ? STORE_EMPTY : 0)));
	return STATUS_FINE;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void tell_added(const struct store_added *a, bool rows)
{
	if (rows)
		warnx("added %" PRIu64 " row%s in %" PRIu64 " run%s, %" PRIu64
		      " already there",
		    a->rows, plural(a->rows), a->runs, plural(a->runs), a->known);
	if (!rows || a->facts + a->facts_known + a->facts_changed)
		warnx("added %" PRIu64 " fact%s, changed %" PRIu64 ", %" PRIu64
		      " already there",
		    a->facts, plural(a->facts), a->facts_changed, a->facts_known);
}

/* Rows that a lock keeps out, or a server that is out of reach, wait beside the database.
 */
static int keep_for_later(struct store *s, struct ingest *in, struct fault *f)
{
	char *path;
	struct fault why = *f;

	if (!store_locked(s))
		return -1;
	if (store_spool(s, in, &path, f) < 0) {
		struct fault no_place = *f;

		return fault_set(f, "%.600s; nor can the rows be kept for later: %.300s",
		    why.text, no_place.text);
	}
	if (!opt_common.quiet)
		warnx("%.800s; all is kept in %s, which the next add takes in", why.text,
		    path);
	free(path);
	return 0;
}

/* What others had to leave there. */
static int take_spool(struct store *s, struct fault *f)
{
	struct store_spooled spooled;
	int status = store_take_spool(s, &spooled, f);

	if (spooled.files && !opt_common.quiet)
		warnx("took in %" PRIu64 " file%s that waited, %" PRIu64 " row%s",
		    spooled.files, plural(spooled.files), spooled.rows,
		    plural(spooled.rows));
	if (status == 0 && spooled.bad)
		status = fault_set(f,
		    "rows that waited cannot be added, they are kept in %s: %.600s",
		    "NAME-spool-*.refused", spooled.why.text);
	return status;
}

static int run_add(const char *name, char **args, size_t count)
{
	static const struct stream_sink sink = { .row = ingest_add_row,
		.fact = ingest_add_fact };
	struct store *s = open_store(name, STORE_CREATE | STORE_LATER);
	struct ingest *in = ingest_open();
	struct stream *stream = stream_open(&sink, in);
	struct store_added added;
	struct fault f;
	int status = stream_melt(stream, o.melt.item, o.melt.count, &f);

	if (status == 0)
		status = stream_read_all(stream, args, count, &f);
	if (status == 0 && !stream_has_rows(stream) && !stream_has_facts(stream))
		status = fault_set(&f, "no table of measurements or facts in the input");
	if (status == 0) {
		ingest_finish(in);
		status = store_add(s, in, &added, &f);
		if (status == 0 && !opt_common.quiet)
			tell_added(&added, stream_has_rows(stream));
		status = status == 0 ? take_spool(s, &f) : keep_for_later(s, in, &f);
	}
	if (status < 0)
		warnx("%s", f.text);
	ingest_close(in);
	stream_close(stream);
	store_close(s);
	return status < 0 ? STATUS_TROUBLE : STATUS_FINE;
}

static int run_export(const char *name, char **args, size_t count)
{
	struct filter filter = filter_of_options();
	struct store_output out = { stdout, opt_common.format, 0 };
	struct store *s = open_store(name, STORE_READ);
	struct fault f;

	(void)args;
	(void)count;
	int status = (o.facts ? store_export_facts : store_export)(s, &filter, &out, &f);
	store_close(s);
	return printed(status, &out, &f);
}

static int run_list(const char *name, char **args, size_t count)
{
	struct filter filter = filter_of_options();
	struct store_output out = { stdout, opt_common.format, 0 };
	struct store *s = open_store(name, STORE_READ);
	struct fault f;
	int status = store_list(s, count ? args[0] : store_lists[0], &filter, &out, &f);

	store_close(s);
	return printed(status, &out, &f);
}

static int run_info(const char *name, char **args, size_t count)
{
	struct store_output out = { stdout, opt_common.format, 0 };
	struct store *s = open_store(name, STORE_READ);
	struct fault f;
	int status = store_info(s, &out, &f);

	(void)args;
	(void)count;
	store_close(s);
	return printed(status, &out, &f);
}

static int run_sql(const char *name, char **args, size_t count)
{
	struct store_output out = { stdout, opt_common.format, 0 };
	struct store *s = open_store(name, o.write ? 0 : STORE_READ);
	struct buf text = { 0 };
	struct fault f;
	int status = 0;

	if (strcmp(args[0], "-") == 0)
		status = file_read("-", &text, &f);
	else
		buf_str(&text, args[0]);
	if (status == 0)
		status = store_sql(s, text.ptr, args + 1, count - 1, &out, &f);
	store_close(s);
	buf_free(&text);
	return printed(status, &out, &f);
}

/* Full names of the runs that were named by their beginnings; allocated. */
static const char **full_names(struct store *s, char **prefix, size_t count)
{
	const char **name = mem_zero(count, sizeof(*name));
	struct fault f;

	for (size_t i = 0; i < count; i++) {
		name[i] = store_run(s, prefix[i], &f);
		if (!name[i])
			errx(STATUS_TROUBLE, "%s", f.text);
	}
	return name;
}

static void free_names(const char **name, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free((char *)name[i]);
	free(name);
}

static int change_tag(const char *database, char **args, size_t count, bool away)
{
	struct filter filter = filter_of_options();
	struct store *s = open_store(database, 0);
	const char **run = full_names(s, args + 1, count - 1);
	uint64_t runs;
	struct fault f;

	filter.run = (struct filter_names){ run, count - 1 };
	if (!away && filter_is_empty(&filter))
		filter.last = 1;
	int status = (away ? store_untag : store_tag)(s, args[0], &filter, &runs, &f);
	free_names(run, count - 1);
	store_close(s);
	if (status < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	if (!opt_common.quiet || !runs)
		warnx("%s %" PRIu64 " run%s", away ? "untagged" : "tagged", runs,
		    plural(runs));
	return runs ? STATUS_FINE : STATUS_NO;
}

static int run_tag(const char *name, char **args, size_t count)
{
	return change_tag(name, args, count, false);
}

static int run_untag(const char *name, char **args, size_t count)
{
	return change_tag(name, args, count, true);
}

static int run_prune(const char *name, char **args, size_t count)
{
	struct filter filter = filter_of_options();
	struct store_output out = { stdout, opt_common.format, 0 };
	struct store_keep keep = { .has_until = o.keep.set,
		.until = clock_realtime_ns() - (int64_t)o.keep.ns,
		.tagged = o.keep_tagged };
	struct store_pruned pruned;
	struct store *s;
	struct fault f;

	(void)args;
	(void)count;
	if (o.thin && store_thin_parse(o.thin, &keep.thin, &f) < 0)
		opt_usage_error(&program, "--thin: %s", f.text);
	if (!o.keep.set && !o.thin && filter_is_empty(&filter) && !o.vacuum)
		opt_usage_error(
		    &program, "prune: what may go? --keep, --thin or filters say it");
	if (filter.last)
		opt_usage_error(&program,
		    "prune: --last would name the newest runs, not the oldest; "
		    "--until and --keep name these");
	s = open_store(name, o.dry ? STORE_READ : 0);
	int status = 0;
	if (o.keep.set || o.thin || !filter_is_empty(&filter))
		status = store_prune(s, &filter, &keep, o.dry ? &out : NULL, &pruned, &f);
	else
		pruned = (struct store_pruned){ 0 };
	if (status == 0 && !opt_common.quiet)
		warnx("%s %" PRIu64 " run%s with %" PRIu64 " row%s",
		    o.dry ? "would remove" : "removed", pruned.runs, plural(pruned.runs),
		    pruned.rows, plural(pruned.rows));
	if (status == 0 && o.vacuum && !o.dry)
		status = store_vacuum(s, &f);
	store_close(s);
	return printed(status, &out, &f);
}

static int run_merge(const char *name, char **args, size_t count)
{
	struct store *s = open_store(name, STORE_CREATE);
	struct store_added added;
	uint64_t tags;
	struct fault f;
	int status = 0;

	for (size_t i = 0; i < count && status == 0; i++) {
		struct store *other = open_store(args[i], STORE_READ);

		status = store_merge(s, other, &added, &tags, &f);
		store_close(other);
		if (status == 0 && !opt_common.quiet)
			tell_added(&added, true);
	}
	store_close(s);
	return printed(status, &(struct store_output){ 0 }, &f);
}

static void print_finding(void *ctx, const char *text)
{
	(void)ctx;
	puts(text);
}

static int run_check(const char *name, char **args, size_t count)
{
	struct store *s = open_store(name, STORE_READ);
	struct store_checked checked;
	uint64_t waiting, refused;
	struct fault f;
	int status = store_check(s, &checked, print_finding, NULL, &f);

	(void)args;
	(void)count;
	store_count_spool(s, &waiting, &refused);
	store_close(s);
	if (status < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	if (refused)
		printf("%" PRIu64 " file%s beside the database could not be taken in\n",
		    refused, plural(refused));
	if (!opt_common.quiet) {
		warnx("checked %" PRIu64 " row%s in %" PRIu64 " run%s, found %" PRIu64,
		    checked.rows, plural(checked.rows), checked.runs, plural(checked.runs),
		    checked.findings + !!refused);
		if (checked.unsummed)
			warnx("%" PRIu64
			      " run%s without a checksum, from an older benchutils",
			    checked.unsummed, plural(checked.unsummed));
		if (waiting)
			warnx("%" PRIu64 " file%s with rows to be taken in by the next add",
			    waiting, plural(waiting));
	}
	return checked.findings || refused ? STATUS_NO : STATUS_FINE;
}

static int run_backup(const char *name, char **args, size_t count)
{
	struct store *s = open_store(name, STORE_READ);
	struct fault f;
	int status = store_copy(s, args[0], &f);

	(void)count;
	store_close(s);
	return printed(status, &(struct store_output){ 0 }, &f);
}

static const struct verb {
	const char *name;
	int (*run)(const char *database, char **args, size_t count);
	size_t least, most; /* operands */
	bool filters;
	const bool *own; /* the option that only this verb has, or NULL */
} verbs[VERBS] = {
	{ "init", run_init, 0, 0, false, &o.overwrite },
	{ "add", run_add, 0, SIZE_MAX, false, &o.melts },
	{ "export", run_export, 0, 0, true, &o.facts },
	{ "list", run_list, 0, 1, true, NULL },
	{ "tag", run_tag, 1, SIZE_MAX, true, NULL },
	{ "untag", run_untag, 1, SIZE_MAX, true, NULL },
	{ "prune", run_prune, 0, 0, true, &o.prunes },
	{ "merge", run_merge, 1, SIZE_MAX, false, NULL },
	{ "check", run_check, 0, 0, false, NULL },
	{ "backup", run_backup, 1, 1, false, NULL },
	{ "info", run_info, 0, 0, false, NULL },
	{ "sql", run_sql, 1, SIZE_MAX, false, &o.write },
};

static const struct verb *verb_find(const char *name)
{
	for (size_t i = 0; i < VERBS; i++)
		if (strcmp(name, verbs[i].name) == 0)
			return &verbs[i];
	opt_usage_error(&program, "there is no verb '%s'", name);
}

/* What was said must be of use to the verb: nothing is passed over in silence. */
static void check_usage(const struct verb *v, size_t operands)
{
	if (operands < v->least)
		opt_usage_error(&program, "%s: an operand is missing", v->name);
	if (operands > v->most)
		opt_usage_error(&program, "%s: one operand too many", v->name);
	if (o.filtered && !v->filters)
		opt_usage_error(&program, "%s: takes no filters", v->name);
	for (size_t i = 0; i < VERBS; i++)
		if (verbs[i].own && *verbs[i].own && &verbs[i] != v)
			opt_usage_error(
			    &program, "%s: takes no option of %s", v->name, verbs[i].name);
}

int main(int argc, char **argv)
{
	const struct verb *v;
	char *name;
	size_t operands;
	struct fault f;
	int first;

	for (size_t i = 0; i < VERBS; i++)
		verb_names[i] = verbs[i].name;
	first = opt_parse(&program, argc, argv);
	if (first == argc)
		opt_usage_error(&program,
		    "which verb? init, add, export, list, tag, untag, prune, merge, "
		    "check, backup, info or sql");
	v = verb_find(argv[first]);
	operands = (size_t)(argc - first - 1);
	check_usage(v, operands);
	name = o.database ? str_copy(o.database) : store_default_name(&f);
	if (!name)
		errx(STATUS_TROUBLE, "%s", f.text);
	int status = v->run(name, argv + first + 1, operands);
	free(name);
	return stdout_close(status);
}
