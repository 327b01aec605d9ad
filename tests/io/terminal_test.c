/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The size of a terminal: what it reports, the variables, and the defaults.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "io/terminal.h"
#include "tests/lib/tap.h"

static void size_is(int fd, unsigned columns, unsigned lines, const char *what)
{
	struct terminal_size size = terminal_size(fd);

	if (!tap_ok(size.columns == columns && size.lines == lines, "%s", what))
		printf("# got %u by %u, want %u by %u\n", size.columns, size.lines, columns,
		    lines);
}

int main(void)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY), terminal, null;

	if (master < 0 || grantpt(master) < 0 || unlockpt(master) < 0)
		return 1;
	terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	null = open("/dev/null", O_RDWR);
	unsetenv("COLUMNS");
	unsetenv("LINES");
	size_is(terminal, 80, 24, "a terminal that reports no size is 80 by 24");
	setenv("COLUMNS", "101", 1);
	setenv("LINES", "33", 1);
	size_is(terminal, 101, 33, "COLUMNS and LINES replace a size that is not reported");
	setenv("COLUMNS", "wide", 1);
	setenv("LINES", "0", 1);
	size_is(terminal, 80, 24, "COLUMNS and LINES are ignored if they are no sizes");
	setenv("COLUMNS", "101", 1);
	ioctl(master, TIOCSWINSZ, &(struct winsize){ .ws_col = 132, .ws_row = 50 });
	size_is(terminal, 132, 50, "the size that the terminal reports is used");
	tap_ok(terminal_width(terminal) == 132, "the width of a terminal is its columns");
	size_is(null, 80, 24, "a file that is no terminal is 80 by 24");
	tap_ok(terminal_width(null) == 0, "a file that is no terminal has no width limit");
	close(null);
	close(terminal);
	close(master);
	return tap_end();
}
