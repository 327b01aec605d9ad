/*
 * bench-compare: is the new side faster than the old one?
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare_table.h"
#include "opt.h"
#include "share.h"
#include "stream.h"
#include "units.h"

enum { STATUS_SKIP = 125 }; /* git bisect run: this commit cannot be tested */

static struct {
	const char *by, *reference, *group;
	struct opt_percent confidence, threshold;
	struct opt_list melt;
	uint64_t seed;
	bool allow_missing, bisect;
} o = { .confidence.fraction = 0.95, .threshold.fraction = 0.02, .seed = 1 };

static const struct opt opts[] = {
	OPT('b', "by", &o.by, "COLUMN", "compare the values of this column in one stream"),
	OPT(0, "reference", &o.reference, "VALUE", "with -b: the old side (the first one)"),
	OPT(0, "threshold", &o.threshold, "PCT",
	    "the margin within which is the same (2%)"),
	OPT('C', "confidence", &o.confidence, "PCT", "of intervals and verdicts (95%)"),
	OPT('g', "group", &o.group, "COLUMNS", "join by these columns, metric and unit"),
	OPT('m', "melt", &o.melt, "COLUMN[:UNIT]", "a foreign column that holds values"),
	OPT(0, "seed", &o.seed, "N", "of the bootstrap (1)"),
	OPT(0, "allow-missing", &o.allow_missing, NULL,
	    "a vanished benchmark is no trouble"),
	OPT(0, "bisect", &o.bisect, NULL, "exit 125 instead of 2, for git bisect run"),
	OPT_END,
};

static const char *const synopsis[] = {
	"[options] old.csv new.csv",
	"[options] -b COLUMN [--reference VALUE] [file...]",
	NULL,
};
static const struct opt_program program = {
	.name = "bench-compare",
	.synopsis = synopsis,
	.summary = "Say for each subject and metric whether it became better or worse.",
	.opts = opts,
	.flags = OPT_FORMATS,
};

static int on_row(void *ctx, const struct row *row, struct fault *f)
{
	(void)f;
	return compare_row(*(struct compare **)ctx, row);
}

/* A side's name, fit for a terminal. */
static char *side_name(const struct compare *c, size_t side)
{
	struct buf b = { 0 };

	text_clean(&b, compare_side_name(c, side));
	return b.ptr ? b.ptr : str_copy("");
}

/* A subject as "bench=sort n=1000", fit for a terminal. */
static char *subject_name(
    const struct compare *c, const struct schema *schema, size_t group)
{
	const struct groups *subjects = compare_subjects(c);
	size_t *id, count = groups_columns(subjects, &id);
	struct buf b = { 0 };

	for (size_t i = 0; i < count; i++) {
		struct text t = groups_cell(subjects, group, id[i]);

		if (!t.len)
			continue;
		buf_printf(&b, "%s%s=", b.len ? " " : "", schema->name[id[i]]);
		text_clean(&b, t);
	}
	free(id);
	return b.ptr ? b.ptr : str_copy("the only subject");
}

static void warn_of_vanished(const struct compare *c, const struct schema *schema)
{
	size_t count;
	const struct vanished *vanished = compare_vanished(c, &count);

	for (size_t i = 0; i < count; i++) {
		char *subject = subject_name(c, schema, vanished[i].group);
		char *side = side_name(c, vanished[i].side);

		warnx("%s: no successful run in '%s'%s", subject, side,
		    o.allow_missing ? "" : " (--allow-missing lets that pass)");
		free(subject);
		free(side);
	}
}

static void warn_of_machines(const struct compare *c)
{
	static const struct {
		enum column column;
		const char *name;
	} machine[] = { { COL_HOST, "host" }, { COL_ENV, "env" } };
	struct text old, new;

	for (size_t side = 0; side < compare_sides(c); side++)
		for (size_t i = 0; i < COUNT(machine); i++) {
			struct buf text = { 0 };

			if (!compare_machines_differ(
			        c, side, machine[i].column, &old, &new) ||
			    (o.by && strcmp(o.by, machine[i].name) == 0))
				continue;
			text_clean(&text, old);
			buf_str(&text, " and ");
			text_clean(&text, new);
			warnx("%s differs between the sides (%s): the machines are "
			      "compared as well",
			    machine[i].name, text.ptr);
			buf_free(&text);
		}
}

static void note_reference(const struct compare *c)
{
	char *name = side_name(c, compare_reference(c));

	if (o.by)
		warnx("old is %s '%s'", o.by, name);
	free(name);
}

