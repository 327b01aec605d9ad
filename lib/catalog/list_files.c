/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of functions and commands; see list_files.h.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "catalog/list_files.h"
#include "discover/benchmark_lines.h"
#include "discover/benchmarks.h"
#include "discover/discover.h"
#include "discover/meta.h"
#include "sys/program_format.h"
#include "text/shell_words.h"

/* The columns of a table of subjects. Readers recognize it by its first three columns. */
enum {
	KIND,
	BENCH,
	SUBJECT,
	ARGS,
	CATEGORY,
	STATUS,
	OBJECT,
	SYMBOL,
	METADATA,
	SOURCE,
	LINE,
	BUILD_ID,
	COLUMNS
};

static const struct render_column file_columns[COLUMNS] = {
	[KIND] = { .name = "kind", .rank = 6, .factor = true },
	[BENCH] = { .name = "bench" },
	[SUBJECT] = { .name = "subject", .rank = 1 },
	[ARGS] = { .name = "args", .rank = 3 },
	[CATEGORY] = { .name = "category", .rank = 5 },
	[STATUS] = { .name = "status", .rank = 2 },
	[OBJECT] = { .name = "object", .plain_only = true },
	[SYMBOL] = { .name = "symbol", .plain_only = true },
	[METADATA] = { .name = "metadata", .plain_only = true },
	[SOURCE] = { .name = "source", .rank = 4 },
	[LINE] = { .name = "line", .rank = 4 },
	[BUILD_ID] = { .name = "build_id", .plain_only = true },
};

static struct cell text_cell(const char *s)
{
	return *s ? CELL_OF_TEXT(text_of(s)) : (struct cell){ .kind = CELL_EMPTY };
}

/* Appends the parameters of metadata, in the form of bench-run's option -P. */
static void put_args(struct buf *b, const char *text)
{
	struct text left = text_of(text), name, list;

	while (meta_param(&left, &name, &list))
		buf_printf(b, "%s%.*s=%.*s", b->len ? " " : "", (int)name.len, name.ptr,
		    (int)list.len, list.ptr);
}

static void print_function(
    struct render *table, const char *path, const char *build_id, const struct benchmark *b)
{
	char *subject = str_format("%s:%s", path, b->symbol);
	struct buf args = { 0 };

	put_args(&args, b->text);
	struct cell cells[COLUMNS] = {
		[KIND] = CELL_OF_TEXT(TEXT("function")),
		[BENCH] = text_cell(b->name),
		[SUBJECT] = text_cell(subject),
		[CATEGORY] = text_cell(b->category),
		[STATUS] = text_cell(b->status),
		[OBJECT] = text_cell(path),
		[SYMBOL] = text_cell(b->symbol),
		[METADATA] = text_cell(b->text),
		[SOURCE] = text_cell(b->source),
		[BUILD_ID] = text_cell(build_id),
	};

	if (args.len)
		cells[ARGS] = CELL_OF_TEXT((text_in(&args)));
	if (b->line)
		cells[LINE] = CELL_OF_INTEGER(b->line);
	render_row(table, cells);
	buf_free(&args);
	free(subject);
}

static void print_command(struct render *table, const char *path)
{
	const char *slash = strrchr(path, '/');
	/* A name without a slash would be searched in PATH. */
	char *file = str_format("%s%s", slash ? "" : "./", path);
	char *line = shell_words_join((char *[]){ file, NULL });
	struct fault f;
	bool is_fine = program_check_format(path, &f) == 0;
	struct cell cells[COLUMNS] = {
		[KIND] = CELL_OF_TEXT(TEXT("command")),
		[BENCH] = text_cell(slash ? slash + 1 : path),
		[SUBJECT] = text_cell(line),
		[STATUS] = text_cell(is_fine ? "ok" : f.text),
	};

	render_row(table, cells);
	free(file);
	free(line);
}

/* The table while files are found. */
struct files_table {
	const struct list_files_opts *opts;
	struct render *render;
	struct list_files_result result;
};

static void on_trouble(void *ctx, const char *message)
{
	struct files_table *t = ctx;

	t->opts->report(message);
	t->result.unreadable = t->result.reported = true;
}

/* Reports a skipped file. Most files in directories are no benchmarks. */
static void on_other(void *ctx, const char *path, const char *why, bool named)
{
	struct files_table *t = ctx;
	struct fault f;

	if (named && fnmatch("*.onnx", path, 0) == 0)
		why = "a model, not an object or a command (use bench-list models FILE)";
	if (t->opts->verbose || (named && !t->opts->quiet)) {
		fault_set(&f, "%s: %s", path, why);
		t->opts->report(f.text);
		t->result.reported |= named;
	}
}

/* Prints the functions of an object that match. Returns their number. */
static size_t print_functions(struct files_table *t, const char *path, const char *glob,
    const struct benchmarks *found)
{
	size_t rows = 0;

	for (size_t i = 0; i < found->count; i++)
		if (benchmark_matches(&found->item[i], glob)) {
			print_function(t->render, path, found->build_id, &found->item[i]);
			rows++;
		}
	t->result.rows += rows;
	return rows;
}

static void on_object(void *ctx, const char *path, const char *glob, bool named)
{
	struct files_table *t = ctx;
	struct benchmarks found;
	struct fault f;

	if (!t->opts->functions) {
		on_other(t, path, "not a command", named);
		return;
	}
	if (benchmarks_read(path, t->opts->all, &found, &f) < 0) {
		on_trouble(t, f.text);
		return;
	}
	benchmarks_find_lines(&found, path);
	if (!print_functions(t, path, glob, &found))
		on_other(t, path,
		    glob           ? "no benchmark matches the pattern"
		    : t->opts->all ? "exports no function"
		                   : "exports no function named benchmark_* or run_* "
		                     "(-a lists all functions)",
		    named);
	benchmarks_free(&found);
}

static void on_command(void *ctx, const char *path, bool named)
{
	struct files_table *t = ctx;

	if (!t->opts->commands) {
		on_other(t, path, "a command, not an object with functions", named);
		return;
	}
	print_command(t->render, path);
	t->result.rows++;
}

int list_files(const struct list_files_opts *o, char *const *operand, size_t operands,
    struct list_files_result *out)
{
	struct files_table table = { .opts = o,
		.render = render_open(o->out, file_columns, COLUMNS) };
	const struct discover_sink sink = { .object = on_object,
		.command = on_command,
		.other = on_other,
		.trouble = on_trouble,
		.ctx = &table };
	struct discover *search = discover_open(&sink);

	for (size_t i = 0; i < operands; i++)
		discover_operand(search, operand[i]);
	discover_close(search);
	*out = table.result;
	if (table.result.unreadable && !table.result.rows) {
		render_cancel(table.render);
		return 0;
	}
	return render_close(table.render);
}
