/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Follows symbolic links; see link_target.h. realpath() does this too, but fails if the
 * last name does not exist.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "sys/link_target.h"

/* Returns where a link leads, without following further links; or NULL and errno. */
static char *next_target(const char *link)
{
	char text[PATH_MAX];
	const char *slash = strrchr(link, '/');
	ssize_t len = readlink(link, text, sizeof(text));

	if (len < 0)
		return NULL;
	return *text == '/' || !slash
	           ? mem_text(text, (size_t)len)
	           : str_format("%.*s%.*s", (int)(slash + 1 - link), link, (int)len, text);
}

char *link_target(const char *link)
{
	char *real = realpath(link, NULL), *at, *next;

	if (real || errno != ENOENT)
		return real;
	at = next_target(link);
	/* The links end, because realpath() has found that they form no loop. */
	while (at && (next = next_target(at))) {
		free(at);
		at = next;
	}
	return at;
}