/* A difference between two runs may be the machine's: only more runs would tell. */
static void warn_of_single_runs(const struct compare *c)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++) {
		const struct contrast *r = &list[i].result;

		if (r->basis != BASIS_SAMPLE || r->verdict == VERDICT_UNSURE ||
		    r->verdict == VERDICT_SAME)
			continue;
		warnx("one run a side: all that changed between the two runs is compared "
		      "(measure both sides in one run, or each in several)");
		return;
	}
}

static bool any_worse(const struct compare *c)
{
	size_t count;
	const struct comparison *list = compare_list(c, &count);

	for (size_t i = 0; i < count; i++)
		if (list[i].result.verdict == VERDICT_WORSE)
			return true;
	return false;
}

static int report(const struct compare *c, const struct schema *schema)
{
	size_t vanished;

	compare_vanished(c, &vanished);
	if (!opt_common.quiet) {
		note_reference(c);
		warn_of_machines(c);
	}
	if (compare_print(c, stdout, opt_common.format) < 0)
		exit(stdout_failed());
	warn_of_vanished(c, schema);
	if (!opt_common.quiet)
		warn_of_single_runs(c);
	if (any_worse(c))
		return STATUS_NO;
	if (!compare_any(c)) {
		warnx("nothing could be compared: no subject and metric has values of "
		      "successful runs on both sides");
		return STATUS_TROUBLE;
	}
	return vanished && !o.allow_missing ? STATUS_TROUBLE : STATUS_FINE;
}

static void check_options(int operands)
{
	static const char *const never[] = { "metric", "unit", "value", "process", "sample",
		"t", "iterations", "status", "running_pct" };

	if (!o.by && operands != 2)
		opt_usage_error(&program,
		    "give two files, or one stream with -b COLUMN; here are %d files",
		    operands);
	if (o.reference && !o.by)
		opt_usage_error(&program, "--reference needs -b");
	for (size_t i = 0; o.by && i < COUNT(never); i++)
		if (strcmp(o.by, never[i]) == 0)
			opt_usage_error(
			    &program, "-b %s: the sides cannot be told by it", o.by);
	if (o.confidence.fraction <= 0 || o.confidence.fraction >= 1)
		opt_usage_error(
		    &program, "--confidence lies between 0%% and 100%%, both excluded");
	if (o.threshold.fraction < 0)
		opt_usage_error(&program, "--threshold is not below 0%%");
}

static int read_sides(struct stream *stream, struct compare *c, char *const *path,
    size_t count, struct fault *f)
{
	if (o.by)
		return stream_read_all(stream, path, count, f);
	for (size_t i = 0; i < count; i++) {
		compare_side(c, path[i]);
		if (stream_read(stream, path[i], f) < 0)
			return -1;
	}
	return 0;
}

/* Whatever the trouble was, and wherever it was found. */
static void skip_instead(int status, void *ctx)
{
	(void)ctx;
	if (o.bisect && status == STATUS_TROUBLE) {
		fflush(NULL);
		_exit(STATUS_SKIP);
	}
}

int main(int argc, char **argv)
{
	static const struct stream_sink sink = { .row = on_row };
	struct compare_how how = { 0 };
	struct compare *compare;
	struct stream *stream;
	struct metrics *metrics;
	struct fault f;
	char **names = NULL;
	int first, status;

	on_exit(skip_instead, NULL);
	/* an option before it may be a mistake already */
	for (int i = 1; i < argc; i++)
		o.bisect |= strcmp(argv[i], "--bisect") == 0;
	first = opt_parse(&program, argc, argv);
	check_options(argc - first);
	if (o.group && units_list(o.group, &names, &how.count, &f) < 0)
		opt_usage_error(&program, "--group: %s", f.text);
	how.by = o.by;
	how.reference = o.reference;
	how.names = (const char *const *)names;
	how.confidence = o.confidence.fraction;
	how.threshold = o.threshold.fraction;
	how.seed = o.seed;
	stream = stream_open(&sink, &compare);
	compare = compare_open(stream_schema(stream), &how);
	metrics = share_metrics(&f);
	if (!metrics || stream_melt(stream, o.melt.item, o.melt.count, &f) < 0 ||
	    read_sides(stream, compare, argv + first, (size_t)(argc - first), &f) < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	if (!stream_has_rows(stream))
		errx(STATUS_TROUBLE, "no table of measurements in the input");
	if (compare_finish(compare, metrics, &f) < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	status = report(compare, stream_schema(stream));
	compare_close(compare);
	stream_close(stream);
	metrics_free(metrics);
	units_list_free(names, how.count);
	free(o.melt.item);
	return stdout_close(status);
}
