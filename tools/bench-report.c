/*
 * bench-report: one page of HTML about a stream, with all that our programs tell of it.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "draw.h"
#include "opt.h"
#include "report.h"

static struct {
	const char *output, *title, *baseline, *theme;
	struct opt_list metric;
} o = { .theme = "auto" };

static const struct opt opts[] = {
	OPT('o', "output", &o.output, "FILE", "the page (standard output)"),
	OPT(0, "baseline", &o.baseline, "FILE", "older samples: verdicts on what changed"),
	OPT('y', "metric", &o.metric, "METRIC", "draw this one; repeatable (some four)"),
	OPT(0, "title", &o.title, "TEXT", "the title"),
	OPT(0, "theme", &o.theme, "THEME", "auto, light or dark"),
	OPT_END,
};

static const char *const synopsis[] = { "[options] [file...]", NULL };
static const struct opt_program program = {
	.name = "bench-report",
	.synopsis = synopsis,
	.summary = "Make one page of HTML of samples: tables, pictures, verdicts, data.",
	.opts = opts,
};

/* NULL for auto. */
static const char *theme_of(void)
{
	static const char *const themes[] = { "light", "dark" };

	for (size_t i = 0; i < COUNT(themes); i++)
		if (strcmp(o.theme, themes[i]) == 0)
			return themes[i];
	if (strcmp(o.theme, "auto") != 0)
		opt_usage_error(
		    &program, "--theme is auto, light or dark, not '%s'", o.theme);
	return NULL;
}

static struct text text_in(const struct buf *b)
{
	return (struct text){ b->ptr, b->len };
}

/* All files one behind the other: a stream holds many tables. */
static void read_files(struct buf *out, char *const *file, size_t count)
{
	struct fault f;

	for (size_t i = 0; i < (count ? count : 1); i++) {
		if (file_read(count ? file[i] : "-", out, &f) < 0)
			errx(STATUS_TROUBLE, "%s", f.text);
		if (out->len && out->ptr[out->len - 1] != '\n')
			buf_byte(out, '\n');
	}
}

int main(int argc, char **argv)
{
	int first = opt_parse(&program, argc, argv), status = STATUS_FINE;
	size_t files = (size_t)(argc - first);
	struct buf input = { 0 }, baseline = { 0 }, page = { 0 };
	struct report_asked asked = {
		.name = files > 1 ? "the files"
		        : files   ? argv[first]
		                  : "standard input",
		.title = o.title,
		.theme = theme_of(),
		.baseline_name = o.baseline,
		.metric = o.metric.item,
		.metrics = o.metric.count,
	};
	struct report *report;
	struct fault f;

	if (o.baseline && file_read(o.baseline, &baseline, &f) < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	read_files(&input, argv + first, files);
	asked.input = text_in(&input);
	asked.baseline = text_in(&baseline);
	report = report_make(&asked, &page, &f);
	if (!report)
		errx(STATUS_TROUBLE, "%s", f.text);
	for (size_t i = 0; i < report_failures(report); i++) {
		warnx("%s", report_failure(report, i));
		status = STATUS_NO;
	}
	if (!o.output || strcmp(o.output, "-") == 0)
		fwrite(page.ptr, 1, page.len, stdout);
	else if (draw_file(o.output, text_in(&page), &f) < 0)
		errx(STATUS_TROUBLE, "%s", f.text);
	report_free(report);
	buf_free(&page);
	buf_free(&input);
	buf_free(&baseline);
	free(o.metric.item);
	return stdout_close(status);
}
