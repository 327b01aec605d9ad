/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The items of a report; see report_items_priv.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/parallel.h"
#include "base/paths.h"
#include "io/gzip.h"
#include "report/report_items_priv.h"
#include "text/plural.h"

/* Widths in pixels of plots: alone or side by side on a broad page, and on a
 * narrow one. */
enum { WIDE = 800, BROAD = 600, NARROW = 360 };
/* Rows of a table at most; a browser needs seconds to show ten times as many. */
enum { TABLE_ROWS = 2000 };
/* Sizes in bytes of files to download: beyond the first one they are compressed, and beyond
 * the second one, compressed, left out. */
enum { DOWNLOAD_PLAIN = 65536, DOWNLOAD_MAX = 4000000 };

struct item *part_add(
    struct part *p, enum item_shown shown, const char *caption_format, ...)
{
	struct item *it;
	char caption[512];
	va_list ap;

	va_start(ap, caption_format);
	vsnprintf(caption, sizeof(caption), caption_format, ap);
	va_end(ap);
	it = VEC_ADD(p->item, p->count, p->cap);
	*it = (struct item){ .shown = shown, .caption = str_copy(caption), .input = -1 };
	return it;
}

static void add_word(struct item *it, char *word)
{
	*VEC_ADD(it->argv, it->args, it->args_cap) = word;
}

void item_run(struct item *it, const char *program, ...)
{
	const char *word;
	va_list ap;

	add_word(it, bin_path(program));
	va_start(ap, program);
	while ((word = va_arg(ap, const char *)))
		add_word(it, str_copy(word));
	va_end(ap);
	add_word(it, NULL);
}

void item_option(struct item *it, const char *option, const char *value)
{
	it->args--; /* the NULL */
	add_word(it, str_copy(option));
	add_word(it, str_copy(value));
	add_word(it, NULL);
}

void item_draw(struct item *it, const char *kind, bool wide)
{
	char width[16];

	snprintf(width, sizeof(width), "%d", wide ? WIDE : BROAD);
	item_run(it, "bench-plot", kind, "-F", "svg", "-o", "-", "--theme", "auto",
	    "--data", "--size", width, NULL);
	it->wide = wide;
	it->drawn = true;
}

void item_redraw(struct item *it, const char *kind)
{
	free(it->argv[1]);
	it->argv[1] = str_copy(kind);
}

/* Starts the program of a plot again, for a narrow page. Without success there is one
 * plot for all pages. */
static void start_narrow(struct item *it, int input)
{
	char **argv = mem_zero(it->args + 3, sizeof(*argv)), size[] = "--size", width[16];
	struct fault f;

	memcpy(argv, it->argv, it->args * sizeof(*argv));
	snprintf(width, sizeof(width), "%d", NARROW);
	argv[it->args - 1] = size;
	argv[it->args] = width;
	it->narrowed = process_run_start(&it->narrow, argv, input, &f) == 0;
	free(argv);
}

static void finish_narrow(struct item *it)
{
	struct buf said = { 0 };
	struct fault f;

	if (it->narrowed && process_run_wait(&it->narrow, &it->small, &said, &f) != 0)
		it->small.len = 0;
	it->narrowed = false;
	buf_free(&said);
}

static void item_free(struct item *it)
{
	for (size_t i = 0; i < it->args; i++)
		free(it->argv[i]);
	free(it->argv);
	free(it->caption);
	free(it->meaning);
	free(it->bench);
	if (it->filter)
		report_filter_close(it->filter);
	if (it->input >= 0)
		close(it->input);
	buf_free(&it->text);
	buf_free(&it->out);
	buf_free(&it->said);
	buf_free(&it->small);
	if (it->packed)
		gzip_close(it->packed, &(struct buf){ 0 }, &(struct fault){ 0 });
}

void part_free(struct part *p)
{
	for (size_t i = 0; i < p->count; i++)
		item_free(&p->item[i]);
	free(p->item);
	*p = (struct part){ 0 };
}

/* Returns the memory file that an item's program reads, or -1 and the message. */
static int input_of(const struct report *r, struct item *it)
{
	if (it->filter)
		report_filter_take(it->filter, &it->text);
	if (!it->text.ptr)
		return r->whole->fd;
	it->input =
	    process_run_input(text_in(&it->text), &it->fault);
	buf_free(&it->text);
	return it->input;
}

static void start_item(const struct report *r, struct item *it)
{
	int input = input_of(r, it);

	/* Files to download may be much longer than tables and plots. */
	it->status =
	    input < 0 ? -1
	    : it->shown == ITEM_DOWNLOAD
	        ? process_run_start_piped(&it->program, it->argv, input, &it->fault)
	        : process_run_start(&it->program, it->argv, input, &it->fault);
	if (it->status == 0 && it->drawn)
		start_narrow(it, input);
}

