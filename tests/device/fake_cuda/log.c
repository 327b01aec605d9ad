/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records the calls of the fakes, and chooses those that fail; see fake.h.
 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

/* Returns whether a list with commas contains a word. */
static bool list_contains(const char *list, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
		if (strncmp(at, word, length) == 0 && (at[length] == ',' || !at[length]))
			return true;
	return false;
}

int fake_called(const char *function, const char *format, ...)
{
	const char *path = getenv("FAKE_CUDA_LOG"), *failing = getenv("FAKE_CUDA_FAIL");
	const bool fails = failing && list_contains(failing, function);

	if (path) {
		const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		va_list args;

		va_start(args, format);
		if (fd >= 0) {
			char line[512];
			int n = snprintf(line, sizeof(line) - 2, "%s ", function);

			n +=
			    vsnprintf(line + n, sizeof(line) - 2 - (size_t)n, format, args);
			n = n > (int)sizeof(line) - 2 ? (int)sizeof(line) - 2 : n;
			n -= line[n - 1] == ' ';
			n += snprintf(line + n, sizeof(line) - (size_t)n, "%s\n",
			    fails ? " fails" : "");
			if (write(fd, line, (size_t)n) < 0)
				abort();
			close(fd);
		}
		va_end(args);
	}
	return fails ? FAKE_UNKNOWN : FAKE_OK;
}
