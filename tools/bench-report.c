/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bench-report: writes a page of HTML with tables, plots and verdicts about a stream.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/standard_files.h"
#include "budget/budget.h"
#include "io/message.h"
#include "io/opt.h"
#include "record/foreign_input.h"
#include "record/stream_names.h"
#include "report/html.h"
#include "report/report.h"
#include "report/report_anonymize.h"
#include "site/site.h"
#include "store/store.h"
#include "sys/temp_file.h"
#include "text/plural.h"

static struct {
	const char *output, *title, *baseline, *budget, *theme, *repo_url, *key;
	const char *site, *order, *since;
	struct opt_list metric;
	bool anonymize;
} o = { .theme = "auto" };

static const struct opt opts[] = {
	OPT_HEADING("Contents"),
	OPT(0, "baseline", &o.baseline, "FILE",
	    "compare with these older samples and report verdicts"),
	OPT(0, "budget", &o.budget, "FILE",
	    "check the limits in FILE, as bench-stat --budget does"),
	OPT('y', "metric", &o.metric, "GLOB",
	    "draw and judge metrics that match (repeatable; default: up to four that "
	    "vary)"),
	OPT(0, "order", &o.order, "FILE",
	    "--site: order of the commits, oldest first (by time)"),
	OPT(0, "since", &o.since, "RELEASE",
	    "--site: show the change since a tag or commit"),
	OPT(0, "repo-url", &o.repo_url, "URL",
	    "link commits to URL, in which %s is the commit"),
	OPT_HEADING("Privacy"),
	OPT(0, "anonymize", &o.anonymize, NULL,
	    "replace hosts, paths, arguments of commands and users"),
	OPT(0, "anonymize-key", &o.key, "FILE",
	    "anonymize with the key in FILE (a file in your home directory)"),
	OPT_HEADING("Output"),
	OPT('o', "output", &o.output, "FILE", "write the page to FILE (standard output)"),
	OPT(0, "site", &o.site, "DIR",
	    "write a site about a database to the directory DIR"),
	OPT(0, "title", &o.title, "TEXT", "title of the page (Benchmark report)"),
	OPT(0, "theme", &o.theme, "THEME", "auto, light or dark (auto)"),
	OPT_END,
};

static const struct opt_rule rules[] = {
	{ "--budget", OPT_EXCLUDES, "--anonymize", ", because it names benchmarks" },
	{ "--order", OPT_REQUIRES, "--site", NULL },
	{ "--since", OPT_REQUIRES, "--site", NULL },
	{ "--site", OPT_EXCLUDES, "--baseline --budget --output", NULL },
	OPT_RULES_END,
};

static const char *const synopsis[] = { "[options] [file...]",
	"--site DIR [options] [database]", NULL };
static const char *const themes[] = { "auto", "light", "dark" };

static void report_values(
    struct known_names *k, const char *option, char *const *file, size_t files)
{
	if (strcmp(option, "metric") == 0)
		stream_names_metrics(k, file, files);
	else if (strcmp(option, "theme") == 0)
		known_names_add_all(k, themes, sizeof(*themes), COUNT(themes));
}

static const struct opt_program program = {
	.values = report_values,
	.name = "bench-report",
	.synopsis = synopsis,
	.summary = "Write an HTML page with tables, plots and verdicts.",
	.opts = opts,
	.rules = rules,
};

/* Returns the theme, or NULL for auto. */
static const char *theme_of(void)
{
	const char *const *theme = opt_choice(
	    &program, "--theme", o.theme, themes, sizeof(*themes), COUNT(themes));

	return theme == themes ? NULL : *theme;
}

/* Ends the program if options are wrong. A page is not for a terminal. */
static void check_options(void)
{
	if (o.repo_url && !html_repo_url_valid(o.repo_url))
		opt_usage_error(&program,
		    "--repo-url must be an address of http or https, such as "
		    "https://example.org/me/prog/commit/%%s, not '%s'",
		    o.repo_url);
	if (!o.output && !o.site && isatty(STDOUT_FILENO))
		opt_usage_error(&program,
		    "the page is HTML, which a terminal cannot show: name a file with -o "
		    "(or use -o - to write it anyway)");
}

/* Ends the program if the budgets cannot be read, before anything runs. */
static void check_budget(void)
{
	struct fault f;
	struct budgets *budgets = o.budget ? budgets_read(o.budget, &f) : NULL;

	if (o.budget && !budgets)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	budgets_free(budgets);
}

