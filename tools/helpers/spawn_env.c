/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets and pads the environment of commands; see spawn_env.h.
 */
#include <stdlib.h>
#include <string.h>

#include "spawn_env.h"

enum { PADDING_MAX = 65536 };

void spawn_env_set(char *strings, uint32_t count)
{
	for (char *p = strings; count; count--) {
		char *next = p + strlen(p) + 1, *value = strchr(p, '=');

		if (value) {
			*value++ = '\0';
			setenv(p, value, 1);
		}
		p = next;
	}
}

void spawn_env_pad(uint32_t bytes)
{
	static char padding[PADDING_MAX + 32] = "BENCH_JITTER=";
	size_t head = strlen("BENCH_JITTER=");

	if (!bytes)
		return;
	if (bytes > PADDING_MAX)
		bytes = PADDING_MAX;
	memset(padding + head, 'x', bytes);
	padding[head + bytes] = '\0';
	putenv(padding);
}
