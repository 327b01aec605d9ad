/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdarg.h>
#include <stdio.h>

#include "bench-backend.h"
#include "engine_fail.h"

int engine_fail(char *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, BACKEND_WHY, format, args);
	va_end(args);
	for (char *p = why; *p; p++)
		if ((unsigned char)*p < ' ')
			*p = ' ';
	return -1;
}
