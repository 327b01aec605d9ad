/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats that execve(2) accepts; see program_format.h. They are those of Linux's
 * binfmt_elf, binfmt_script and binfmt_misc, which read the first 256 bytes of a file.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/dir_names.h"
#include "sys/kernel_files.h"
#include "sys/program_format.h"

enum { HEAD_BYTES = 256 };

static const char misc_dir[] = "/proc/sys/fs/binfmt_misc";

/* Reads the first bytes of a file, and appends a NUL. Returns how many, or -1. */
static ssize_t read_head(const char *path, char head[static HEAD_BYTES + 1])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t got = fd < 0 ? -1 : read(fd, head, HEAD_BYTES);

	if (fd >= 0)
		close(fd);
	head[got < 0 ? 0 : got] = '\0';
	return got;
}

static int check_script(const char *line, struct fault *f)
{
	const char *begin = line + strspn(line, " \t");
	size_t len = strcspn(begin, " \t\n");
	char *interpreter;
	int status = 0;

	if (!len)
		return fault_set(f, "its #! line names no interpreter");
	interpreter = mem_text(begin, len);
	if (access(interpreter, X_OK) < 0)
		status = fault_errno(f, "its interpreter %s", interpreter);
	free(interpreter);
	return status;
}

/* Returns the rest of the line that begins with this word, or NULL. */
static const char *value_of(const char *text, const char *word)
{
	size_t len = strlen(word);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, word, len) == 0 && line[len] == ' ')
			return line + len + 1;
	}
	return NULL;
}

/* Returns the next byte of hexadecimal digits; -1 at their end. */
static int hex_byte(const char **digits)
{
	char pair[3] = "";

	if (!isxdigit((unsigned char)(*digits)[0]) ||
	    !isxdigit((unsigned char)(*digits)[1]))
		return -1;
	memcpy(pair, *digits, 2);
	*digits += 2;
	return (int)strtol(pair, NULL, 16);
}

/* Returns whether an entry of binfmt_misc applies to this file. */
static bool matches_entry(
    const char *entry, const char *path, const char *head, size_t head_bytes)
{
	const char *magic = value_of(entry, "magic"), *mask = value_of(entry, "mask"),
	           *offset = value_of(entry, "offset"),
	           *extension = value_of(entry, "extension"), *dot = strrchr(path, '.');
	size_t at = offset ? strtoul(offset, NULL, 10) : 0;

	if (strncmp(entry, "enabled", strlen("enabled")) != 0)
		return false;
	if (extension) {
		size_t len = strcspn(extension, "\n");

		return dot && strlen(dot) == len && strncmp(dot, extension, len) == 0;
	}
	if (!magic)
		return false;
	for (int byte; (byte = hex_byte(&magic)) >= 0; at++) {
		int bits = mask ? hex_byte(&mask) : 0xff;

		if (at >= head_bytes || (((unsigned char)head[at] ^ byte) & bits))
			return false;
	}
	return true;
}

static bool is_known_to_misc(const char *path, const char *head, size_t head_bytes)
{
	char *dir = str_format("%s%s", kernel_files_root(), misc_dir), **name;
	size_t names = dir_names(dir, &name);
	bool found = false;

	for (size_t i = 0; i < names && !found; i++) {
		char *file = str_format("%s/%s", dir, name[i]);
		struct buf entry = { 0 };
		struct fault ignored;

		found = strcmp(name[i], "status") != 0 &&
		        strcmp(name[i], "register") != 0 &&
		        file_read(file, &entry, &ignored) == 0 && entry.ptr &&
		        matches_entry(entry.ptr, path, head, head_bytes);
		buf_free(&entry);
		free(file);
	}
	dir_names_free(name, names);
	free(dir);
	return found;
}

int program_check_format(const char *path, struct fault *f)
{
	char head[HEAD_BYTES + 1];
	ssize_t got = read_head(path, head);

	if (got < 0 || (got >= 4 && memcmp(head, "\177ELF", 4) == 0))
		return 0;
	if (is_known_to_misc(path, head, (size_t)got))
		return 0;
	if (head[0] == '#' && head[1] == '!')
		return check_script(head + 2, f);
	return fault_set(f,
	    "the kernel cannot start it: it has no first line such as #!/bin/sh and "
	    "is not an ELF file");
}
