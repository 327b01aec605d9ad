/*
 * Sets of small numbers; see number_set.h. A range with a dash becomes one of units_list.
 */
#include <stdlib.h>
#include <string.h>

#include "number_set.h"
#include "units.h"

static int add(const char *item, bool *set, size_t size, struct fault *f)
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
		status = add(item, set, size, f);
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
