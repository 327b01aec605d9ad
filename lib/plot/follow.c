/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Following rows; see follow.h. The whole input is kept and read again for each plot:
 * figures are made from complete streams, and drawing takes longer than reading. The longer
 * a plot takes, the less often it is drawn.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "io/terminal.h"
#include "plot/follow.h"
#include "sys/interrupt.h"
#include "text/display_text.h"

enum { PERIOD_MS = 300, WATCH_MS = 200, PIECE = 65536 };
/* At most 1/REST of the time is spent on drawing. */
enum { REST = 3 };

struct following {
	const char *name;
	int fd, terminal;
	bool grows; /* a regular file, which may grow after its end */
	bool ended;
	struct buf text;
	struct canvas canvas;
	size_t lines; /* of the plot on the terminal */
};

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int open_input(struct following *w, const struct plot_opts *opts, struct fault *f)
{
	const char *path = opts->files ? opts->file[0] : "-";
	struct stat st;

	w->fd = STDIN_FILENO;
	w->name = "standard input";
	if (strcmp(path, "-") != 0) {
		w->name = path;
		w->fd = open(path, O_RDONLY | O_CLOEXEC);
	}
	if (w->fd < 0 || fstat(w->fd, &st) < 0)
		return fault_errno(f, "%s", w->name);
	w->grows = S_ISREG(st.st_mode);
	return 0;
}

/* Begins again if the file became shorter, because it was rewritten. */
static void notice_truncation(struct following *w)
{
	struct stat st;

	if (!w->grows || fstat(w->fd, &st) < 0 || st.st_size >= lseek(w->fd, 0, SEEK_CUR))
		return;
	lseek(w->fd, 0, SEEK_SET);
	w->text.len = 0;
}

/* Reads one piece of input. Returns 1, 0 if there is none now, or -1 and the message. */
static int read_piece(struct following *w, struct fault *f)
{
	ssize_t got;

	notice_truncation(w);
	buf_room(&w->text, PIECE);
	got = read(w->fd, w->text.ptr + w->text.len, PIECE);
	if (got < 0 && errno != EINTR && errno != EAGAIN)
		return fault_errno(f, "%s", w->name);
	w->text.len += got > 0 ? (size_t)got : 0;
	w->text.ptr[w->text.len] = '\0';
	w->ended = got == 0 && !w->grows;
	return got > 0;
}

/* Waits for input on a pipe, or until the time has passed. Returns whether there is input.
 */
static bool wait_input(const struct following *w, int64_t ms)
{
	struct pollfd p = { .fd = w->fd, .events = POLLIN };

	if (!w->grows)
		return poll(&p, 1, (int)ms) > 0;
	poll(NULL, 0, (int)(ms < 0 || ms > WATCH_MS ? WATCH_MS : ms));
	return true;
}

/* Returns the complete records; a newline between quotes does not end a record. */
static struct text whole_records(const struct following *w)
{
	struct text t = { w->text.ptr ? w->text.ptr : "", 0 };
	bool quoted = false;

	if (w->ended)
		t.len = w->text.len;
	for (size_t i = 0; i < w->text.len && !w->ended; i++) {
		if (t.ptr[i] == '"')
			quoted = !quoted;
		else if (t.ptr[i] == '\n' && !quoted)
			t.len = i + 1;
	}
	return t;
}

static size_t lines_in(const struct buf *b)
{
	size_t n = 0;

	for (size_t i = 0; i < b->len; i++)
		n += b->ptr[i] == '\n';
	return n;
}

/* Cuts the plot to the lines that fit on the terminal above the cursor. */
static void crop(struct buf *plot, unsigned most)
{
	size_t n = 0;

	for (size_t i = 0; i < plot->len; i++)
		if (plot->ptr[i] == '\n' && ++n == most) {
			plot->len = i + 1;
			return;
		}
}

/* Writes a plot over the previous one, and erases the rest of it, unless the terminal
 * cannot do that. */
