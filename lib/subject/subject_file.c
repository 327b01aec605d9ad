/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a subjects table with the columns kind, bench, subject and, optionally, args,
 * runs and status.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "record/bench_csv.h"
#include "subject/function.h"
#include "subject/subject_file.h"
#include "text/units.h"

#define NOT_SUBJECTS \
	"not a table of subjects (kind,bench,subject,...), such as bench-list writes"

static struct text row_cell(const struct subject_row *row, const char *name)
{
	for (size_t i = 0; i < row->count; i++)
		if (text_is(row->name[i], name))
			return row->cell[i];
	return (struct text){ "", 0 };
}

static int row_fault(
    const struct subject_row *row, const struct fault *why, struct fault *f)
{
	return fault_set(f, "%s:%" PRIu64 ": %s", row->file, row->line, why->text);
}

/* Reads the column args: name=list, separated by spaces. */
static int read_args(struct template *t, const char *args, struct fault *f)
{
	for (const char *p = args + strspn(args, " "); *p; p += strspn(p, " ")) {
		size_t len = strcspn(p, " ");
		char *spec = mem_text(p, len);
		struct sweep sweep;
		int status = sweep_parse(spec, &sweep, f);

		free(spec);
		if (status < 0)
			return -1;
		template_add_sweep(t, sweep);
		p += len;
	}
	return 0;
}

static int read_kind(const struct subject_row *row, enum subject_kind *out, struct fault *f)
{
	struct text kind = row_cell(row, "kind");

	for (size_t i = 0; i < KINDS; i++)
		if (i != KIND_PROCESS && i != KIND_MACHINE && i != KIND_GROUP &&
		    text_is(kind, subject_kinds[i])) {
			*out = (enum subject_kind)i;
			return 0;
		}
	return fault_set(f, "kind '%.*s' is not command, function, kernel or model",
	    (int)kind.len, kind.ptr);
}

static int template_fill(struct template *t, const struct subject_row *row,
    const char *subject, const char *args, const char *runs, struct fault *f)
{
	struct text status = row_cell(row, "status");

	if (*runs && units_count(runs, &t->runs, f) < 0)
		return -1;
	if (*runs && !t->runs)
		return fault_set(f, "runs is 0: it must be at least 1, or empty to use -r");
	if (read_kind(row, &t->kind, f) < 0 || read_args(t, args, f) < 0)
		return -1;
	if (status.len && !text_is(status, "ok"))
		t->skipped = mem_text(status.ptr, status.len);
	if (t->kind == KIND_FUNCTION)
		return function_fill(t, subject, f);
	if (t->kind == KIND_KERNEL || t->kind == KIND_MODEL)
		t->list = str_copy(subject);
	else if (!t->skipped && !(t->words = shell_words_split(subject, f)))
		return -1;
	return 0;
}

static int on_subject(void *ctx, const struct subject_row *row, struct fault *f)
{
	struct templates *list = ctx;
	struct text bench = row_cell(row, "bench"), subject = row_cell(row, "subject"),
	            args = row_cell(row, "args"), runs = row_cell(row, "runs");
	struct template *t;
	struct fault why;
	int status;

	t = VEC_ADD(list->item, list->count, list->cap);
	*t = (struct template){ 0 };
	t->bench =
	    bench.len ? mem_text(bench.ptr, bench.len) : mem_text(subject.ptr, subject.len);
	char *subject_text = mem_text(subject.ptr, subject.len),
	     *arg_text = mem_text(args.ptr, args.len),
	     *run_text = mem_text(runs.ptr, runs.len);
	status = template_fill(t, row, subject_text, arg_text, run_text, &why);
	free(subject_text);
	free(arg_text);
	free(run_text);
	return status < 0 ? row_fault(row, &why, f) : 0;
}

/* Returns the path of the suite with a name, or NULL if there is none; allocated. */
static char *suite_path(const char *name)
{
	char *file = str_format("suites/%s.csv", name), *path = share_path(file);

	free(file);
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

int subject_file_read(const char *path, struct templates *out, struct fault *f)
{
	static const struct bench_csv_sink sink = { .subject = on_subject,
		.no_header = NOT_SUBJECTS };
	struct bench_csv *s = bench_csv_open(&sink, out);
	char *suite =
	    strchr(path, '/') || access(path, F_OK) == 0 ? NULL : suite_path(path);
	const char *source = suite ? suite : path;
	int status = bench_csv_read(s, source, f);

	if (status == 0 && bench_csv_has_rows(s))
		status = fault_set(f, "%s: " NOT_SUBJECTS, source);
	bench_csv_close(s);
	free(suite);
	return status;
}
