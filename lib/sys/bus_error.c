/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the file of an address in /proc/self/maps; see bus_error.h. Everything here is
 * async-signal-safe.
 */
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "sys/bus_error.h"

static void (*reporter)(const char *path);

/* Takes a hexadecimal number from the beginning of a string. */
static uintptr_t take_address(const char **p)
{
	static const char digits[] = "0123456789abcdef";
	uintptr_t value = 0;

	for (const char *digit; **p && (digit = strchr(digits, **p)); ++*p)
		value = value * 16 + (uintptr_t)(digit - digits);
	return value;
}

/* Returns the path in a line of maps if the mapping has the address; NULL if it has not or
 * is not of a file. */
static const char *mapped_path(const char *line, uintptr_t address)
{
	const uintptr_t begin = take_address(&line);

	if (*line != '-')
		return NULL;
	line++;
	return address >= begin && address < take_address(&line) ? strchr(line, '/') : NULL;
}

/* Stores the path of the file that is mapped at an address. Returns whether there is one.
 */
static bool find_path(const void *address, char *path, size_t size)
{
	static char line[PATH_MAX + 128];
	const int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	const char *found = NULL;
	size_t len = 0;
	char byte;

	while (fd >= 0 && !found && read(fd, &byte, 1) == 1) {
		if (byte != '\n') {
			line[len] = byte;
			len += len < sizeof(line) - 1;
			continue;
		}
		line[len] = '\0';
		found = mapped_path(line, (uintptr_t)address);
		len = 0;
	}
	close(fd);
	for (len = 0; found && found[len] && len < size - 1; len++)
		path[len] = found[len];
	path[len] = '\0';
	return found;
}

/* After its return, the instruction raises the signal again, which then ends the process.
 */
static void on_bus_error(int number, siginfo_t *info, void *context)
{
	static char path[PATH_MAX + 1];

	(void)context;
	signal(number, SIG_DFL);
	if (info->si_code == BUS_ADRERR && find_path(info->si_addr, path, sizeof(path)))
		reporter(path);
}

void bus_errors_handle(void (*report)(const char *path))
{
	struct sigaction action = { .sa_sigaction = on_bus_error, .sa_flags = SA_SIGINFO };

	reporter = report;
	sigaction(SIGBUS, &action, NULL);
}
