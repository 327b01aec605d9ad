/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes a running process; see profile_process.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "profile/profile_process.h"
#include "text/shell_words.h"

uid_t process_owner(uint64_t pid)
{
	char path[40];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%llu", (unsigned long long)pid);
	return stat(path, &st) == 0 ? st.st_uid : geteuid();
}

char *process_line(uint64_t pid)
{
	char *path = str_format("/proc/%llu/cmdline", (unsigned long long)pid);
	struct buf text = { 0 };
	struct fault ignored;
	char **words = NULL, *line;
	size_t count = 0, cap = 0;

	if (file_read(path, &text, &ignored) == 0)
		for (size_t at = 0; at < text.len; at += strlen(text.ptr + at) + 1)
			*VEC_ADD(words, count, cap) = text.ptr + at;
	*VEC_ADD(words, count, cap) = NULL;
	line = count > 1 ? shell_words_join(words)
	                 : str_format("pid %llu", (unsigned long long)pid);
	free(words);
	free(path);
	buf_free(&text);
	return line;
}
