/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses and checks service levels; see slo.h.
 */
#include <math.h>
#include <stdlib.h>

#include "load/slo.h"
#include "text/near_name.h"
#include "text/units.h"

static const struct {
	const char *name, *alias; /* NULL: none */
} limits[SLO_LIMITS] = {
	[SLO_LATENCY] = { "latency", "e2e" },
	[SLO_WAIT] = { "wait", NULL },
	[SLO_SERVICE] = { "service", NULL },
	[SLO_FIRST_TOKEN] = { "first_token", "ttft" },
	[SLO_PER_TOKEN] = { "per_token", "tpot" },
	[SLO_INTER_TOKEN] = { "inter_token", "itl" },
};
static const char share_name[] = "share";

/* Returns the limit of this name, or SLO_LIMITS. */
static size_t find_limit(struct text name)
{
	size_t i = 0;

	while (i < SLO_LIMITS && !text_is(name, limits[i].name) &&
	       !(limits[i].alias && text_is(name, limits[i].alias)))
		i++;
	return i;
}

double slo_limit_of(const struct slo *slo, struct text metric)
{
	size_t limit = find_limit(metric);

	return limit < SLO_LIMITS ? slo->limit_ns[limit] : INFINITY;
}

static int unknown_limit(struct text name, struct fault *f)
{
	struct known_names known = { 0 };

	known_names_add_all(&known, &limits[0].name, sizeof(*limits), SLO_LIMITS);
	known_names_add(&known, text_of(share_name));
	return unknown_name(f, "unknown limit", name, &known);
}

/* Parses one item, such as "wait=1ms". Returns 0, or -1 and the message. */
static int parse_item(struct slo *out, const char *item, struct fault *f)
{
	const char *equals = strchr(item, '=');
	struct text name = { item, equals ? (size_t)(equals - item) : 0 };
	size_t limit = find_limit(name);

	if (!name.len)
		return fault_set(f, "'%s' is not NAME=DURATION or share=PCT", item);
	if (text_is(name, share_name)) {
		if (out->share > 0)
			return fault_set(f, "there are two shares");
		if (units_percent(equals + 1, &out->share, f) < 0)
			return -1;
		return out->share > 0 && out->share < 1
		           ? 0
		           : fault_set(f, "share must be above 0%% and below 100%%");
	}
	if (limit == SLO_LIMITS)
		return unknown_limit(name, f);
	if (isfinite(out->limit_ns[limit]))
		return fault_set(f, "%s has two limits", limits[limit].name);
	if (units_duration_ns(equals + 1, &out->limit_ns[limit], f) < 0)
		return -1;
	return out->limit_ns[limit] > 0
	           ? 0
	           : fault_set(f, "the limit of %s must be above 0", limits[limit].name);
}

int slo_parse(const char *text, struct slo *out, struct fault *f)
{
	bool limited = false;
	int status = 0;

	*out = (struct slo){ 0 };
	for (size_t i = 0; i < SLO_LIMITS; i++)
		out->limit_ns[i] = INFINITY;
	for (const char *rest = text; rest && status == 0;) {
		size_t len = strcspn(rest, ",");
		char *item = mem_text(rest, len);

		status = parse_item(out, item, f);
		rest = rest[len] ? rest + len + 1 : NULL;
		free(item);
	}
	for (size_t i = 0; i < SLO_LIMITS; i++)
		limited = limited || isfinite(out->limit_ns[i]);
	if (out->share <= 0)
		out->share = SLO_SHARE;
	if (status == 0 && !limited)
		return fault_set(f, "'%s' has no limit, such as latency=50ms", text);
	return status;
}

bool slo_limits_tokens(const struct slo *slo)
{
	return isfinite(slo->limit_ns[SLO_FIRST_TOKEN]) ||
	       isfinite(slo->limit_ns[SLO_PER_TOKEN]) ||
	       isfinite(slo->limit_ns[SLO_INTER_TOKEN]);
}

bool slo_keeps(const struct slo *slo, const struct load_request *r)
{
	const double ns[SLO_LIMITS] = {
		[SLO_LATENCY] = (double)(r->end_ns - r->arrival_ns),
		[SLO_WAIT] = (double)(r->start_ns - r->arrival_ns),
		[SLO_SERVICE] = (double)(r->end_ns - r->start_ns),
		[SLO_FIRST_TOKEN] = r->first_token_ns,
		[SLO_PER_TOKEN] = r->per_token_ns,
		[SLO_INTER_TOKEN] = r->inter_token_ns,
	};

	if (r->result != REQUEST_DONE)
		return false;
	for (size_t i = 0; i < SLO_LIMITS; i++) {
		if (i > SLO_FIRST_TOKEN && r->tokens == 1)
			continue;
		if (isfinite(slo->limit_ns[i]) && !(ns[i] <= slo->limit_ns[i]))
			return false;
	}
	return true;
}
