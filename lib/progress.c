/*
 * The progress line; see progress.h. It is written with write(2) between runs only, so that
 * it costs the measured program nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "progress.h"
#include "render.h"

enum { BAR = 24, PERIOD_NS = 100000000 };

struct progress {
	bool wanted, shown;
	int64_t last_ns;
};

struct progress *progress_open(bool wanted)
{
	struct progress *p = mem_zero(1, sizeof(*p));

	p->wanted = wanted && isatty(STDERR_FILENO);
	return p;
}

static void put(const struct buf *b)
{
	ssize_t ignored = write(STDERR_FILENO, b->ptr, b->len);

	(void)ignored;
}

static size_t terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col
	                                                                   : 80;
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool progress_due(const struct progress *p)
{
	return p->wanted && (!p->shown || now_ns() - p->last_ns >= PERIOD_NS);
}

void progress_show(struct progress *p, double done, double left_ns, const char *what)
{
	struct buf b = { 0 }, name = { 0 };
	uint64_t left_s = (uint64_t)(left_ns / 1e9 + 0.5);
	int filled = (int)(done * BAR);
	size_t room = terminal_width(), head;

	if (!progress_due(p))
		return;
	p->last_ns = now_ns();
	p->shown = true;
	text_clean(&name, text_of(what));
	buf_printf(&b, "\r\033[K[%.*s%*s] %3d%% ETA %02u:%02u ", filled,
	    "########################", BAR - filled, "", (int)(done * 100),
	    (unsigned)(left_s / 60), (unsigned)(left_s % 60));
	head = BAR + 2 + sizeof(" 100% ETA 00:00 ");
	if (room > head)
		buf_put(&b, name.ptr, name.len < room - head ? name.len : room - head);
	put(&b);
	buf_free(&b);
	buf_free(&name);
}

void progress_clear(struct progress *p)
{
	struct buf b = { 0 };

	if (!p->shown)
		return;
	p->shown = false;
	buf_str(&b, "\r\033[K");
	put(&b);
	buf_free(&b);
}

void progress_close(struct progress *p)
{
	if (!p)
		return;
	progress_clear(p);
	free(p);
}
