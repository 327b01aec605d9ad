/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs gnuplot as a child process; see gnuplot_run.h. gnuplot never gets the path of the
 * output.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/fonts.h"
#include "plot/gnuplot_run.h"
#include "sys/process_run.h"
#include "text/display_text.h"
#include "text/display_width.h"
#include "text/markup.h"

/* Returns what follows the number of the line in an error of gnuplot, or NULL. The number
 * is not that of a line of the script: gnuplot does not count data blocks. */
static const char *after_number(const char *line)
{
	const char *end;

	if (strncmp(line, "line ", 5) != 0)
		return NULL;
	end = line + 5 + strspn(line + 5, "0123456789");
	return end[0] == ':' && end[1] == ' ' ? end + 2 : NULL;
}

/* Appends the first error in the output of gnuplot, after the command that it quotes, or
 * the last line of the output if it has none. */
static void put_error(struct buf *b, char *said)
{
	static const char prompt[] = "gnuplot> ";
	enum { COMMAND_SHOWN = 80 };
	const char *command = NULL, *last = "no message", *error;

	for (char *rest = said, *line; (line = strsep(&rest, "\n"));) {
		line += strspn(line, " \t\r");
		if (strncmp(line, prompt, sizeof(prompt) - 1) == 0)
			command = line + sizeof(prompt) - 1;
		else if (*line)
			last = line;
		if (command && (error = after_number(line))) {
			struct text shown = text_trim(text_of(command));

			if (shown.len > COMMAND_SHOWN)
				for (shown.len = COMMAND_SHOWN;
				    shown.len && (shown.ptr[shown.len] & 0xc0) == 0x80;)
					shown.len--; /* no part of a character */
			buf_byte(b, '\'');
			display_text_clean(b, shown);
			buf_str(b, "': ");
			break;
		}
	}
	error = after_number(last);
	display_text_clean(b, text_trim(text_of(error ? error : last)));
}

/* Sets the message for a status of gnuplot and its output. Returns -1. */
static int blame_gnuplot(int status, char *said, struct fault *f)
{
	struct buf error = { 0 };

	put_error(&error, said);
	if (status > 128)
		fault_set(f, "gnuplot was killed by signal %d (%s)", status - 128,
		    strsignal(status - 128));
	else
		fault_set(f, "gnuplot failed: %s", error.ptr);
	buf_free(&error);
	return -1;
}

static int start_gnuplot(struct process_run *gnuplot, int script, struct fault *f)
{
	static char name[] = "gnuplot", defaults[] = "-d";
	char *const argv[] = { name, defaults, NULL };

	if (process_run_start(gnuplot, argv, script, f) == 0)
		return 0;
	if (errno == ENOENT)
		fault_set(f, "gnuplot is not in $PATH, or not installed (Debian: apt-get "
		             "install gnuplot-nox); --script works without it");
	return -1;
}

int gnuplot_run(
    struct text script, const struct gnuplot_look *look, struct buf *out, struct fault *f)
{
	struct process_run gnuplot;
	struct buf said = { 0 };
	size_t before = out->len;
	int in, status = -1;

	if (look->format->local_fonts && fonts_check(script, f) < 0)
		return -1;
	in = process_run_input(script, f);
	if (in >= 0 && start_gnuplot(&gnuplot, in, f) == 0)
		status = process_run_wait(&gnuplot, out, &said, f);
	if (status > 0)
		status = blame_gnuplot(status, said.ptr, f);
	else if (status == 0 && out->len == before)
		status = fault_set(f, "gnuplot drew nothing");
	if (in >= 0)
		close(in);
	buf_free(&said);
	return status;
}

/* Copies the text up to a mark and moves *at after the mark. Returns false, and copies all,
 * if there is no mark. */
static bool copy_to(struct buf *out, const char **at, const char *mark)
{
	const char *end = strstr(*at, mark);

	buf_put(out, *at, end ? (size_t)(end - *at) : strlen(*at));
	*at = end ? end + strlen(mark) : *at + strlen(*at);
	return end;
}

