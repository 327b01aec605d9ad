/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas; see formula.h. Parsed by recursive descent into postfix, which a small stack
 * evaluates.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "text/formula.h"
#include "text/units.h"

enum { DEPTH_MAX = 32 };

struct formula_step {
	char what; /* 'n' number, 'v' name, '~' negation, or the operator: see
	              operator_value */
	double number;
	size_t name;
};

struct formula {
	struct formula_step *step;
	size_t steps, step_cap;
	char **name;
	size_t names, name_cap;
};

struct parser {
	struct formula *formula;
	const char *text, *at;
	const char *name_marks; /* allowed in names, like letters and digits */
	int depth;
	struct fault *fault;
};

static int parser_refuse(struct parser *p, const char *what)
{
	return fault_set(p->fault, "formula '%s': %s at '%.20s'", p->text, what, p->at);
}

static void add_step(struct parser *p, struct formula_step step)
{
	struct formula *f = p->formula;

	*VEC_ADD(f->step, f->steps, f->step_cap) = step;
}

static char next_character(struct parser *p)
{
	while (isspace((unsigned char)*p->at))
		p->at++;
	return *p->at;
}

static size_t name_number(struct formula *f, struct text name)
{
	for (size_t i = 0; i < f->names; i++)
		if (text_is(name, f->name[i]))
			return i;
	*VEC_ADD(f->name, f->names, f->name_cap) = mem_text(name.ptr, name.len);
	return f->names - 1;
}

static bool in_name(const struct parser *p, char c)
{
	return isalnum((unsigned char)c) || (c && strchr(p->name_marks, c));
}

static int parse_name(struct parser *p)
{
	bool quoted = *p->at == '"';
	const char *begin = p->at + quoted, *end = begin;

	while (quoted ? *end && *end != '"' : in_name(p, *end))
		end++;
	if (end == begin || (quoted && !*end))
		return parser_refuse(p, "a name is not complete");
	struct text name = { begin, (size_t)(end - begin) };
	add_step(
	    p, (struct formula_step){ .what = 'v', .name = name_number(p->formula, name) });
	p->at = end + quoted;
	return 0;
}

static int parse_number(struct parser *p)
{
	const char *end = p->at;
	double number;

	while (isdigit((unsigned char)*end) || *end == '.' ||
	       (*end && strchr("eE", *end) && end > p->at) ||
	       (*end && strchr("+-", *end) && end > p->at && strchr("eE", end[-1])))
		end++;
	if (!number_parse((struct text){ p->at, (size_t)(end - p->at) }, &number))
		return parser_refuse(p, "a number was expected");
	add_step(p, (struct formula_step){ .what = 'n', .number = number });
	p->at = end;
	return 0;
}

static int parse_comparison(struct parser *p);

static int parse_operand(struct parser *p)
{
	char c = next_character(p);

	if (c == '(') {
		p->at++;
		if (++p->depth > DEPTH_MAX)
			return parser_refuse(p, "too many parentheses");
		if (parse_comparison(p) < 0)
			return -1;
		p->depth--;
		if (next_character(p) != ')')
			return parser_refuse(p, "a ')' is missing");
		p->at++;
		return 0;
	}
	if (c == '-') {
		p->at++;
		if (++p->depth > DEPTH_MAX)
			return parser_refuse(p, "too many signs");
		if (parse_operand(p) < 0)
			return -1;
		p->depth--;
		add_step(p, (struct formula_step){ .what = '~' });
		return 0;
	}
	if (isalpha((unsigned char)c) || c == '"')
		return parse_name(p);
	return parse_number(p);
}

static int parse_product(struct parser *p)
{
	if (parse_operand(p) < 0)
		return -1;
	for (char c; (c = next_character(p)) == '*' || c == '/';) {
		p->at++;
		if (c == '/' && *p->at == '/') {
			p->at++;
			c = '|';
		}
		if (parse_operand(p) < 0)
			return -1;
		add_step(p, (struct formula_step){ .what = c });
	}
	return 0;
}

static int parse_sum(struct parser *p)
{
	if (parse_product(p) < 0)
		return -1;
	for (char c; (c = next_character(p)) == '+' || c == '-';) {
		p->at++;
		if (parse_product(p) < 0)
			return -1;
		add_step(p, (struct formula_step){ .what = c });
	}
	return 0;
}

static int parse_comparison(struct parser *p)
{
	static const struct {
		const char *text;
		char what;
	} signs[] = { { "<=", 'l' }, { ">=", 'g' }, { "==", '=' }, { "!=", '!' },
		{ "<", '<' }, { ">", '>' } };

	if (parse_sum(p) < 0)
		return -1;
	next_character(p);
	for (size_t i = 0; i < COUNT(signs); i++)
		if (strncmp(p->at, signs[i].text, strlen(signs[i].text)) == 0) {
			p->at += strlen(signs[i].text);
			if (parse_sum(p) < 0)
				return -1;
			add_step(p, (struct formula_step){ .what = signs[i].what });
			return 0;
		}
	return 0;
}

static struct formula *formula_read(
    const char *text, const char *name_marks, struct fault *f)
{
	struct parser p = { .formula = mem_zero(1, sizeof(*p.formula)),
		.text = text,
		.at = text,
		.name_marks = name_marks,
		.fault = f };

	if (parse_comparison(&p) < 0 ||
	    (next_character(&p) && parser_refuse(&p, "an operator was expected"))) {
		formula_free(p.formula);
		return NULL;
	}
	return p.formula;
}

struct formula *formula_parse(const char *text, struct fault *f)
{
	return formula_read(text, "_.:-", f);
}

struct formula *formula_parse_symbols(const char *text, struct fault *f)
{
	return formula_read(text, "_", f);
}

void formula_free(struct formula *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->names; i++)
		free(f->name[i]);
	free(f->name);
	free(f->step);
	free(f);
}

size_t formula_names(const struct formula *f)
{
	return f->names;
}

const char *formula_name(const struct formula *f, size_t i)
{
	return f->name[i];
}

static double operator_value(char operator, double a, double b)
{
	if (isnan(a) || isnan(b))
		return NAN;
	switch (operator) {
	case '+':
		return a + b;
	case '-':
		return a - b;
	case '*':
		return a * b;
	case '<':
		return a < b;
	case 'l':
		return a <= b;
	case '>':
		return a > b;
	case 'g':
		return a >= b;
	case '=':
		return a == b;
	case '!':
		return a != b;
	case '|':
		return b == 0 ? NAN : floor(a / b);
	default:
		return b == 0 ? NAN : a / b;
	}
}

double formula_value(const struct formula *f, const double *value)
{
	/* Each level and kind of operator has at most one operand on the stack. */
	double stack[4 * DEPTH_MAX + 4];
	size_t n = 0;

	for (size_t i = 0; i < f->steps; i++) {
		const struct formula_step *s = &f->step[i];

		if (s->what == 'n')
			stack[n++] = s->number;
		else if (s->what == 'v')
			stack[n++] = value[s->name];
		else if (s->what == '~')
			stack[n - 1] = -stack[n - 1];
		else {
			n--;
			stack[n - 1] = operator_value(s->what, stack[n - 1], stack[n]);
		}
	}
	return stack[0];
}