static int write_plot(struct following *w, const struct buf *plot, struct fault *f)
{
	struct buf b = { 0 };
	int status = 0;

	if (terminal_dumb()) /* plots follow each other */
		return file_write_all(w->terminal, text_in(plot)) <
		               0
		           ? fault_errno(f, "standard output")
			   : 0;
	if (w->lines)
		buf_printf(&b, "\r\033[%zuA", w->lines);
	for (size_t i = 0; i < plot->len; i++) {
		if (plot->ptr[i] == '\n')
			buf_str(&b, "\033[K");
		buf_byte(&b, plot->ptr[i]);
	}
	buf_str(&b, "\033[J");
	if (file_write_all(w->terminal, text_in(&b)) < 0)
		status = fault_errno(f, "standard output");
	w->lines = lines_in(plot);
	buf_free(&b);
	return status;
}

/* Fits the canvas to the terminal. If its size has changed, clears the screen, because
 * lines were wrapped.
 */
static int fit_canvas(struct following *w, struct fault *f)
{
	struct canvas before = w->canvas;

	if (w->canvas.fixed)
		return 0;
	plot_fit(&w->canvas, w->terminal);
	if (!w->lines ||
	    (before.width == w->canvas.width && before.height == w->canvas.height))
		return 0;
	w->lines = 0;
	if (file_write_all(w->terminal, TEXT("\033[H\033[2J")) < 0)
		return fault_errno(f, "standard output");
	return 0;
}

/* Draws the rows so far; before there is anything to draw, writes why there is nothing. */
static int draw_rows(struct following *w, const struct plot_opts *opts, struct fault *f)
{
	struct plot_opts here = *opts;
	struct buf script = { 0 }, plot = { 0 };
	struct figure *fig;
	struct fault why;
	struct terminal_size size;
	bool broken;
	int status = fit_canvas(w, f);

	size = terminal_size(w->terminal);
	here.canvas = &w->canvas;
	fig = plot_read_text(&here, w->name, whole_records(w), &broken, &why);
	if (status == 0 && fig) {
		status = plot_script(&here, fig, here.template_path, &script, f);
		if (status == 0)
			status = plot_draw(fig, here.look,
			    text_in(&script), &plot, f);
	} else if (status == 0 && (broken || w->ended)) {
		status = fault_set(f, "%s", why.text);
	} else if (status == 0) {
		char *line[1] = { 0 };

		buf_printf(&plot, "waiting: %s", why.text);
		line[0] = mem_text(plot.ptr, plot.len);
		display_text_fit(
		    line, 1, size.columns > 9 ? size.columns - 1 : 8, here.look->utf8);
		plot.len = 0;
		buf_printf(&plot, "%s\n", line[0]);
		free(line[0]);
	}
	if (status == 0 && !w->ended)
		crop(&plot, size.lines > 1 ? size.lines - 1 : 1);
	if (status == 0)
		status = write_plot(w, &plot, f);
	figure_free(fig);
	buf_free(&script);
	buf_free(&plot);
	return status;
}

static int watch(struct following *w, const struct plot_opts *opts, struct fault *f)
{
	int64_t due = 0;
	bool news = true;

	while (!interrupt_seen()) {
		int64_t now = now_ms();
		int got = 0;

		if ((news && now >= due) || w->ended) {
			int status = draw_rows(w, opts, f);

			/* Ctrl-C also ends gnuplot; the previous plot remains. */
			if (status < 0 && interrupt_seen())
				return 0;
			if (status < 0 || w->ended)
				return status;
			news = false;
			due = now_ms() + (now_ms() - now) * REST;
			due = due > now + PERIOD_MS ? due : now + PERIOD_MS;
			now = now_ms();
		}
		if (wait_input(w, news ? (due > now ? due - now : 0) : -1))
			got = read_piece(w, f);
		if (got < 0)
			return -1;
		news = news || got > 0;
	}
	return 0;
}

int follow_draw(const struct plot_opts *opts, int fd, struct fault *f)
{
	struct following w = { .terminal = fd, .canvas = *opts->canvas };
	int status = open_input(&w, opts, f);

	if (status == 0) {
		interrupt_watch(0);
		status = watch(&w, opts, f);
	}
	if (w.fd > STDIN_FILENO)
		close(w.fd);
	buf_free(&w.text);
	return status;
}