/* Reads a file into *file, which the caller closes. */
static const struct report_file *read_file(struct report_file *file, const char *path)
{
	struct fault f;

	if (memory_file_create(&file->in, &f) < 0 ||
	    memory_file_add_file(&file->in, path, &file->name, &f) < 0 ||
	    memory_file_map(&file->in, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	return file;
}

/* Replaces what identifies machines and users in all inputs. */
static void anonymize(struct report_file *file, size_t files, struct report_file *old)
{
	struct fault f;

	if (report_anonymize(o.key, file, files, old, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
}

/* Writes the page. Returns the exit status. */
static int write_page(const struct buf *page)
{
	struct fault f;

	if (!o.output || strcmp(o.output, "-") == 0) {
		if (fwrite(page->ptr, 1, page->len, stdout) != page->len)
			return stdout_failed();
	} else if (temp_file_write(o.output, TEMP_FILE_OUTPUT,
	               text_in(page), &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	return stdout_close(STATUS_FINE);
}

/* Builds a site from the database that the operand names. Returns the exit status. */
static int make_site(size_t operands, char **operand)
{
	struct site_opts wanted = {
		.dir = o.site,
		.title = o.title,
		.theme = theme_of(),
		.order = o.order,
		.since = o.since,
		.repo_url = o.repo_url,
		.metric = o.metric.item,
		.metrics = o.metric.count,
		.anonymize = o.anonymize,
		.key = o.key,
		.wait_ns = 30e9,
	};
	struct site_built built;
	struct fault f;
	char *name;

	if (operands > 1)
		opt_usage_error(&program, "--site: name one database");
	name = operands ? str_copy(*operand) : store_default_name(&f);
	if (!name)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	wanted.store = name;
	if (site_build(&wanted, &built, &f) < 0)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	if (!opt_common.quiet)
		message_warn("%zu series, %zu runs (%zu read); %zu files written, %zu "
		             "removed",
		    built.series, built.runs, built.read, built.written, built.removed);
	if (!opt_common.quiet && built.unordered)
		message_warn(
		    "%zu run%s left out, because the commit%s not in the order file",
		    built.unordered, plural_s(built.unordered),
		    plural(built.unordered, " is", "s are"));
	free(name);
	free(o.metric.item);
	return stdout_close(STATUS_FINE);
}

/* Reports what could not be drawn. Returns the exit status. */
static int print_failures(const struct report *report)
{
	const size_t failures = report_failures(report);

	for (size_t i = 0; i < failures; i++)
		message_warn("%s", report_failure(report, i));
	return failures ? STATUS_NO : STATUS_FINE;
}

/* Makes a page from these files. Returns the exit status. */
static int make_page(char *const *path, size_t files)
{
	struct report_file *file = mem_zero(files, sizeof(*file)), old;
	struct report_opts wanted = {
		.file = file,
		.files = files,
		.title = o.title,
		.budget = o.budget,
		.theme = theme_of(),
		.metric = o.metric.item,
		.metrics = o.metric.count,
		.repo_url = o.repo_url,
	};
	struct buf page = { 0 };
	struct report *report;
	struct fault f;
	int status;

	check_budget();
	if (o.baseline)
		wanted.baseline = read_file(&old, o.baseline);
	for (size_t i = 0; i < files; i++) {
		read_file(&file[i], path[i]);
		if (files > 1)
			memory_file_keep_text(&file[i].in);
	}
	if (o.anonymize)
		anonymize(file, files, o.baseline ? &old : NULL);
	report = report_make(&wanted, &page, &f);
	if (!report)
		message_fail(STATUS_TROUBLE, "%s", f.text);
	status = print_failures(report);
	if (write_page(&page) != STATUS_FINE)
		status = STATUS_TROUBLE;
	report_free(report);
	buf_free(&page);
	for (size_t i = 0; i < files; i++)
		memory_file_close(&file[i].in);
	if (wanted.baseline)
		memory_file_close(&old.in);
	free(file);
	return status;
}

int main(int argc, char **argv)
{
	standard_files_open();
	foreign_input_arguments(argc, argv);

	static char dash[] = "-", *from_stdin[] = { dash };
	int first = opt_parse(&program, argc, argv), status;
	size_t operands = (size_t)(argc - first);

	o.anonymize = o.anonymize || o.key;
	check_options();
	if (o.site)
		return make_site(operands, argv + first);
	status = operands ? make_page(argv + first, operands) : make_page(from_stdin, 1);
	free(o.metric.item);
	return status;
}
