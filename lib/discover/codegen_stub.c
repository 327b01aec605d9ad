/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Generates the text of one benchmark; see codegen_stub.h.
 */
#include <stdlib.h>

#include "discover/codegen_args.h"
#include "discover/codegen_stub.h"

const char codegen_stub_helpers[] =
    "/* SplitMix64: every process gets the same numbers. */\n"
    "struct seeded {\n"
    "\tuint64_t state;\n"
    "};\n"
    "\n"
    "static inline uint64_t seeded_bits(struct seeded *s)\n"
    "{\n"
    "\tuint64_t z = s->state += 0x9e3779b97f4a7c15u;\n"
    "\n"
    "\tz = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;\n"
    "\tz = (z ^ (z >> 27)) * 0x94d049bb133111ebu;\n"
    "\treturn z ^ (z >> 31);\n"
    "}\n"
    "\n"
    "/* Returns a number from 0 to bound - 1. */\n"
    "static inline uint64_t seeded_below(struct seeded *s, uint64_t bound)\n"
    "{\n"
    "\treturn seeded_bits(s) % (bound ? bound : 1);\n"
    "}\n"
    "\n"
    "/* Returns a number in [0, 1). */\n"
    "static inline double seeded_real(struct seeded *s)\n"
    "{\n"
    "\treturn (double)(seeded_bits(s) >> 11) * 0x1p-53;\n"
    "}\n"
    "\n"
    "static inline void *seeded_memory(struct bench *b, size_t count, size_t bytes)\n"
    "{\n"
    "\tvoid *memory = calloc(count ? count : 1, bytes);\n"
    "\n"
    "\tif (!memory)\n"
    "\t\tbench_fail(b, \"out of memory\");\n"
    "\treturn memory;\n"
    "}\n";
static void put_name(struct buf *out, const struct signature *s, size_t i)
{
	if (codegen_is_identifier(s->parameter[i].name))
		buf_printf(out, "arg_%s", s->parameter[i].name);
	else
		buf_printf(out, "arg_%zu", i + 1);
}

/* Appends a cast to the type, unless the value already has this type. */
static void put_cast(struct buf *out, const struct type_link *type, const char *given)
{
	struct buf spelling = { 0 };

	type_spell(&spelling, type);
	if (strcmp(spelling.ptr, given) != 0)
		buf_printf(out, "(%s)", spelling.ptr);
	buf_free(&spelling);
}

/*
 * Appends a random value of a scalar type. Integers are below the bound, except for bytes,
 * which can have any value.
 */
static void put_value(struct buf *out, const struct signature *s, size_t i,
    const struct type_link *type, const char *bound)
{
	const struct type_link *core = type_core(type);

	if (type_is_enum(type) && s->parameter[i].values) {
		put_name(out, s, i);
		buf_printf(out, "_of[seeded_below(&s, %zu)]", s->parameter[i].values);
	} else if (core->kind == LINK_BOOL) {
		buf_str(out, "seeded_below(&s, 2) != 0");
	} else {
		put_cast(out, type, core->kind == LINK_REAL ? "double" : "uint64_t");
		if (core->kind == LINK_REAL)
			buf_str(out, "seeded_real(&s)");
		else if (core->bytes == 1)
			buf_printf(out, "seeded_below(&s, %s)",
			    core->kind == LINK_SIGNED ? "128" : "256");
		else
			buf_printf(out, "seeded_below(&s, %s)", bound);
	}
}

/* Declares the enumerators of a parameter whose type is, or points to, an enumeration. */
static void put_values(
    struct buf *out, const struct signature *s, size_t i, const struct type_link *type)
{
	const struct parameter *p = &s->parameter[i];

	if (!type_is_enum(type) || !p->values)
		return;
	buf_str(out, "\tstatic const ");
	type_spell(out, type);
	buf_byte(out, ' ');
	put_name(out, s, i);
	buf_str(out, "_of[] = { ");
	for (size_t v = 0; v < p->values; v++)
		buf_printf(out, "%s%lld", v ? ", " : "", (long long)p->value[v]);
	buf_str(out, " };\n");
}

static void put_scalar(
    struct buf *out, const struct signature *s, size_t i, enum codegen_role role)
{
	const struct type_link *type = s->parameter[i].type;

	put_values(out, s, i, type);
	buf_byte(out, '\t');
	type_spell(out, type);
	buf_byte(out, ' ');
	put_name(out, s, i);
	buf_str(out, " = ");
	if (role == ROLE_ONE)
		buf_byte(out, '1');
	else if (role == ROLE_SIZE) {
		put_cast(out, type, "size_t");
		buf_byte(out, 'n');
	} else
		put_value(out, s, i, type, "1000");
	buf_str(out, ";\n");
}

static void put_buffer(
    struct buf *out, const struct signature *s, size_t i, enum codegen_role role)
{
	static const struct type_link byte[] = { { LINK_UNSIGNED, "unsigned char", 1 } };
	bool is_const;
	const struct type_link *type = type_target(s->parameter[i].type, &is_const);

