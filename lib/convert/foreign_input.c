/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Explains files of other programs; see foreign_input.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "convert/foreign_input.h"
#include "convert/format_pages.h"
#include "convert/from.h"
#include "convert/input_files.h"
#include "convert/inputs_priv.h"
#include "record/bench_csv.h"
#include "text/shell_words.h"

/* A larger file is not read again only to explain it. */
#define EXPLAINED_BYTES_MAX ((off_t)64 << 20)

/* The arguments of the program, in the order in which the user wrote them. */
static char **arguments;

/* Returns whether all programs of benchutils read the format. */
static bool is_own(const struct format *format)
{
	return format->copy || format == &format_csv || format == &format_json ||
	       format == &format_json_lines;
}

/* Returns the name of the format of a file of another program, allocated, or NULL. */
static char *foreign_format(const char *path)
{
	struct format_pages pages = { 0 };
	const struct convert c = { .pages = &pages };
	struct input_files files = { 0 };
	struct inputs inputs = { 0 };
	struct buf notes = { 0 };
	struct fault ignored;
	struct stat s;
	char *name = NULL;

	if (stat(path, &s) < 0 || !S_ISREG(s.st_mode) || s.st_size > EXPLAINED_BYTES_MAX)
		return NULL;
	if (input_files_add(&files, path, &ignored) == 0 &&
	    inputs_open(&inputs, &c, files.input, files.count, &notes, &ignored) == 0 &&
	    !is_own(inputs.input[0].from))
		name = str_copy(inputs.input[0].from->name);
	inputs_drop(&inputs, 0);
	free(inputs.input);
	input_files_free(&files);
	format_pages_free(&pages);
	buf_free(&notes);
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

/* Replaces the message about a file if it is one of another program. Several such files
 * cannot all come from one pipe, so each becomes a file. */
static void explain(const char *path, struct fault *f)
{
	char *format = foreign_format(path), convert[] = "bench-convert", option[] = "-o";
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

void foreign_input_explain(int argc, char **argv)
{
	arguments = mem_zero((size_t)argc + 1, sizeof(*arguments));
	for (int i = 0; i < argc; i++)
		arguments[i] = argv[i];
	bench_csv_explain_foreign(explain);
}
