/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The names of frames; see stack_names.h.
 */
#include <string.h>

#include "convert/stack_names.h"

void stack_put_function(struct buf *out, struct text name)
{
	for (size_t i = 0; i < name.len; i++)
		buf_byte(out, name.ptr[i] == ';' ? ':' : name.ptr[i]);
}

void stack_put_object(struct buf *out, struct text object)
{
	const char *slash = object.len ? memrchr(object.ptr, '/', object.len) : NULL;

	if (slash)
		object = text_after(object, (size_t)(slash + 1 - object.ptr));
	if (text_begins(object, "perf-") && text_ends(object, ".map"))
		buf_str(out, "[jit]");
	else if (!object.len)
		buf_str(out, "[unknown]");
	else if (text_begins(object, "["))
		stack_put_function(out, object);
	else {
		buf_byte(out, '[');
		stack_put_function(out, object);
		buf_byte(out, ']');
	}
}
