/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of kernels and models that are listed; see roster.h. */
#include "subject/roster.h"

void roster_note_parameter(const struct roster *r, const char *name)
{
	if (!known_names_have(r->parameters, text_of(name)))
		known_names_add(r->parameters, text_of(str_copy(name)));
}

int roster_check_params(const struct roster *r, struct fault *f)
{
	for (size_t i = 0; i < r->params; i++) {
		struct text name = text_of(r->param[i].name);

		if (!known_names_have(r->parameters, name))
			return unknown_name(f,
			    "-P: no listed kernel or model has a parameter", name,
			    r->parameters);
	}
	return 0;
}
