/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets of small numbers; see number_set.h. A range with a dash is rewritten as a range of
 * units_list().
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "text/number_set.h"
#include "text/units.h"

static int add_range(const char *item, bool *set, size_t size, struct fault *f)
{
	const char *dash = strchr(item, '-');
	char *range = dash ? str_format("%.*s..%s", (int)(dash - item), item, dash + 1)
	                   : str_copy(item);
	char **list;
	size_t count;
	uint64_t number;
	int status = units_list(range, &list, &count, f);

	free(range);
	if (status < 0)
		return -1;
	for (size_t i = 0; i < count && status == 0; i++) {
		if (units_count(list[i], &number, f) < 0 || number >= size)
			status = fault_set(
			    f, "'%s' is not a number from 0 to %zu", list[i], size - 1);
		else
			set[number] = true;
	}
	units_list_free(list, count);
	return status;
}

int number_set_parse(const char *list, bool *set, size_t size, struct fault *f)
{
	char *copy = str_copy(list), *rest = copy, *item;
	int status = 0;

	while (status == 0 && (item = strsep(&rest, ",")))
		status = add_range(item, set, size, f);
	free(copy);
	return status;
}

int number_set_cpus(const char *list, cpu_set_t *out, struct fault *f)
{
	bool chosen[CPU_SETSIZE] = { false };

	CPU_ZERO(out);
	if (number_set_parse(list, chosen, CPU_SETSIZE, f) < 0)
		return -1;
	for (size_t i = 0; i < CPU_SETSIZE; i++)
		if (chosen[i])
			CPU_SET(i, out);
	return 0;
}

size_t cpu_list_parse(struct text list, bool *set)
{
	char *copy = mem_text(list.ptr, list.len), *rest = copy;
	size_t count = 0;

	while (isdigit((unsigned char)*rest)) {
		unsigned long first = strtoul(rest, &rest, 10), last = first;

		if (*rest == '-')
			last = strtoul(rest + 1, &rest, 10);
		for (; first <= last && first < CPUS_MAX; first++, count++)
			if (set)
				set[first] = true;
		if (*rest == ',')
			rest++;
	}
	free(copy);
	return count;
}

void cpu_list_put(struct buf *out, const bool *set)
{
	size_t start = out->len;

	for (unsigned first = 0; first < CPUS_MAX; first++) {
		unsigned last = first;

		if (!set[first])
			continue;
		while (last + 1 < CPUS_MAX && set[last + 1])
			last++;
		buf_printf(out, "%s%u", out->len > start ? "," : "", first);
		if (last > first)
			buf_printf(out, "-%u", last);
		first = last;
	}
	if (out->len == start)
		buf_str(out, "none");
}
