/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains files of other programs; see foreign_input.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/paths.h"
#include "io/csv_table.h"
#include "record/foreign_input.h"
#include "sys/process_run.h"
#include "text/shell_words.h"

/* A larger file is not read again only to explain it. */
#define EXPLAINED_BYTES_MAX ((off_t)64 << 20)
#define EXPLAINED_NS_MAX 30e9

/* The arguments of the program, in the order in which the user wrote them. */
static char **arguments;

/* Runs bench-convert --detect. Returns 0 and appends its output, or returns -1. */
static int detect(const char *path, struct buf *out)
{
	char quiet[] = "-q", csv[] = "--csv", option[] = "--detect", end[] = "--";
	char *program = bin_path("bench-convert"), *file = str_copy(path);
	char *const argv[] = { program, quiet, csv, option, end, file, NULL };
	char *no_changes[] = { NULL };
	char **env = process_env(no_changes);
	struct buf ignored = { 0 };
	struct fault why;
	const int status =
	    process_run_limited(argv, env, EXPLAINED_NS_MAX, out, &ignored, &why);

	buf_free(&ignored);
	free(env);
	free(file);
	free(program);
	return status == 0 ? 0 : -1;
}

/* Returns the name of the format of a file of another program, allocated, or NULL. */
static char *foreign_format(const char *path)
{
	struct csv_table g = { 0 };
	struct buf out = { 0 };
	struct fault ignored;
	struct stat s;
	char *name = NULL;

	if (stat(path, &s) < 0 || !S_ISREG(s.st_mode) || s.st_size > EXPLAINED_BYTES_MAX)
		return NULL;
	if (detect(path, &out) == 0 && csv_table_read(&g, text_in(&out), &ignored) == 0) {
		const long format = csv_table_column(&g, "format");
		const long convert = csv_table_column(&g, "convert");

		if (format >= 0 && convert >= 0 && csv_table_rows(&g) > 0 &&
		    strcmp(csv_table_cell(&g, 0, (size_t)convert), "yes") == 0)
			name = str_copy(csv_table_cell(&g, 0, (size_t)format));
	}
	csv_table_free(&g);
	buf_free(&out);
	return name;
}

/* Returns whether another argument is also a file of another program. */
static bool has_other_foreign(const char *path)
{
	bool found = false;

	for (size_t i = 1; arguments[i] && !found; i++)
		if (strcmp(arguments[i], path) != 0) {
			char *format = foreign_format(arguments[i]);

			found = format != NULL;
			free(format);
		}
	return found;
}

/* Returns the command line of this program that reads standard input instead of the file,
 * allocated. */
static char *program_line(const char *path)
{
	static char dash[] = "-";
	size_t count = 0;
	char **words, *line;

	while (arguments[count])
		count++;
	words = mem_zero(count + 1, sizeof(*words));
	words[0] = program_invocation_short_name;
	for (size_t i = 1; i < count; i++)
		words[i] = strcmp(arguments[i], path) == 0 ? dash : arguments[i];
	line = shell_words_join(words);
	free(words);
	return line;
}

/* Several files of other programs cannot all come from one pipe, so each becomes a file. */
void foreign_input_explain(const char *path, struct fault *f)
{
	char *format = arguments ? foreign_format(path) : NULL;
	char convert[] = "bench-convert", option[] = "-o";
	char *file, *output, *then;

	if (!format)
		return;
	file = str_copy(path);
	output = str_format("%s.csv", path);
	if (has_other_foreign(path)) {
		char *line =
		    shell_words_join((char *[]){ convert, option, output, file, NULL });

		fault_set(
		    f, "%s: a file of the format %s (convert it: %s)", path, format, line);
		free(line);
	} else {
		char *line = shell_words_join((char *[]){ convert, file, NULL });

		then = program_line(path);
		fault_set(f, "%s: a file of the format %s (convert it: %s | %s)", path,
		    format, line, then);
		free(then);
		free(line);
	}
	free(output);
	free(file);
	free(format);
}

void foreign_input_arguments(int argc, char **argv)
{
	arguments = mem_zero((size_t)argc + 1, sizeof(*arguments));
	for (int i = 0; i < argc; i++)
		arguments[i] = argv[i];
}