void gnuplot_name_svg(struct buf *svg, const char *title, const char *description)
{
	const char *at = svg->ptr ? svg->ptr : "";
	struct buf named = { 0 }, rest = { 0 };

	if (!strstr(at, "<title>Gnuplot</title>"))
		return;
	copy_to(&named, &at, "<svg");
	buf_str(&named, "<svg role=\"img\"");
	copy_to(&named, &at, "<title>Gnuplot</title>");
	buf_str(&named, "<title>");
	markup_text(&named, text_of(title));
	buf_str(&named, "</title>");
	if (copy_to(&named, &at, "<desc>")) {
		const char *end = strstr(at, "</desc>");

		buf_str(&named, "<desc>");
		markup_text(&named, text_of(description));
		at = end ? end : at;
	}
	while (copy_to(&named, &at, "]]>"))
		buf_str(&named, "]]&gt;");
	/* Remove the titles of the parts of the drawing, which have no meaning. */
	for (at = named.ptr; copy_to(&rest, &at, "<title>gnuplot_plot_");) {
		const char *end = strstr(at, "</title>");

		at = end ? end + strlen("</title>") : at;
	}
	buf_free(&named);
	buf_free(svg);
	*svg = rest;
}

/* Returns the length of a line up to its last visible character; color codes are invisible.
 */
static size_t visible_end(const char *line, size_t len)
{
	size_t end = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i] == '\033')
			while (i + 1 < len && line[i] != 'm')
				i++;
		else if (line[i] != ' ')
			end = i + 1;
	}
	return end;
}

/* Returns the end of the text that begins at i: two spaces or the end of the line. */
static size_t text_end(const char *s, size_t len, size_t i)
{
	while (i < len && !(s[i] == ' ' && i + 1 < len && s[i + 1] == ' '))
		i++;
	return i;
}

/* Returns by how many columns a string is wider than the cells that gnuplot used for it. */
static long excess(const char *s, size_t len)
{
	long columns = 0;

	for (size_t i = 0; i < len;) {
		struct display_char c = display_char((struct text){ s + i, len - i });

		columns += c.escaped ? 0 : (long)c.columns - 1;
		i += c.bytes;
	}
	return columns;
}

/*
 * Appends a line with its strings aligned. gnuplot uses one cell for each character, so a
 * wide character shifts the rest of the line to the right, and a combining mark to the
 * left. For a string that is too wide, spaces after it are removed, except one. For a
 * string that is too narrow, spaces are added before it, because most such strings end at
 * an axis.
 */
static void put_line(struct buf *b, const char *s, size_t len)
{
	long owed = 0;

	for (size_t i = 0, end; i < len; i = end) {
		size_t start = i + strspn(s + i, " ");
		long blanks, kept;

		start = start > len ? len : start;
		end = text_end(s, len, start);
		blanks = (long)(start - i);
		kept = blanks - owed;
		if (kept < 1)
			kept = blanks ? 1 : 0;
		owed += excess(s + start, end - start) - (blanks - kept);
		if (owed < 0) {
			kept -= owed;
			owed = 0;
		}
		buf_printf(b, "%*s", (int)kept, "");
		buf_put(b, s + start, end - start);
	}
}

void gnuplot_tidy_text(struct buf *text)
{
	struct buf tidy = { 0 };
	bool colored = text->ptr && strchr(text->ptr, '\033');
	char *rest = text->ptr;

	for (char *line; (line = strsep(&rest, "\n"));) {
		size_t form_feed = strspn(line, "\f"), end;

		line += form_feed;
		end = visible_end(line, strlen(line));
		if (!end && !rest)
			break;
		put_line(&tidy, line, end);
		buf_str(&tidy, colored && end ? "\033[0m\n" : "\n");
	}
	buf_free(text);
	*text = tidy;
}
