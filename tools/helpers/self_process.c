/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads /proc/self; see self_process.h.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "self_process.h"

/* Reads the beginning of a file of /proc/self; empty if it cannot be read. */
static void read_own(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	text[got < 0 ? 0 : got] = '\0';
}

int64_t self_memory_bytes(const char *name)
{
	char text[4096];
	const char *line;

	read_own("/proc/self/status", text, sizeof(text));
	line = strstr(text, name);
	return line ? strtoll(line + strlen(name), NULL, 10) * 1024 : 0;
}

uint32_t self_threads(void)
{
	char text[512];
	const char *p;

	read_own("/proc/self/stat", text, sizeof(text));
	/* After the name, field 3 is the state, and field 20 is the number of threads. */
	p = strrchr(text, ')');
	for (int field = 2; p && field < 20; field++)
		p = strchr(p + 1, ' ');
	return p ? (uint32_t)strtoul(p, NULL, 10) : 0;
}
