/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The display of progress; see progress.h. It is written with write(2), and only
 * between samples, so that it costs the measured program nothing.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "io/terminal.h"
#include "run/progress.h"
#include "text/display_text.h"
#include "text/display_width.h"

enum { BAR = 24, PERIOD_NS = 100000000 };

struct progress {
	enum progress_what wanted;
	bool shown;
	size_t below; /* lines below the first */
	int64_t last_ns;
};

struct progress *progress_open(enum progress_what wanted)
{
	struct progress *p = mem_zero(1, sizeof(*p));

	p->wanted = isatty(STDERR_FILENO) && !terminal_dumb() ? wanted : PROGRESS_NONE;
	return p;
}

static void progress_write(const struct buf *b)
{
	ssize_t ignored = write(STDERR_FILENO, b->ptr, b->len);

	(void)ignored;
}

bool progress_due(const struct progress *p)
{
	return p->wanted && (!p->shown || clock_monotonic_ns() - p->last_ns >= PERIOD_NS);
}

bool progress_is_live(const struct progress *p)
{
	return p->wanted == PROGRESS_LIVE;
}

/*
 * Moves the cursor to the start of the first line and erases from there. The cursor is
 * left on the last line, so that the output of other programs appears below the
 * display.
 */
static void put_erase(const struct progress *p, struct buf *b)
{
	buf_str(b, "\r");
	if (p->below)
		buf_printf(b, "\033[%zuA", p->below);
	buf_str(b, p->below ? "\033[J" : "\033[K");
}

/* Appends the first line, which must not reach the last column: a line that continues on
 * the next one could not be erased. */
static void put_line(
    struct buf *b, size_t room, double done, double left_ns, const char *what)
{
	uint64_t left_s = isnan(left_ns) ? 0 : (uint64_t)(left_ns / 1e9 + 0.5);
	int bar = room / 3 < BAR ? (int)room / 3 : BAR, filled = (int)(done * bar);
	struct buf line = { 0 };

	buf_printf(&line, "[%.*s%*s] %3d%% ", filled, "########################",
	    bar - filled, "", (int)(done * 100));
	if (!isnan(left_ns))
		buf_printf(&line, "ETA %02u:%02u ", (unsigned)(left_s / 60),
		    (unsigned)(left_s % 60));
	display_text_clean(&line, text_of(what));
	buf_put(b, line.ptr,
	    display_prefix(text_in(&line), room ? room - 1 : 0));
	buf_free(&line);
}

void progress_show(struct progress *p, double done, double left_ns, const char *what)
{
	struct buf b = { 0 };

	if (!progress_due(p))
		return;
	put_erase(p, &b);
	put_line(&b, terminal_width(STDERR_FILENO), done, left_ns, what);
	progress_write(&b);
	buf_free(&b);
	p->last_ns = clock_monotonic_ns();
	p->shown = true;
	p->below = 0;
}

void progress_show_live(struct progress *p, double done, double left_ns,
    const struct live_subject *subject, size_t count, size_t now, double confidence)
{
	struct terminal_size size = terminal_size(STDERR_FILENO);
	struct live_view view = { size.columns, size.lines - 2, confidence };
	struct buf b = { 0 };

	if (!progress_due(p))
		return;
	put_erase(p, &b);
	put_line(&b, size.columns, done, left_ns, subject[now].name);
	if (size.lines > 2) {
		buf_str(&b, "\n");
		p->below = live_draw(&b, &view, subject, count, now);
		b.len -= p->below > 0; /* the last newline */
	}
	progress_write(&b);
	buf_free(&b);
	p->last_ns = clock_monotonic_ns();
	p->shown = true;
}

void progress_clear(struct progress *p)
{
	struct buf b = { 0 };

	if (!p->shown)
		return;
	put_erase(p, &b);
	progress_write(&b);
	buf_free(&b);
	p->shown = false;
	p->below = 0;
}

void progress_close(struct progress *p)
{
	if (!p)
		return;
	progress_clear(p);
	free(p);
}
