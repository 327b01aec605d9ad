/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests of event names, formulas and sets on a machine without a PMU.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "counters/event.h"
#include "counters/event_set.h"
#include "counters/pmu.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"
#include "text/formula.h"
#include "text/units.h"

static double evaluate(const char *text, const double *value)
{
	struct fault f;
	struct formula *formula = formula_parse(text, &f);
	double result = formula ? formula_value(formula, value) : -12345;

	formula_free(formula);
	return result;
}

static void test_formula(void)
{
	static const struct {
		const char *text;
		double want;
	} cases[] = {
		{ "1 + 2 * 3", 7 },
		{ "(1 + 2) * 3", 9 },
		{ "8 / 4 / 2", 1 },
		{ "8 - 4 - 2", 2 },
		{ "-2 * -3", 6 },
		{ "1e3 * 2.5e-1", 250 },
		{ "1e3", 1000 },
		{ " ( ( 2 ) ) ", 2 },
		{ "7 // 2 * 2", 6 },
		{ "-7 // 2", -4 },
		{ "1 + 1 == 2", 1 },
		{ "(2 < 1) + (2 <= 2) * 10 + (1 != 1) * 100", 10 },
		{ "(2 > 1) + (2 >= 3) * 10", 1 },
		{ "a / L1-b.c:u", 2 },
		{ "L1-b.c:u - a", 3 },
		{ "\"x/y,z=1/\" + \"x/y,z=1/\"", 12 },
	};
	static const struct {
		const char *text;
		size_t names;
	} named[] = { { "a / b / a", 2 }, { "1", 0 }, { "a-b", 1 }, { "a - b", 2 } };
	static const char *const wrong[] = { "", "1 +", "(1", "1)", "a b", "* 2", "\"a",
		"\"\"", "1 2", "1 % 2", "..", "a / ", "1 = 1", "1 < 2 < 3", "1 <",
		"((((((((((((((((((((((((((((((((((((((((1", "-" };

	for (size_t i = 0; i < COUNT(cases); i++)
		tap_ok(evaluate(cases[i].text, (double[]){ 6, 3 }) == cases[i].want,
		    "the formula %s has the value %g", cases[i].text, cases[i].want);
	for (size_t i = 0; i < COUNT(named); i++) {
		struct fault f;
		struct formula *formula = formula_parse(named[i].text, &f);

		tap_ok(formula && formula_names(formula) == named[i].names,
		    "the formula %s has %zu names", named[i].text, named[i].names);
		formula_free(formula);
	}
	for (size_t i = 0; i < COUNT(wrong); i++) {
		struct fault f = { "" };
		struct formula *formula = formula_parse(wrong[i], &f);

		tap_ok(!formula && strncmp(f.text, "formula '", 9) == 0,
		    "formula_parse rejects '%s'", wrong[i]);
		formula_free(formula);
	}
	tap_ok(isnan(evaluate("a / b", (double[]){ 1, 0 })),
	    "a formula that divides by 0 has no value");
	tap_ok(isnan(evaluate("a + b", (double[]){ NAN, 1 })),
	    "a sum with a missing operand has no value");
	tap_ok(isnan(evaluate("a < b", (double[]){ NAN, 1 })),
	    "a comparison with a missing operand has no value");
	struct fault f;
	struct formula *symbols = formula_parse_symbols("a-b", &f);
	tap_ok(symbols && formula_names(symbols) == 2 &&
	           formula_value(symbols, (double[]){ 6, 3 }) == 3,
	    "formula_parse_symbols accepts a minus without spaces");
	formula_free(symbols);
}

static void test_fields(void)
{
	static const struct {
		const char *format;
		uint64_t value, config, config1;
		int status;
	} cases[] = {
		{ "config:0-7", 0x3c, 0x3c, 0, 0 },
		{ "config:8-15", 0x12, 0x1200, 0, 0 },
		{ "config:0-7,32-35", 0x1a0, 0x1000000a0, 0, 0 },
		{ "config:21", 1, 1 << 21, 0, 0 },
		{ "config1:0-63", UINT64_MAX, 0, UINT64_MAX, 0 },
		{ "config:0-7", 0x100, 0, 0, -1 },
		{ "config:21", 2, 0, 0, -1 },
		{ "config:7-0", 1, 0, 0, -1 },
		{ "config:0-64", 1, 0, 0, -1 },
		{ "config", 1, 0, 0, -1 },
		{ "config9:0", 1, 0, 0, -1 },
		{ "", 1, 0, 0, -1 },
	};

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct event_code code = { 0 };
		int status = pmu_field(text_of(cases[i].format), cases[i].value, &code);

		tap_ok(status == cases[i].status &&
		           (status < 0 || (code.config == cases[i].config &&
		                              code.config1 == cases[i].config1)),
		    "pmu_field puts 0x%llx into the format '%s', or rejects it",
		    (unsigned long long)cases[i].value, cases[i].format);
	}
}

