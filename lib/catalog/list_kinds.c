/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of kinds; see list_kinds.h.
 */
#include <string.h>
#include <unistd.h>

#include "catalog/list_compute.h"
#include "catalog/list_events.h"
#include "catalog/list_kinds.h"
#include "text/near_name.h"

/* The tables are printed in this order. */
static const struct {
	const char *name;
	unsigned kind;
	long (*print)(const struct list_request *r, struct fault *f); /* or NULL */
} kinds[] = {
	{ "functions", LIST_FUNCTIONS, NULL },
	{ "commands", LIST_COMMANDS, NULL },
	{ "events", LIST_EVENTS, list_events },
	{ "backends", LIST_BACKENDS, list_compute_backends },
	{ "devices", LIST_DEVICES, list_compute_devices },
	{ "kernels", LIST_KERNELS, list_compute_kernels },
	{ "models", LIST_MODELS, list_compute_models },
};

static unsigned kind_named(struct text name)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (text_is(name, kinds[i].name))
			return kinds[i].kind;
	return 0;
}

unsigned list_kinds_parse(const char *operand)
{
	unsigned all = 0;

	for (const char *p = operand;; p++) {
		struct text name = { p, strcspn(p, ",") };
		unsigned kind = kind_named(name);

		if (!kind)
			return 0;
		all |= kind;
		p += name.len;
		if (!*p)
			return all;
	}
}

int list_kinds_check_file(const char *operand, struct fault *f)
{
	struct known_names known = { 0 };
	size_t near[NEAR_NAMES_MOST];
	int status = 0;

	if (access(operand, F_OK) == 0)
		return 0;
	known_names_add_all(&known, kinds, sizeof(*kinds), COUNT(kinds));
	for (const char *p = operand; *p && status == 0; p += *p == ',') {
		struct text name = { p, strcspn(p, ",") };

		if (!kind_named(name) && near_names(name, &known, near))
			status =
			    unknown_name(f, "no file and no verb is called", name, &known);
		p += name.len;
	}
	known_names_free(&known);
	return status;
}

long list_kinds_print(unsigned wanted, const struct list_request *r, struct fault *f)
{
	long rows = 0;

	for (size_t i = 0; i < COUNT(kinds); i++) {
		long more = wanted & kinds[i].kind ? kinds[i].print(r, f) : 0;

		if (more < 0)
			return -1;
		rows += more;
	}
	return rows;
}
