/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hold N COMMAND...: pins N hardware counters of processor 0 while a command runs, as the
 * NMI watchdog of the kernel pins one.
 */
#include <err.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	struct perf_event_attr attr = { .type = PERF_TYPE_RAW,
		.size = sizeof(attr),
		.config = 8, /* instructions retired, on every Armv8 */
		.pinned = 1 };

	if (argc < 3)
		errx(2, "usage: hold N command [argument...]");
	for (long n = strtol(argv[1], NULL, 10); n > 0; n--)
		if (syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0) < 0)
			err(2, "perf_event_open");
	execvp(argv[2], argv + 2);
	err(2, "%s", argv[2]);
}
