/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of functions and commands; see list_files.h.
 */
#include <stdlib.h>
#include <string.h>

#include "catalog/list_files.h"
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

struct render *list_files_open(const struct output *out)
{
	return render_open(out, file_columns, COLUMNS);
}

void list_files_function(
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
		cells[ARGS] = CELL_OF_TEXT(((struct text){ args.ptr, args.len }));
	if (b->line)
		cells[LINE] = CELL_OF_INTEGER(b->line);
	render_row(table, cells);
	buf_free(&args);
	free(subject);
}

void list_files_command(struct render *table, const char *path)
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
