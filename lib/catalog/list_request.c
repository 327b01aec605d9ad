/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of kernels and models that are listed; see list_request.h. */
#include "catalog/list_request.h"

void list_request_note_parameter(const struct list_request *r, const char *name)
{
	if (!known_names_have(r->parameters, text_of(name)))
		known_names_add(r->parameters, text_of(str_copy(name)));
}

int list_request_check_params(const struct list_request *r, struct fault *f)
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