static void test_modifiers(void)
{
	struct event_code code = { 0 };

	tap_ok(event_modify(text_of("u"), &code) && !code.exclude_user &&
	           code.exclude_kernel && code.exclude_hv,
	    "the modifier u counts user mode only");
	code = (struct event_code){ 0 };
	tap_ok(event_modify(text_of("uk"), &code) && !code.exclude_user &&
	           !code.exclude_kernel && code.exclude_hv,
	    "the modifiers uk count user mode and the kernel");
	code = (struct event_code){ 0 };
	tap_ok(event_modify(text_of(""), &code) && !code.exclude_user &&
	           !code.exclude_kernel && !code.exclude_hv,
	    "an event without modifiers counts all modes");
	tap_ok(!event_modify(text_of("p"), &code), "event_modify rejects p");
}

static void test_bits(void)
{
	uint64_t n;

	tap_ok(hex_parse(TEXT("01C2"), &n) && n == 0x1c2,
	    "hex_parse accepts hexadecimal digits");
	tap_ok(hex_parse(TEXT("ffffffffffffffff"), &n) && n == UINT64_MAX,
	    "hex_parse accepts 64 bits");
	tap_ok(!hex_parse(TEXT("10000000000000000"), &n),
	    "hex_parse rejects more than 64 bits");
	tap_ok(!hex_parse(TEXT("0g"), &n) && !hex_parse(TEXT(""), &n),
	    "hex_parse rejects other characters and an empty text");
	tap_ok(bits_parse(TEXT("0x10"), &n) && n == 16,
	    "bits_parse accepts hexadecimal numbers");
	tap_ok(bits_parse(TEXT("10"), &n) && n == 10, "bits_parse accepts decimal numbers");
	tap_ok(!bits_parse(TEXT("0x"), &n) && !bits_parse(TEXT("-1"), &n),
	    "bits_parse rejects 0x and -1");
}

/* Writes a set with one event and a derived metric, and chooses the set. */
static int choose_set(struct counter_set *set, const char *event, struct fault *f)
{
	FILE *file = fopen("own.csv", "w");

	if (!file)
		return fault_set(f, "own.csv cannot be written");
	fprintf(file, "name,event,formula\nstalls,\"%s\",\nper_run,,2 * stalls\n", event);
	fclose(file);
	return event_set_choose(set, NULL, 0, &(const char *){ "./own.csv" }, 1, f);
}

static void test_lacking_pmu(void)
{
	struct counter_set set = { 0 };
	struct fault f = { "" };

	if (!tap_ok(scratch_begin() && setenv("BENCH_ROOT", ".", 1) == 0,
	        "an empty directory can represent a machine without PMUs"))
		return;
	tap_ok(choose_set(&set, "nix/event=0x1a0,umask=0x1/k", &f) == 0 && set.count == 1 &&
	           strcmp(set.counter[0].name, "stalls") == 0 && set.deriveds == 1,
	    "a set keeps an event of a PMU that the kernel lacks, and its metrics");
	tap_ok(set.count == 1 && set.counter[0].asked &&
	           set.counter[0].attr.type == UINT32_MAX,
	    "an event of a PMU that the kernel lacks has a type that no kernel opens");
	counter_free(&set);

	tap_ok(event_set_choose(
	           &set, &(const char *){ "nix/event=0x1a0/" }, 1, NULL, 0, &f) < 0,
	    "event_set_choose rejects a named event of a PMU that the kernel lacks");
	tap_text(f.text,
	    "event 'nix/event=0x1a0/': the kernel has no PMU 'nix' (see "
	    "/sys/bus/event_source/devices)",
	    "event_set_choose names the event and the PMU that the kernel lacks");
	counter_free(&set);

	static const struct {
		const char *event, *message;
	} refused[] = {
		{ "nix", "./own.csv:2: event 'nix': unknown to perf and libpfm4 (see "
		         "bench-list events)" },
		{ "nix/event=1",
		    "./own.csv:2: event 'nix/event=1': the second slash is missing" },
		{ "/event=1/",
		    "./own.csv:2: event '/event=1/': the kernel has no PMU '' (see "
		    "/sys/bus/event_source/devices)" },
	};
	for (size_t i = 0; i < COUNT(refused); i++) {
		tap_ok(choose_set(&set, refused[i].event, &f) < 0,
		    "event_set_choose rejects a set with the event %s", refused[i].event);
		tap_text(f.text, refused[i].message,
		    "event_set_choose names the file and line of the event");
		counter_free(&set);
	}
	scratch_end();
}

int main(void)
{
	test_lacking_pmu();
	test_formula();
	test_fields();
	test_modifiers();
	test_bits();
	return tap_end();
}
