/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Defines a backend whose devices a test lists in an environment variable, as
 * "WORD:TYPE:NAME:UNUSABLE;...". They cannot be opened.
 */
#include "whole.h"

/* Copies the text up to a separator or the end. Returns what follows the separator. */
static inline const char *take_field(
    const char *from, char separator, char *to, size_t size)
{
	size_t len = 0;

	for (; *from && *from != ';' && *from != separator; from++)
		if (len + 1 < size)
			to[len++] = *from;
	to[len] = '\0';
	return *from == separator ? from + 1 : from;
}

static inline int list_devices(
    const char *variable, struct backend_device *list, size_t max, char *why)
{
	const char *text = getenv(variable);
	size_t count = 0;

	snprintf(why, BACKEND_WHY, "it has no library");
	while (text && *text && count < max) {
		struct backend_device *d = &list[count++];

		text = take_field(text, ':', d->word, sizeof(d->word));
		text = take_field(text, ':', d->type, sizeof(d->type));
		text = take_field(text, ':', d->name, sizeof(d->name));
		text = take_field(text, ';', d->unusable, sizeof(d->unusable));
		d->dtypes = 1u << BACKEND_FLOAT32;
	}
	return (int)count;
}

/* Defines a backend with hooks: its name, the variable with its devices, and the hooks. */
#define LISTED_BACKEND(label, variable, ...)                                 \
	static int probe(struct backend_device *list, size_t max, char *why) \
	{                                                                    \
		return list_devices(variable, list, max, why);               \
	}                                                                    \
	__attribute__((visibility("default")))                               \
	const struct backend bench_backend = { __VA_ARGS__, .name = label,   \
		.probe = probe }

/* The hooks of an engine, instead of WHOLE_BACKEND. */
#define WHOLE_ENGINE                                                     \
	.abi = BACKEND_ABI, .summary = "for tests", .open = no_session,  \
	.close = close_session, .engine = &(const struct backend_engine) \
	{                                                                \
		.formats = "onnx"                                        \
	}