/* Returns the name of the program without its directory. */
static const char *program_of(const struct item *it)
{
	return strrchr(it->argv[0], '/') + 1;
}

static void note_failure(struct report *r, const struct item *it)
{
	*VEC_ADD(r->failure, r->failures, r->failures_cap) =
	    str_format("%s: %s", it->caption, it->fault.text);
}

/* Adds a piece of a download, which is compressed once it is long. */
static void take_download(void *item, struct text piece)
{
	struct item *it = item;

	if (!it->packed && it->out.len + piece.len <= DOWNLOAD_PLAIN) {
		buf_text(&it->out, piece);
		return;
	}
	if (!it->packed) {
		it->packed = gzip_open(DOWNLOAD_MAX);
		gzip_add(it->packed, text_in(&it->out));
		it->out.len = 0;
	}
	gzip_add(it->packed, piece);
}

/* Waits for the end of an item's program, and takes its output. Returns its status. */
static int wait_program(struct item *it)
{
	if (it->shown == ITEM_DOWNLOAD)
		return process_run_wait_each(
		    &it->program, take_download, it, &it->said, &it->fault);
	return process_run_wait(&it->program, &it->out, &it->said, &it->fault);
}

static void finish_item(struct report *r, struct item *it)
{
	size_t line;

	if (it->status == 0)
		it->status = wait_program(it);
	finish_narrow(it);
	if (it->input >= 0)
		close(it->input);
	it->input = -1;
	if (it->judges && it->status == STATUS_TROUBLE && it->out.len)
		it->status = STATUS_NO;
	/* Status 1 is a valid result, for example of bench-compare. */
	if (it->status == STATUS_FINE || it->status == STATUS_NO)
		return;
	line = it->said.ptr ? strcspn(it->said.ptr, "\n") : 0;
	if (it->status > 0 && line)
		fault_set(&it->fault, "%.*s", (int)line, it->said.ptr);
	else if (it->status > 0)
		fault_set(
		    &it->fault, "%s ended with status %d", program_of(it), it->status);
	if (!it->gentle)
		note_failure(r, it);
}

struct item *report_item(const struct report *r, const char *id)
{
	for (size_t p = 0; p < r->parts; p++)
		for (size_t i = 0; i < r->part[p].count; i++) {
			struct item *it = &r->part[p].item[i];

			if (it->id && strcmp(it->id, id) == 0)
				return it;
		}
	return NULL;
}

void report_run_item(struct report *r, struct item *it)
{
	start_item(r, it);
	finish_item(r, it);
}

/* Returns the items whose programs have not yet run, in the order of the page; allocated.
 */
static struct item **waiting(const struct report *r, size_t *count)
{
	struct item **list = NULL;
	size_t cap = 0;

	*count = 0;
	for (size_t p = 0; p < r->parts; p++)
		for (size_t i = 0; i < r->part[p].count; i++)
			if (r->part[p].item[i].argv &&
			    r->part[p].item[i].shown != ITEM_ABSENT &&
			    !r->part[p].item[i].out.ptr && !r->part[p].item[i].status)
				*VEC_ADD(list, *count, cap) = &r->part[p].item[i];
	return list;
}

void report_run(struct report *r)
{
	size_t count, started = 0, most;
	struct item **list = waiting(r, &count);

	most = parallel_threads(count, 1);
	for (size_t done = 0; done < count; done++) {
		while (started < count && started < done + (most ? most : 1))
			start_item(r, list[started++]);
		finish_item(r, list[done]);
	}
	free(list);
}

