/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks up parameters; see helper_params.h.
 */
#include <string.h>

#include "helper_io.h"
#include "helper_job.h"
#include "helper_params.h"

static uint32_t param_find(const char *name)
{
	for (uint32_t i = 0; i < helper_job.request.params; i++)
		if (strcmp(helper_job.param_name[i], name) == 0)
			return i;
	helper_give_up(HELPER_FAILED,
	    "it needs a parameter '%s' (-P %s=VALUE, or param.%s=VALUE in its BENCH)", name,
	    name, name);
}

const char *helper_param_text(struct bench *b, const char *name)
{
	(void)b;
	return helper_job.param_text[param_find(name)];
}

double helper_param_number(struct bench *b, const char *name)
{
	uint32_t i = param_find(name);

	(void)b;
	if (helper_job.params[i].number == helper_job.params[i].number)
		return helper_job.params[i].number;
	helper_give_up(HELPER_FAILED, "its parameter '%s' is '%s', which is not a number",
	    name, helper_job.param_text[i]);
}
