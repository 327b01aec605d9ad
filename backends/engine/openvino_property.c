/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads properties of devices and models, and words in their lists. */
#include <stdio.h>
#include <string.h>

#include "openvino_session.h"

bool openvino_lists(const char *list, const char *word)
{
	const size_t length = strlen(word);

	for (const char *at = list; (at = strstr(at, word)); at += length)
		if ((at == list || at[-1] == ' ') && strchr(" ", at[length]))
			return true;
	return false;
}

bool openvino_property(const struct backend_session *s, const struct backend_model *m,
    const char *device, const char *key, char *value, size_t size)
{
	char *text = NULL;

	*value = '\0';
	if (m ? s->ov->api.compiled_model_get_property(m->compiled, key, &text)
	      : s->ov->api.core_get_property(s->core, device, key, &text))
		return false;
	snprintf(value, size, "%s", text);
	s->ov->api.free(text);
	return *value != '\0';
}
