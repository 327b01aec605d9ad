/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names the columns that describe a backend; see backend_column.h.
 */
#include <string.h>

#include "base/base.h"
#include "record/backend_column.h"

bool backend_column(const char *name)
{
	static const char *const columns[] = { "backend", "device", "device_type",
		"engine" };

	for (size_t i = 0; i < COUNT(columns); i++)
		if (strcmp(name, columns[i]) == 0)
			return true;
	return false;
}
