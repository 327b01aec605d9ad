/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signatures and types; see signature.h.
 */
#include <stdlib.h>

#include "elf/signature.h"

static int compare_names(const void *a, const void *b)
{
	const struct signature *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : (x->address > y->address) - (x->address < y->address);
}

void signatures_finish(struct signatures *s)
{
	if (s->count)
		qsort(s->item, s->count, sizeof(*s->item), compare_names);
}

const struct signature *signatures_find(
    const struct signatures *s, const char *name, uint64_t address)
{
	size_t low = 0, high = s->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(s->item[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < s->count && strcmp(s->item[low].name, name) == 0)
		return &s->item[low];
	for (size_t i = 0; i < s->count; i++)
		if (address && s->item[i].address == address)
			return &s->item[i];
	return NULL;
}

void signatures_free(struct signatures *s)
{
	for (size_t i = 0; i < s->count; i++) {
		struct signature *one = &s->item[i];

		for (size_t p = 0; p < one->parameters; p++) {
			free(one->parameter[p].type);
			free(one->parameter[p].value);
		}
		free(one->parameter);
		free(one->returns);
	}
	free(s->item);
	*s = (struct signatures){ 0 };
}

static bool is_clothing(enum link_kind kind)
{
	return kind == LINK_CONST || kind == LINK_TYPEDEF || kind == LINK_ENUM;
}

const struct type_link *type_core(const struct type_link *type)
{
	while (is_clothing(type->kind))
		type++;
	return type;
}

const struct type_link *type_target(const struct type_link *type, bool *is_const)
{
	type = type_core(type) + 1;
	*is_const = false;
	for (const struct type_link *l = type; is_clothing(l->kind); l++)
		*is_const |= l->kind == LINK_CONST;
	return type;
}

bool type_is_enum(const struct type_link *type)
{
	while (type->kind == LINK_CONST || type->kind == LINK_TYPEDEF)
		type++;
	return type->kind == LINK_ENUM;
}

bool type_is_integer(const struct type_link *type)
{
	enum link_kind kind = type_core(type)->kind;

	return (kind == LINK_SIGNED || kind == LINK_UNSIGNED) && !type_is_enum(type);
}

bool type_is_size(const struct type_link *type)
{
	for (; is_clothing(type->kind); type++)
		if (type->kind == LINK_TYPEDEF && type->name &&
		    strcmp(type->name, "size_t") == 0)
			return true;
	return type->name && strcmp(type->name, "usize") == 0; /* name in Rust */
}

bool type_is_text(const struct type_link *type)
{
	const struct type_link *core = type_core(type);

	return core->name && strcmp(core->name, "char") == 0 && core->bytes == 1;
}

/* Returns whether a name consists of C keywords for numbers. (Rust has a wider char.) */
static bool is_plain_c(const char *name, unsigned bytes)
{
	static const char *const words[] = { "char", "signed", "unsigned", "short", "int",
		"long", "float", "double" };

	for (const char *p = name; *p; p += strspn(p, " ")) {
		struct text word = { p, strcspn(p, " ") };
		size_t i = 0;

		while (i < COUNT(words) && !text_is(word, words[i]))
			i++;
		if (i == COUNT(words))
			return false;
		p += word.len;
	}
	return *name && (bytes == 1 || strcmp(name, "char") != 0);
}

/* Returns whether a typedef is one of the standard headers of C. Those of C++ can differ.
 */
static const char *standard_name(const struct type_link *type)
{
	static const char *const names[] = { "size_t", "ptrdiff_t", "int8_t", "int16_t",
		"int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t",
		"intptr_t", "uintptr_t", "intmax_t", "uintmax_t" };

	for (; type->kind == LINK_TYPEDEF || type->kind == LINK_CONST; type++)
		for (size_t i = 0; type->kind == LINK_TYPEDEF && i < COUNT(names); i++)
			if (type->name && strcmp(type->name, names[i]) == 0)
				return names[i];
	return NULL;
}

bool type_spell(struct buf *out, const struct type_link *type)
{
	static const struct {
		enum link_kind kind;
		unsigned bytes;
		const char *spelling;
	} by_width[] = {
		{ LINK_SIGNED, 1, "int8_t" },
		{ LINK_SIGNED, 2, "int16_t" },
		{ LINK_SIGNED, 4, "int32_t" },
		{ LINK_SIGNED, 8, "int64_t" },
		{ LINK_SIGNED, 16, "__int128" },
		{ LINK_UNSIGNED, 1, "uint8_t" },
		{ LINK_UNSIGNED, 2, "uint16_t" },
		{ LINK_UNSIGNED, 4, "uint32_t" },
		{ LINK_UNSIGNED, 8, "uint64_t" },
		{ LINK_UNSIGNED, 16, "unsigned __int128" },
		{ LINK_BOOL, 1, "bool" },
		{ LINK_REAL, 4, "float" },
		{ LINK_REAL, 8, "double" },
	};
	const struct type_link *core = type_core(type);
	bool is_number = core->kind == LINK_SIGNED || core->kind == LINK_UNSIGNED ||
	                 core->kind == LINK_REAL;
	const char *spelling = is_number ? standard_name(type) : NULL;

	if (core->kind == LINK_VOID)
		spelling = "void";
	else if (!spelling && is_number && core->name &&
	         is_plain_c(core->name, core->bytes))
		spelling = core->name;
	for (size_t i = 0; !spelling && i < COUNT(by_width); i++)
		if (by_width[i].kind == core->kind && by_width[i].bytes == core->bytes)
			spelling = by_width[i].spelling;
	if (spelling)
		buf_str(out, spelling);
	return spelling != NULL;
}

void type_describe(struct buf *out, const struct type_link *type)
{
	const struct type_link *core = type_core(type);
	bool is_const;

	switch (core->kind) {
	case LINK_POINTER:
		buf_str(out, "a pointer to ");
		type_describe(out, type_target(core, &is_const));
		break;
	case LINK_STRUCT:
	case LINK_UNION:
		/* A structure without a name often has a typedef. */
		if (core->name)
			buf_printf(out, "%s %s",
			    core->kind == LINK_UNION ? "union" : "struct", core->name);
		else if (core > type && core[-1].kind == LINK_TYPEDEF && core[-1].name)
			buf_printf(out, "a structure (%s)", core[-1].name);
		else
			buf_str(out, "a structure");
		break;
	case LINK_ARRAY:
		buf_str(out, "an array");
		break;
	case LINK_FUNCTION:
		buf_str(out, "a function");
		break;
	default:
		if (type_spell(out, type))
			break;
		if (core->name)
			buf_printf(out, "a value of the type %s", core->name);
		else
			buf_str(out, "a value of a type that C does not have");
	}
}