/* Returns whether the numbers of a column are in the unit of their row. */
static bool in_unit(struct text column)
{
	static const char *const names[] = { "mean", "sd", "min", "p5", "median", "p90",
		"p95", "p99", "p999", "p9999", "max", "mad", "ci_lo", "ci_hi", "old", "new",
		"before", "after", "diff", "diff_lo", "diff_hi" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (text_is(column, names[i]))
			return true;
	return false;
}

static bool has_rows(const struct item *it)
{
	const char *end = it->out.ptr ? strchr(it->out.ptr, '\n') : NULL;

	return end && end[1];
}

/* Appends how many rows of a table are left out, and where they are. */
static void put_left_out(const struct item *it, size_t left_out, struct buf *page)
{
	if (!left_out)
		return;
	buf_printf(page, "<p class=\"left-out\">%zu more row%s left out.", left_out,
	    plural(left_out, " is", "s are"));
	if (it->argv)
		buf_printf(page, " To see all rows, run %s on the data.", program_of(it));
	buf_str(page, "</p>\n");
}

static void put_table(struct report *r, struct item *it, struct buf *page)
{
	size_t left_out = 0;
	const struct html_table how = { .id = it->id,
		.caption = it->caption,
		.in_unit = it->in_unit ? it->in_unit : in_unit,
		.most = TABLE_ROWS,
		.fold = true,
		.keep = it->keep,
		.join = 3,
		.repo_url = r->opts->repo_url };

	if (!has_rows(it)) {
		if (it->nothing)
			html_paragraph(page, it->nothing, true);
		return;
	}
	if (it->introduce)
		it->introduce(it, page);
	if (it->fold)
		html_fold(page, it->fold);
	if (html_table(page, text_in(&it->out), &how, &left_out,
	        &it->fault) < 0)
		note_failure(r, it);
	put_left_out(it, left_out, page);
	if (it->fold)
		html_fold_end(page);
}

/* Appends a link to a compressed file. */
static void put_compressed(struct item *it, struct buf *page)
{
	struct buf small = { 0 };
	struct fault f;
	char *name = str_format("%s.gz", it->name),
	     *text = str_format("%s.gz: %s", it->name, it->caption);

	if (gzip_close(it->packed, &small, &f) < 0)
		buf_printf(page, "%s is left out: %s.", it->name, f.text);
	else
		html_download(page, name, "application/gzip",
		    text_in(&small), text);
	it->packed = NULL;
	free(name);
	free(text);
	buf_free(&small);
}

static void put_download(const struct report *r, struct item *it, struct buf *page)
{
	if (!it->argv)
		take_download(it, r->whole->text);
	buf_str(page, "<p>");
	if (it->packed) {
		put_compressed(it, page);
	} else {
		char *text = str_format("%s: %s", it->name, it->caption);

		html_download(page, it->name, it->type, text_in(&it->out), text);
		free(text);
	}
	buf_str(page, "</p>\n");
}

static void put_figure(const struct item *it, unsigned number, struct buf *page)
{
	size_t all = it->filter ? report_filter_subjects(it->filter) : 0,
	       left_out = it->filter ? report_filter_left_out(it->filter) : 0;
	struct buf caption = { 0 };

	buf_str(&caption, it->caption);
	if (it->meaning)
		buf_printf(&caption, ": %s", it->meaning);
	if (left_out)
		buf_printf(&caption, "; %zu of %zu %s, those with the largest %s",
		    all - left_out, all,
		    report_filter_is_along(it->filter) ? "lines" : "subjects",
		    report_filter_weight(it->filter));
	html_figure(page, text_in(&it->out),
	    text_in(&it->small), number, caption.ptr, it->wide);
	buf_free(&caption);
}

/* Appends the notes of a program that succeeded. */
static void put_said(const struct item *it, struct buf *page)
{
	enum { LINES = 8 };
	char *rest = it->said.ptr;

	for (int i = 0; i < LINES && rest && *rest; i++) {
		char *line = strsep(&rest, "\n");

		html_paragraph(page, line, true);
	}
}

static void put_failure(const struct item *it, struct buf *page)
{
	char *line = str_format("%s: %s", it->caption, it->fault.text);

	if (!it->gentle)
		buf_str(page, "<div class=\"failure\" role=\"alert\">");
	html_paragraph(page, line, it->gentle);
	if (!it->gentle)
		buf_str(page, "</div>\n");
	free(line);
}

/* Appends the result of an item. */
static void put_result(struct report *r, struct item *it, unsigned number, struct buf *page)
{
	if (it->argv && it->shown != ITEM_ABSENT && it->status != STATUS_FINE &&
	    it->status != STATUS_NO) {
		put_failure(it, page);
		return;
	}
	switch (it->shown) {
	case ITEM_ABSENT:
		break;
	case ITEM_TEXT:
		html_paragraph(page, it->caption, true);
		break;
	case ITEM_MARKUP:
		buf_text(page, text_in(&it->out));
		break;
	case ITEM_TABLE:
		put_table(r, it, page);
		put_said(it, page);
		break;
	case ITEM_FIGURE:
		put_figure(it, number, page);
		break;
	case ITEM_DOWNLOAD:
		put_download(r, it, page);
		break;
	}
}

void report_put_item(struct report *r, struct item *it, unsigned number, struct buf *page)
{
	put_result(r, it, number, page);
	buf_free(&it->out);
	buf_free(&it->said);
	buf_free(&it->small);
}
