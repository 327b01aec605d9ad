/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-convert: converts measurements from and to the formats of other programs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/standard_files.h"
#include "convert/convert.h"
#include "convert/format_detect.h"
#include "convert/format_pages.h"
#include "convert/input_files.h"
#include "io/message.h"
#include "io/opt.h"
#include "io/opt_rule.h"
#include "record/row_settings.h"
#include "record/stream_options.h"
#include "sys/output_file.h"

static struct format_pages pages;
static struct row_settings settings;
static struct convert o = { .pages = &pages, .settings = &settings };
static const char *output;
static struct stream_options rows;
static struct opt_list sets;
static bool detect, list, one_header;

static const struct opt opts[] = {
	OPT_HEADING("Formats"),
	OPT('f', "from", &o.from, "FORMAT", "format to read (detected from the contents)"),
	OPT('t', "to", &o.to, "FORMAT", "format to write (csv)"),
	OPT(0, "one-header", &one_header, NULL,
	    "write joined streams as one CSV table, for other programs"),
	OPT(0, "detect", &detect, NULL,
	    "list the format of each file, and convert nothing"),
	OPT(0, "list", &list, NULL, "list the formats"),
	OPT_HEADING("Input"),
	STREAM_MELT(rows),
	OPT('n', "name", &o.bench, "NAME", "name of the benchmark if the file has none"),
	OPT(0, "set", &sets, "NAME=VALUE",
	    "set a column such as time, host or commit (repeatable)"),
	STREAM_FILTER(rows),
	OPT('M', "metric", &rows.metrics, "GLOB",
	    "convert only metrics whose names match (repeatable)"),
	OPT_HEADING("Output"),
	OPT('o', "output", &output, "FILE", "write to FILE (standard output)"),
	OPT_END,
};

static const char *const synopsis[] = { "[options] [file ...]", "--detect [file ...]",
	"--list", NULL };

static const struct opt_rule rules[] = {
	{ "--detect", OPT_EXCLUDES, "-f -t --one-header --list -m -n --set --filter -M -o",
	    NULL },
	OPT_RULES_END,
};

static void convert_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	static const char *const settable[] = { "time=", "time=mtime",
		"host=", "commit=", "env=", "run=", "kind=", "bench=" };
	struct fault ignored;

	for (size_t i = 0; i < COUNT(settable) && strcmp(option, "set") == 0; i++)
		known_names_add(k, text_of(settable[i]));
	if (strcmp(option, "to") == 0)
		formats_names(k, true);
	else if (strcmp(option, "from") == 0) {
		formats_names(k, false);
		format_pages_load(&pages, &ignored);
		format_pages_names(&pages, k);
	}
	stream_options_values(k, option, file, files);
}

static const struct opt_program program = {
	.values = convert_values,
	.name = "bench-convert",
	.synopsis = synopsis,
	.summary = "Convert measurements to and from the formats of other programs.",
	.opts = opts,
	.rules = rules,
	.flags = OPT_FORMATS | OPT_PAGER,
};

/* Prints the notes, one warning a line. */
static void warn_of_notes(const struct buf *notes)
{
	for (char *line = notes->ptr, *end; line && *line; line = end + 1) {
		end = strchr(line, '\n');
		*end = '\0';
		if (!opt_common.quiet)
			message_warn("%s", line);
	}
}

static void list_format(struct render *r, const struct format *format)
{
	bool reads = format_reads(format), writes = format_writes(format);

	render_row(r, (struct cell[]){ CELL_OF_TEXT(text_of(format->name)),
	                  CELL_OF_TEXT(text_of(reads ? "yes" : "no")),
	                  CELL_OF_TEXT(text_of(writes ? "yes" : "no")),
	                  CELL_OF_TEXT(text_of(format->meaning)) });
}

