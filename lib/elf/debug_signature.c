/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads signatures from DWARF; see debug_info.h.
 */
#include <stdlib.h>

#include "elf/debug_priv.h"

/* Returns the kind of a base type; LINK_OTHER if it has no counterpart in C. */
static enum link_kind base_kind(Dwarf_Die *die)
{
	Dwarf_Attribute attribute;
	Dwarf_Word encoding = 0;

	dwarf_formudata(dwarf_attr(die, DW_AT_encoding, &attribute), &encoding);
	switch (encoding) {
	case DW_ATE_boolean:
		return LINK_BOOL;
	case DW_ATE_signed:
	case DW_ATE_signed_char:
		return LINK_SIGNED;
	case DW_ATE_unsigned:
	case DW_ATE_unsigned_char:
	case DW_ATE_UTF:
		return LINK_UNSIGNED;
	case DW_ATE_float:
		return LINK_REAL;
	}
	return LINK_OTHER;
}

static bool is_qualifier(int tag)
{
	return tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type;
}

static enum link_kind link_kind_of(Dwarf_Die *die)
{
	static const struct {
		int tag;
		enum link_kind kind;
	} kinds[] = {
		{ DW_TAG_pointer_type, LINK_POINTER },
		{ DW_TAG_const_type, LINK_CONST },
		{ DW_TAG_typedef, LINK_TYPEDEF },
		{ DW_TAG_enumeration_type, LINK_ENUM },
		{ DW_TAG_structure_type, LINK_STRUCT },
		{ DW_TAG_class_type, LINK_STRUCT },
		{ DW_TAG_union_type, LINK_UNION },
		{ DW_TAG_array_type, LINK_ARRAY },
		{ DW_TAG_subroutine_type, LINK_FUNCTION },
	};
	int tag = dwarf_tag(die);

	if (tag == DW_TAG_base_type)
		return base_kind(die);
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].tag == tag)
			return kinds[i].kind;
	return LINK_OTHER;
}

static void read_values(Dwarf_Die *enumeration, struct parameter *p)
{
	enum { MOST = 16 };
	size_t cap = 0;
	Dwarf_Die child;

	if (p->values || dwarf_child(enumeration, &child) != 0)
		return;
	do {
		Dwarf_Attribute attribute;
		Dwarf_Sword value;

		if (p->values < MOST && dwarf_tag(&child) == DW_TAG_enumerator &&
		    dwarf_formsdata(
		        dwarf_attr(&child, DW_AT_const_value, &attribute), &value) == 0 &&
		    value >= INT32_MIN && value <= INT32_MAX)
			*VEC_ADD(p->value, p->values, cap) = value;
	} while (dwarf_siblingof(&child, &child) == 0);
}

/*
 * Reads the chain of a type, without qualifiers that do not affect calls. The values of an
 * enumeration are stored in the parameter.
 */
static struct type_link *read_type(Dwarf_Die *die, struct parameter *p)
{
	enum { DEEPEST = 64 }; /* stops at cycles in damaged files */
	struct type_link *link = NULL;
	size_t count = 0, cap = 0;
	Dwarf_Attribute attribute;
	Dwarf_Die type;

	for (int depth = 0; dwarf_attr_integrate(die, DW_AT_type, &attribute); depth++) {
		enum link_kind kind;

		if (depth == DEEPEST || !dwarf_formref_die(&attribute, &type)) {
			*VEC_ADD(link, count, cap) =
			    (struct type_link){ .kind = LINK_OTHER };
			return link;
		}
		die = &type;
		if (is_qualifier(dwarf_tag(die)))
			continue;
		kind = link_kind_of(die);
		int bytes = dwarf_bytesize(die);
		*VEC_ADD(link, count, cap) = (struct type_link){ kind, dwarf_diename(die),
			bytes > 0 ? (unsigned)bytes : 0 };
		if (kind == LINK_ENUM)
			read_values(die, p);
		if (kind > LINK_ENUM)
			return link;
	}
	/* An enumeration may lack its integer type. */
	struct type_link last = { .kind = LINK_VOID };
	if (count && link[count - 1].kind == LINK_ENUM)
		last = (struct type_link){ LINK_UNSIGNED, NULL, link[count - 1].bytes };
	*VEC_ADD(link, count, cap) = last;
	return link;
}

/* Reads the parameters from the abstract origin, because copies of a function lack them. */
static void read_parameters(Dwarf_Die *function, struct signature *out)
{
	Dwarf_Attribute attribute;
	Dwarf_Die origin = *function, child;
	size_t cap = 0;

	while (dwarf_attr(&origin, DW_AT_abstract_origin, &attribute) &&
	       dwarf_formref_die(&attribute, &origin))
		;
	if (dwarf_child(&origin, &child) != 0)
		return;
	do {
		if (dwarf_tag(&child) == DW_TAG_unspecified_parameters)
			out->is_variadic = true;
		if (dwarf_tag(&child) != DW_TAG_formal_parameter)
			continue;
		struct parameter *p = VEC_ADD(out->parameter, out->parameters, cap);
		*p = (struct parameter){ .name = dwarf_diename(&child) };
		p->type = read_type(&child, p);
	} while (dwarf_siblingof(&child, &child) == 0);
}

static const char *symbol_of(Dwarf_Die *function)
{
	Dwarf_Attribute attribute;
	const char *name = NULL;

	if (dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute))
		name = dwarf_formstring(&attribute);
	return name ? name : dwarf_diename(function);
}

/*
 * Returns whether exported functions of a language with scalars and pointers use the
 * calling convention of C. Assemblers do not describe parameters.
 */
static bool calls_as_c(int language, bool *has_prototypes)
{
	*has_prototypes = true;
	switch (language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
		*has_prototypes = false;
		return true;
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case DW_LANG_Rust:
		return true;
	}
	return false;
}

struct reading {
	struct signatures *out;
	bool has_prototypes; /* every function of the language has a prototype */
};

static int read_function(Dwarf_Die *function, void *ctx)
{
	struct reading *r = ctx;
	const char *name = symbol_of(function);
	Dwarf_Addr base, start, end;
	Dwarf_Attribute attribute;
	struct signature *s;

	if (!name || !dwarf_attr_integrate(function, DW_AT_external, &attribute))
		return DWARF_CB_OK;
	/* A function that was merged with an identical one has no address. */
	if (dwarf_ranges(function, 0, &base, &start, &end) <= 0)
		start = 0;
	s = VEC_ADD(r->out->item, r->out->count, r->out->cap);
	*s = (struct signature){ .name = name, .address = start };
	s->old_style = !r->has_prototypes &&
	               !dwarf_attr_integrate(function, DW_AT_prototyped, &attribute);
	s->no_return = dwarf_attr_integrate(function, DW_AT_noreturn, &attribute) != NULL;
	struct parameter result = { 0 };
	s->returns = read_type(function, &result);
	free(result.value);
	read_parameters(function, s);
	return DWARF_CB_OK;
}

bool debug_info_signatures(struct debug_info *d, struct signatures *out)
{
	Dwarf_Off next;
	size_t header, units = 0;
	Dwarf_Die unit;

	for (Dwarf_Off at = 0;
	     d->dwarf && dwarf_nextcu(d->dwarf, at, &next, &header, NULL, NULL, NULL) == 0;
	     at = next) {
		struct reading r = { .out = out };

		if (!dwarf_offdie(d->dwarf, at + header, &unit))
			continue;
		units++;
		if (calls_as_c(dwarf_srclang(&unit), &r.has_prototypes))
			dwarf_getfuncs(&unit, read_function, &r, 0);
	}
	signatures_finish(out);
	return units > 0;
}