	if (type_core(type)->kind == LINK_VOID)
		type = byte;
	put_values(out, s, i, type);
	buf_byte(out, '\t');
	type_spell(out, type);
	buf_str(out, " *");
	put_name(out, s, i);
	buf_printf(
	    out, " = seeded_memory(b, n%s, sizeof(*", role == ROLE_TEXT ? " + 1" : "");
	put_name(out, s, i);
	buf_str(out, "));\n\tfor (size_t i = 0; i < n; i++)\n\t\t");
	put_name(out, s, i);
	buf_str(out, "[i] = ");
	if (role == ROLE_TEXT)
		buf_str(out, "(char)('a' + seeded_below(&s, 26))");
	else
		put_value(out, s, i, type, "n");
	buf_str(out, ";\n");
}

/*
 * Returns the bytes per element that an iteration moves, if it reads or writes each buffer
 * once: those of all buffers of numbers, as STREAM counts them, or else those of the
 * buffers of bytes that are only read, or else of all. A copy of memory thus counts its
 * bytes once.
 */
static unsigned bytes_an_element(const struct signature *s)
{
	unsigned bytes[2] = { 0 }, numbers = 0;

	for (size_t i = 0; i < s->parameters; i++) {
		bool is_const;
		const struct type_link *type = s->parameter[i].type;

		if (!codegen_is_pointer(type))
			continue;
		type = type_core(type_target(type, &is_const));
		if (type->kind == LINK_VOID || type->bytes == 1)
			bytes[is_const]++;
		else
			numbers += type->bytes;
	}
	return numbers ? numbers : bytes[1] ? bytes[1] : bytes[0];
}

static void put_type(struct buf *out, const struct type_link *type)
{
	bool is_const = false;

	if (!codegen_is_pointer(type)) {
		type_spell(out, type);
		return;
	}
	type = type_target(type, &is_const);
	buf_str(out, is_const ? "const " : "");
	type_spell(out, type);
	buf_str(out, " *");
}

static void put_prototype(struct buf *out, const char *name, const struct signature *s)
{
	buf_str(out, "extern ");
	put_type(out, s->returns);
	buf_printf(out, "%slib_%s(", codegen_is_pointer(s->returns) ? "" : " ", name);
	for (size_t i = 0; i < s->parameters; i++) {
		buf_str(out, i ? ", " : "");
		put_type(out, s->parameter[i].type);
	}
	buf_printf(out, "%s) __asm__(\"%s\");\n", s->parameters ? "" : "void", name);
}

static void put_loop(
    struct buf *out, const char *name, const struct signature *s, bool writes)
{
	bool has_result = type_core(s->returns)->kind != LINK_VOID;

	buf_str(out, "\tBENCH_LOOP(b) {\n\t\t");
	if (has_result) {
		put_type(out, s->returns);
		buf_str(out, codegen_is_pointer(s->returns) ? "result = " : " result = ");
	}
	buf_printf(out, "lib_%s(", name);
	for (size_t i = 0; i < s->parameters; i++) {
		buf_str(out, i ? ", " : "");
		put_name(out, s, i);
	}
	buf_str(out, ");\n");
	if (has_result)
		buf_str(out, "\t\tBENCH_KEEP(result);\n");
	if (writes)
		buf_str(out, "\t\tBENCH_CLOBBER();\n");
	buf_str(out, "\t}\n");
}

void codegen_stub_write(
    struct buf *out, const char *name, const struct signature *s, const char *category)
{
	struct codegen_args plan = codegen_args_of(s);
	struct buf made = { 0 };

	buf_put(&made, "", 0);
	for (size_t i = 0; i < s->parameters; i++)
		(codegen_is_pointer(s->parameter[i].type) ? put_buffer : put_scalar)(
		    &made, s, i, plan.role[i]);

	put_prototype(out, name, s);
	buf_printf(out, "BENCH(%s, \"category=%s%s", name, category,
	    plan.buffers ? " param.n=1024" : "");
	if (plan.sizes && bytes_an_element(s) > 1)
		buf_printf(out, " items=n bytes=%u*n", bytes_an_element(s));
	else if (plan.sizes)
		buf_str(out, " items=n bytes=n");
	buf_str(out, "\")\n{\n");
	if (strstr(made.ptr, "&s"))
		buf_str(out, "\tstruct seeded s = { 1 };\n");
	if (plan.buffers)
		buf_str(out, "\tsize_t n = (size_t)bench_count(b, \"n\");\n");
	buf_text(out, text_in(&made));
	buf_str(out, s->parameters ? "\n" : "");
	put_loop(out, name, s, plan.writes);
	for (size_t i = 0; i < s->parameters; i++)
		if (codegen_is_pointer(s->parameter[i].type)) {
			buf_str(out, "\tfree(");
			put_name(out, s, i);
			buf_str(out, ");\n");
		}
	buf_str(out, "}\n");
	buf_free(&made);
	free(plan.role);
}
