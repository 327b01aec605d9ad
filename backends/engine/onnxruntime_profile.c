/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the lines of a profile; see onnxruntime_profile.h. */
#include <stdlib.h>
#include <string.h>

#include "onnxruntime_profile.h"

/* The end of a node's name in the event of its computation. */
static const char kernel_time[] = "_kernel_time";

/* Returns the value after a key of a line, or NULL. ONNX Runtime escapes no key, and writes
 * `"key" :value` or `"key" : value`. A quoted key inside a string is escaped. */
static const char *value_of(const char *line, const char *key)
{
	const size_t length = strlen(key);

	for (const char *p = line; (p = strstr(p, key)); p += length) {
		const char *q = p + length;

		if (p == line || p[-1] != '"' || *q != '"' ||
		    (p > line + 1 && p[-2] == '\\'))
			continue;
		q++;
		q += strspn(q, " ");
		if (*q == ':')
			return q + 1 + strspn(q + 1, " ");
	}
	return NULL;
}

/* Copies the text after a key without its escapes. Returns whether there is one. */
static bool text_of_key(const char *line, const char *key, char *out, size_t size)
{
	const char *p = value_of(line, key);
	size_t at = 0;

	*out = '\0';
	if (!p || *p != '"')
		return false;
	for (p++; *p && *p != '"'; p++) {
		if (*p == '\\' && p[1])
			p++;
		if (at + 1 < size)
			out[at++] = *p;
	}
	out[at] = '\0';
	return *p == '"';
}

static bool number_of_key(const char *line, const char *key, int64_t *out)
{
	const char *p = value_of(line, key);
	char *end;

	if (!p)
		return false;
	*out = strtoll(p, &end, 10);
	return end != p && *out >= 0;
}

bool ort_event_read(const char *line, struct ort_event *e)
{
	char category[32];
	size_t length;

	*e = (struct ort_event){ 0 };
	if (!text_of_key(line, "cat", category, sizeof(category)) ||
	    !text_of_key(line, "name", e->name, sizeof(e->name)) ||
	    !number_of_key(line, "ts", &e->start_us) ||
	    !number_of_key(line, "dur", &e->length_us))
		return false;
	number_of_key(line, "tid", &e->thread);
	e->run = strcmp(category, "Session") == 0 && strcmp(e->name, "model_run") == 0;
	length = strlen(e->name);
	if (strcmp(category, "Node") != 0 || length < sizeof(kernel_time) ||
	    strcmp(e->name + length - (sizeof(kernel_time) - 1), kernel_time) != 0)
		return true;
	e->node = true;
	e->name[length - (sizeof(kernel_time) - 1)] = '\0';
	text_of_key(line, "op_name", e->operator_type, sizeof(e->operator_type));
	return true;
}