static int list_formats(void)
{
	static const struct render_column columns[] = { { .name = "format" },
		{ .name = "in" }, { .name = "out" }, { .name = "meaning" } };
	struct buf notes = { 0 };
	struct fault f;
	struct render *r;

	if (format_pages_load(&pages, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	format_pages_note(&pages, &notes);
	warn_of_notes(&notes);
	buf_free(&notes);
	r = render_open(&opt_common.output, columns, COUNT(columns));
	for (size_t i = 0; i < formats_count; i++)
		list_format(r, formats_known[i]);
	for (size_t i = 0; i < pages.count; i++)
		list_format(r, &pages.format[i]);
	format_pages_free(&pages);
	return render_close(r) < 0 ? stdout_failed() : stdout_close(STATUS_FINE);
}

/* Replaces the output file as a whole: readers get either the old or the new contents. */
static int convert_into(
    const struct input_files *in, struct output out, struct buf *notes, struct fault *f)
{
	struct output_file *file = output_file_open(output, f);

	if (!file)
		return -1;
	out.file = output_file_stream(file);
	if (convert_inputs(&o, in->input, in->count, &out, notes, f) == 0)
		return output_file_commit(file, f);
	if (strcmp(f->text, "standard output") == 0)
		fault_errno(f, "%s", output);
	output_file_discard(file);
	return -1;
}

/* Reads --set. Ends the program if it is wrong. */
static void read_settings(void)
{
	struct fault f;

	for (size_t i = 0; i < sets.count; i++)
		if (row_settings_add(&settings, sets.item[i], &f) < 0)
			opt_usage_error(&program, "--set: %s", f.text);
	if (o.bench && row_settings_find(&settings, COL_BENCH))
		opt_usage_error(
		    &program, "--name and --set bench both give the name: omit one");
}

/* Ends the program if options contradict each other. */
static void check_convert_options(void)
{
	bool other_format = o.to && strcmp(o.to, "csv") != 0;

	if (opt_common.output.format != RENDER_AUTO && other_format)
		opt_usage_error(
		    &program, "--csv, --table and --json cannot be combined with --to");
	if (one_header && (other_format || opt_common.output.format == RENDER_TABLE ||
	                      opt_common.output.format == RENDER_JSON))
		opt_usage_error(&program, "--one-header writes CSV and no other format");
	if (rows.melt.count && o.from && strcmp(o.from, "csv") != 0)
		opt_usage_error(&program,
		    "--melt reads CSV and cannot be combined with --from %s", o.from);
}

/* Completes the options of the conversion from the other options. */
static void complete_convert_options(void)
{
	if (one_header)
		o.to = "csv";
	o.melt = rows.melt.item;
	o.melts = rows.melt.count;
	stream_options_open(&rows, &program);
	read_settings();
	o.filter = rows.filter;
	o.conditions = rows.conditions;
}

static void free_convert_options(void)
{
	format_pages_free(&pages);
	row_settings_free(&settings);
	free(sets.item);
	stream_options_close(&rows);
}

/* Reads the files, or standard input if there are none. */
static int read_inputs(
    struct input_files *in, char *const *file, int files, struct fault *f)
{
	int status = files ? 0 : input_files_add(in, "-", f);

	for (int i = 0; i < files && status == 0; i++)
		status = input_files_add(in, file[i], f);
	return status;
}

/* Converts the files. Ends the program if this fails. */
static void convert_files(char *const *file, int files)
{
	struct output out = opt_common.output;
	struct input_files in = { 0 };
	struct buf notes = { 0 };
	struct fault f;
	int status;

	if (o.to || (output && out.format == RENDER_AUTO))
		out.format = RENDER_CSV;

	/* Read all input before creating the file: a slow input may end by a signal. */
	status = read_inputs(&in, file, files, &f);
	if (status == 0)
		status = output ? convert_into(&in, out, &notes, &f)
		                : convert_inputs(&o, in.input, in.count, &out, &notes, &f);
	warn_of_notes(&notes);
	if (status < 0 && strcmp(f.text, "standard output") == 0)
		exit(stdout_failed());
	if (status < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	buf_free(&notes);
	input_files_free(&in);
}

/* Lists the format of each file. Returns the exit status. */
static int detect_formats(char *const *file, int files)
{
	struct input_files in = { 0 };
	struct buf notes = { 0 };
	struct fault f;
	int unknown;

	if (read_inputs(&in, file, files, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	unknown = formats_detect(&o, in.input, in.count, &opt_common.output, &notes);
	if (unknown < 0)
		return stdout_failed();
	warn_of_notes(&notes);
	buf_free(&notes);
	input_files_free(&in);
	format_pages_free(&pages);
	return stdout_close(unknown ? STATUS_NO : STATUS_FINE);
}

int main(int argc, char **argv)
{
	standard_files_open();

	int first = opt_parse(&program, argc, argv);

	if (list && first < argc)
		opt_usage_error(&program, "--list takes no files");
	if (list)
		return list_formats();
	if (detect)
		return detect_formats(argv + first, argc - first);
	if (output && strcmp(output, "-") == 0)
		output = NULL;
	check_convert_options();
	complete_convert_options();
	convert_files(argv + first, argc - first);
	free_convert_options();
	return stdout_close(STATUS_FINE);
}
