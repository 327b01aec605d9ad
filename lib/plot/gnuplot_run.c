/*
 * gnuplot as a child; see gnuplot_run.h. The output path never reaches it.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/process_run.h"
#include "plot/gnuplot_run.h"
#include "text/display_text.h"
#include "text/markup.h"

/* gnuplot's complaint is its last line; before it stands the script's line with a mark. */
static int complain(int status, char *said, struct fault *f)
{
	struct buf clean = { 0 };
	struct text last = { 0 };

	for (char *rest = said, *line; (line = strsep(&rest, "\n"));)
		if (line[strspn(line, " \t\r")])
			last = text_of(line + strspn(line, " \t\r"));
	text_clean(&clean, last);
	if (status > 128)
		fault_set(f, "gnuplot was killed by signal %d (%s)", status - 128,
		    strsignal(status - 128));
	else
		fault_set(
		    f, "gnuplot failed: %s", clean.len ? clean.ptr : "it does not say why");
	buf_free(&clean);
	return -1;
}

static int start(struct child *gnuplot, int script, struct fault *f)
{
	static char name[] = "gnuplot", defaults[] = "-d";
	char *const argv[] = { name, defaults, NULL };

	if (child_start(gnuplot, argv, script, f) == 0)
		return 0;
	if (errno == ENOENT)
		fault_set(f, "gnuplot is not installed (Debian: apt-get install "
		             "gnuplot-nox); --script writes what it would draw");
	return -1;
}

int draw_run(struct text script, struct buf *out, struct fault *f)
{
	struct child gnuplot;
	struct buf said = { 0 };
	size_t before = out->len;
	int in = child_text(script, f), status = -1;

	if (in >= 0 && start(&gnuplot, in, f) == 0)
		status = child_wait(&gnuplot, out, &said, f);
	if (status > 0)
		status = complain(status, said.ptr, f);
	else if (status == 0 && out->len == before)
		status = fault_set(f, "gnuplot drew nothing");
	if (in >= 0)
		close(in);
	buf_free(&said);
	return status;
}

/* Copy up to a mark and go behind it; false, and all is copied, when it is not there. */
static bool copy_to(struct buf *out, const char **at, const char *mark)
{
	const char *end = strstr(*at, mark);

	buf_put(out, *at, end ? (size_t)(end - *at) : strlen(*at));
	*at = end ? end + strlen(mark) : *at + strlen(*at);
	return end;
}

void draw_name(struct buf *svg, const char *title, const char *description)
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
	/* Each part of the drawing has a title of its own, which says nothing. */
	for (at = named.ptr; copy_to(&rest, &at, "<title>gnuplot_plot_");) {
		const char *end = strstr(at, "</title>");

		at = end ? end + strlen("</title>") : at;
	}
	buf_free(&named);
	buf_free(svg);
	*svg = rest;
}

void draw_page(struct buf *svg, const char *title, bool dark)
{
	const char *element = svg->ptr ? strstr(svg->ptr, "<svg") : NULL;
	struct buf page = { 0 };

	buf_str(&page,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>");
	markup_text(&page, text_of(title));
	buf_printf(&page,
	    "</title>\n<style>body { margin: 1em; background: %s } svg { max-width: 100%%; "
	    "height: auto }</style>\n<body>\n%s</body>\n</html>\n",
	    dark ? "#16191d" : "#ffffff", element ? element : "");
	buf_free(svg);
	*svg = page;
}

/* Where the line that ends at end goes on being visible; colour codes do not show. */
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

/*
 * A line as wide as it was drawn: gnuplot keeps room for a wide character but puts it into
 * one cell, so that all behind it would be moved. The room is in the blanks that follow, of
 * which one in each row of them stays.
 */
static void put_line(struct buf *b, const char *s, size_t len)
{
	size_t owed = 0;

	for (size_t i = 0, end; i < len; i = end) {
		size_t kept;

		for (end = i + 1; end < len && s[i] == ' ' && s[end] == ' ';)
			end++;
		owed += label_columns(s + i, len - i) - 1;
		kept = end - i - 1 > owed ? end - i - owed : 1;
		owed -= s[i] == ' ' ? end - i - kept : 0;
		buf_put(b, s + i, s[i] == ' ' ? kept : 1);
	}
}

void draw_tidy(struct buf *text)
{
	struct buf tidy = { 0 };
	bool coloured = text->ptr && strchr(text->ptr, '\033');
	char *rest = text->ptr;

	for (char *line; (line = strsep(&rest, "\n"));) {
		size_t form_feed = strspn(line, "\f"), end;

		line += form_feed;
		end = visible_end(line, strlen(line));
		if (!end && !rest)
			break;
		put_line(&tidy, line, end);
		buf_str(&tidy, coloured && end ? "\033[0m\n" : "\n");
	}
	buf_free(text);
	*text = tidy;
}

static int replace_file(const char *path, struct text content, mode_t mode, struct fault *f)
{
	char *temporary = str_format("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC), status = 0;

	if (fd < 0) {
		status = fault_errno(f, "%s", path);
		free(temporary);
		return status;
	}
	if (file_write_all(fd, content) < 0 || fchmod(fd, mode) < 0)
		status = fault_errno(f, "%s", path);
	if (close(fd) < 0 && status == 0)
		status = fault_errno(f, "%s", path);
	if (status == 0 && rename(temporary, path) < 0)
		status = fault_errno(f, "%s", path);
	if (status < 0)
		unlink(temporary);
	free(temporary);
	return status;
}

static int write_into(const char *path, struct text content, struct fault *f)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), status = 0;

	if (fd < 0)
		return fault_errno(f, "%s", path);
	if (file_write_all(fd, content) < 0)
		status = fault_errno(f, "%s", path);
	if (close(fd) < 0 && status == 0)
		status = fault_errno(f, "%s", path);
	return status;
}

int draw_file(const char *path, struct text content, struct fault *f)
{
	struct stat st;
	mode_t mask = umask(0), mode = 0666 & ~mask;
	char *real;
	int status;

	umask(mask);
	if (stat(path, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			return write_into(path, content, f);
		if (access(path, W_OK) < 0)
			return fault_errno(f, "%s", path);
		mode = st.st_mode & 0777;
	}
	real = realpath(path, NULL);
	status = replace_file(real ? real : path, content, mode, f);
	free(real);
	return status;
}

void draw_terminal_size(int fd, unsigned *width, unsigned *height)
{
	struct winsize size;

	*width = 80;
	*height = 24;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
		*width = size.ws_col;
		*height = size.ws_row;
	}
}
