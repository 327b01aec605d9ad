/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the functions of libraries; see library_functions.h. */
#include <dlfcn.h>
#include <string.h>

#include "sys/library_functions.h"

const char *library_functions_find(
    void *library, const struct library_function *function, size_t count, void *members)
{
	for (size_t i = 0; i < count; i++) {
		void *symbol = dlsym(library, function[i].name);

		if (!symbol && !function[i].is_optional)
			return function[i].name;
		memcpy((char *)members + function[i].at, &symbol, sizeof(symbol));
	}
	return NULL;
}
