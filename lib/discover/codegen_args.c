/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selects the functions that get a benchmark, and their arguments; see codegen_args.h.
 */
#include <ctype.h>
#include <strings.h>

#include "discover/codegen_args.h"
#include "discover/codegen_stub.h"

void codegen_stub_put_name(struct buf *out, const char *name)
{
	for (; *name; name++)
		buf_byte(out,
		    isalnum((unsigned char)*name) || strchr("_.$@:<>,~-() ", *name) ? *name
		                                                                    : '?');
}

bool codegen_is_identifier(const char *name)
{
	if (!name || !*name || isdigit((unsigned char)*name))
		return false;
	while (isalnum((unsigned char)*name) || *name == '_')
		name++;
	return !*name;
}

bool codegen_is_pointer(const struct type_link *type)
{
	return type_core(type)->kind == LINK_POINTER;
}

static bool is_text(const struct type_link *type)
{
	bool is_const;

	return codegen_is_pointer(type) && type_is_text(type_target(type, &is_const));
}

/*
 * Returns whether an argument of the type can be generated: a scalar, or if pointed is set,
 * a pointer to a scalar or to void.
 */
static bool is_passed(const struct type_link *type, bool pointed)
{
	struct buf spelling = { 0 };
	enum link_kind kind = type_core(type)->kind;
	bool passed, is_const;

	if (kind == LINK_POINTER)
		return pointed &&
		       (type_core(type_target(type, &is_const))->kind == LINK_VOID ||
		           is_passed(type_target(type, &is_const), false));
	passed = kind != LINK_VOID && type_spell(&spelling, type);
	buf_free(&spelling);
	return passed;
}

/* Returns whether an argument is widened if the function has no prototype. */
static bool is_widened(const struct type_link *type)
{
	const struct type_link *core = type_core(type);

	return core->kind != LINK_POINTER && core->bytes < sizeof(double) &&
	       (core->kind == LINK_REAL || core->bytes < sizeof(int));
}

static bool refuse(struct buf *why, const char *text)
{
	buf_str(why, text);
	return true;
}

static bool refuse_parameter(struct buf *why, const struct signature *s, size_t i)
{
	const struct parameter *p = &s->parameter[i];

	if (p->name) {
		buf_byte(why, '\'');
		codegen_stub_put_name(why, p->name);
		buf_str(why, "' is ");
	} else
		buf_printf(why, "argument %zu is ", i + 1);
	struct buf type = { 0 };
	type_describe(&type, p->type);
	codegen_stub_put_name(why, type.ptr);
	buf_free(&type);
	if (type_core(p->type)->kind == LINK_STRUCT ||
	    type_core(p->type)->kind == LINK_UNION)
		buf_str(why, " by value");
	if (s->old_style && is_widened(p->type))
		buf_str(why, " in a definition without a prototype");
	return true;
}

bool codegen_stub_refusal(struct buf *why, const char *name, const struct signature *s)
{
	if (strncmp(name, "_Z", 2) == 0 || strncmp(name, "_R", 2) == 0)
		return refuse(why, "its name is mangled (C++ or Rust)");
	if (!codegen_is_identifier(name))
		return refuse(why, "its name is not an identifier of C");
	if (strncmp(name, "benchmark_", 10) == 0)
		return refuse(why, "it is already a benchmark");
	if (!s)
		return refuse(why, "its signature is unknown");
	if (s->no_return)
		return refuse(why, "it does not return");
	if (s->is_variadic)
		return refuse(why, "it takes a variable number of arguments");
	for (size_t i = 0; i < s->parameters; i++)
		if (!is_passed(s->parameter[i].type, true) ||
		    (s->old_style && is_widened(s->parameter[i].type)))
			return refuse_parameter(why, s, i);
	if (type_core(s->returns)->kind != LINK_VOID && !is_passed(s->returns, true)) {
		struct buf type = { 0 };

		type_describe(&type, s->returns);
		buf_str(why, "it returns ");
		codegen_stub_put_name(why, type.ptr);
		buf_free(&type);
		return true;
	}
	return false;
}

static bool ends_with(const char *name, const char *end)
{
	size_t len = strlen(name), end_len = strlen(end);

	return len >= end_len && strcasecmp(name + len - end_len, end) == 0;
}

/* Returns whether an integer is wide enough for n, which a narrower one would truncate. */
static bool may_count(const struct parameter *p)
{
	return type_is_integer(p->type) && type_core(p->type)->bytes >= sizeof(int);
}

/* Returns whether an integer is a count by its type or name. */
static bool is_told_size(const struct parameter *p)
{
	static const char *const endings[] = { "len", "length", "size", "count", "bytes",
		"num", "nmemb" };

	if (!may_count(p))
		return false;
	if (type_is_size(p->type))
		return true;
	for (size_t i = 0; p->name && i < COUNT(endings); i++)
		if (ends_with(p->name, endings[i]))
			return true;
	return p->name &&
	       (strcasecmp(p->name, "n") == 0 || strcmp(p->name, "sz") == 0 ||
	           strncmp(p->name, "n_", 2) == 0 || strncmp(p->name, "num_", 4) == 0);
}

struct codegen_args codegen_args_of(const struct signature *s)
{
	struct codegen_args plan = { .role =
		                         mem_zero(s->parameters + 1, sizeof(*plan.role)) };
	bool any_told = false, given = false;

	for (size_t i = 0; i < s->parameters; i++) {
		plan.buffers |= codegen_is_pointer(s->parameter[i].type);
		any_told |= is_told_size(&s->parameter[i]);
	}
	for (size_t i = 0; i < s->parameters; i++) {
		const struct parameter *p = &s->parameter[i];
		bool is_const, counts;

		if (codegen_is_pointer(p->type)) {
			plan.role[i] = is_text(p->type) ? ROLE_TEXT : ROLE_BUFFER;
			type_target(p->type, &is_const);
			plan.writes |= !is_const;
			given = false;
			continue;
		}
		counts = any_told ? is_told_size(p)
		                  : i && plan.role[i - 1] == ROLE_BUFFER && may_count(p);
		if (plan.buffers && counts) {
			plan.role[i] = given ? ROLE_ONE : ROLE_SIZE;
			plan.sizes = given = true;
		} else if (plan.buffers && type_is_integer(p->type))
			plan.role[i] = ROLE_ONE;
	}
	return plan;
}
