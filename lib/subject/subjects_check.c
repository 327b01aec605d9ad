/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks that no subject would be measured twice; see subject.h.
 */
#include <stdlib.h>

#include "base/intern.h"
#include "subject/subject.h"

/* Sets the message about two subjects with the same name and parameters. Returns -1. */
static int report_equal(const struct subject *a, const struct subject *b, struct fault *f)
{
	char *label;

	if (a->from == b->from) {
		label = subject_label(b);
		fault_set(f,
		    "'%s' would be measured twice: a parameter has the same value twice",
		    label);
		free(label);
		return -1;
	}
	if (b->from->compute)
		return fault_set(f,
		    "'%s' would be measured twice on the same device: name each kernel, "
		    "model and backend once (auto may choose one that is also named)",
		    b->from->bench);
	return fault_set(f,
	    "two subjects are '%s' with the same parameters: give them different names "
	    "with -n",
	    b->from->bench);
}

int subjects_check(const struct subjects *list, struct fault *f)
{
	struct intern seen = { 0 };
	struct buf key = { 0 };
	int status = 0;

	for (size_t i = 0; i < list->count && status == 0; i++) {
		const struct subject *s = &list->subject[i];
		size_t number;

		key.len = 0;
		buf_byte(&key, s->aa);
		buf_put(&key, s->from->bench, strlen(s->from->bench) + 1);
		for (size_t j = 0; j < s->factors; j++) {
			buf_put(&key, s->factor[j].name, strlen(s->factor[j].name) + 1);
			buf_put(&key, s->factor[j].value, strlen(s->factor[j].value) + 1);
		}
		number = intern_add(&seen, text_in(&key));
		if (number != i)
			status = report_equal(&list->subject[number], s, f);
	}
	intern_free(&seen);
	buf_free(&key);
	return status;
}
