/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses files of /proc; see procfs.h.
 */
#include <string.h>

#include "sys/procfs.h"
#include "text/units.h"

bool procfs_next(struct text *list, uint64_t *out)
{
	return bits_parse(text_next_word(list), out);
}

bool procfs_stat(struct text file, struct procfs_stat *out)
{
	/* The name of the command may contain spaces and parentheses: the last one
	 * ends it. */
	const char *end = memrchr(file.ptr, ')', file.len);
	uint64_t field[23] = { 0 };

	if (!end)
		return false;
	struct text rest = { end + 1, file.len - (size_t)(end + 1 - file.ptr) };
	struct text state = text_next_word(&rest);
	if (state.len != 1)
		return false;
	/* Numbered as in proc(5), where the state is field 3. */
	for (int i = 4; i < 23; i++) {
		struct text word = text_next_word(&rest);

		if (word.len && word.ptr[0] == '-')
			continue;
		if (!bits_parse(word, &field[i]))
			return false;
	}
	*out = (struct procfs_stat){ .state = state.ptr[0],
		.threads = field[20],
		.faults = field[10] + field[12],
		.reaped_ticks = field[16] + field[17],
		.reaped_faults = field[11] + field[13],
		.start_ticks = field[22] };
	return true;
}

bool procfs_resident_pages(struct text file, uint64_t *pages)
{
	uint64_t size;

	return procfs_next(&file, &size) && procfs_next(&file, pages) && *pages > 0;
}

/* Finds the number after a key and the byte that ends it, at the start of a line. */
static bool find_number(struct text file, const char *key, char ends, uint64_t *out)
{
	size_t len = strlen(key);

	while (file.len > len) {
		const char *end = memchr(file.ptr, '\n', file.len);
		size_t used = end ? (size_t)(end + 1 - file.ptr) : file.len;

		if (memcmp(file.ptr, key, len) == 0 && file.ptr[len] == ends) {
			struct text rest = { file.ptr + len + 1, used - len - 1 };

			return procfs_next(&rest, out);
		}
		file = text_after(file, used);
	}
	return false;
}

bool procfs_value(struct text file, const char *key, uint64_t *out)
{
	return find_number(file, key, ':', out);
}

bool procfs_count(struct text file, const char *key, uint64_t *out)
{
	return find_number(file, key, ' ', out);
}
