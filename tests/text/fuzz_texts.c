/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parses random bytes with the small parsers that read options, small files and packed
 * samples: a target of libFuzzer, which `make fuzz` runs. The first byte of the input
 * chooses the parser, and the rest is its text. tests/text/fuzz_texts.txt has the first
 * inputs. A text that is rejected must have a message, and what is accepted must survive a
 * round trip where the parser has an inverse.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "budget/budget.h"
#include "compare/thresholds.h"
#include "history/commit_order.h"
#include "load/arrivals.h"
#include "load/slo.h"
#include "record/row_conditions.h"
#include "store/pack.h"
#include "text/formula.h"
#include "text/number_set.h"
#include "text/shell_words.h"
#include "text/stamp.h"
#include "text/unit_value.h"
#include "text/units.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len);

enum { NUMBERS = 4096, FILE_MIN = 16 };
static const int64_t now_ns = 1800000000000000000;

static void require(bool kept, const char *rule, const char *text)
{
	if (kept)
		return;
	fprintf(stderr, "%s: %s\n", rule, text);
	abort();
}

/* Returns whether a parser succeeded, and requires a message if it did not. */
static bool accepted(int status, const struct fault *f)
{
	require(status == 0 || (status == -1 && *f->text), "no message", f->text);
	return status == 0;
}

static void parse_formula(const char *s, struct text t)
{
	double value[NUMBERS];
	struct fault f = { 0 };
	struct formula *formula =
	    t.len % 2 ? formula_parse(s, &f) : formula_parse_symbols(s, &f);

	if (!accepted(formula ? 0 : -1, &f))
		return;
	require(formula_names(formula) <= NUMBERS, "too many names", s);
	for (size_t i = 0; i < formula_names(formula); i++)
		value[i] = (double)i;
	formula_value(formula, value);
	formula_free(formula);
}

static void parse_condition(const char *s, struct text t)
{
	struct fault f = { 0 };
	struct row_conditions *c = row_conditions_open(&s, 1, now_ns, &f);

	(void)t;
	if (accepted(c ? 0 : -1, &f))
		row_conditions_close(c);
}

static void parse_stamp(const char *s, struct text t)
{
	char small[STAMP_MAX];
	int64_t ns, again;
	struct fault f = { 0 };
	int digits;

	if (stamp_parse(t, &ns, &digits)) {
		size_t size = stamp_print(small, ns, digits == STAMP_FOREIGN ? 9 : digits);
		struct text printed = { small, size };

		require(digits == STAMP_FOREIGN ||
		            (size == t.len && memcmp(small, s, size) == 0),
		    "another text", s);
		require(stamp_parse(printed, &again, &digits) && again == ns,
		    "another time", s);
	}
	accepted(stamp_option(s, now_ns, &ns, &f), &f);
}

static void parse_numbers(const char *s, struct text t)
{
	static bool set[CPUS_MAX];
	struct fault f = { 0 };
	cpu_set_t cpus;
	struct buf b = { 0 };
	size_t count = 0;

	accepted(number_set_parse(s, set, NUMBERS, &f), &f);
	accepted(number_set_cpus(s, &cpus, &f), &f);
	memset(set, 0, sizeof(set));
	cpu_list_parse(t, set); /* counts a processor that is listed twice twice */
	for (size_t i = 0; i < CPUS_MAX; i++)
		count += set[i];
	cpu_list_put(&b, set);
	memset(set, 0, sizeof(set));
	require(cpu_list_parse(text_in(&b), set) == count,
	    "another list of processors", s);
	buf_free(&b);
}

static void parse_words(const char *s, struct text t)
{
	struct fault f = { 0 };
	char **words = shell_words_split(s, &f), **again, *joined;

	(void)t;
	if (!accepted(words ? 0 : -1, &f))
		return;
	joined = shell_words_join(words);
	again = shell_words_split(joined, &f);
	require(again != NULL, "joined words cannot be split", joined);
	for (size_t i = 0; words[i] || again[i]; i++)
		require(words[i] && again[i] && strcmp(words[i], again[i]) == 0,
		    "other words", joined);
	shell_words_free(words);
	shell_words_free(again);
	free(joined);
}

static void parse_quantity(const char *s, struct text t)
{
	static const char *const units[] = { "ns", "B", "1", "W", "1/s", "" };
	struct fault f = { 0 };
	double x = 0;
	uint64_t count;
	char **list;
	size_t items;

	for (size_t i = 0; i < COUNT(units); i++)
		if (accepted(unit_value_parse(s, units[i], &x, &f), &f))
			require(isfinite(x), "not a finite value", s);
	if (accepted(units_duration_ns(s, &x, &f), &f))
		require(x >= 0 && x < 0x1p62, "not a duration", s);
	if (accepted(units_size_bytes(s, &x, &f), &f))
		require(isfinite(x) && x >= 0, "not a size", s);
	if (accepted(units_percent(s, &x, &f), &f))
		require(isfinite(x) && x >= 0, "not a percentage", s);
	accepted(units_count(s, &count, &f), &f);
	if (t.len < FILE_MIN && accepted(units_list(s, &list, &items, &f), &f))
		units_list_free(list, items);
}

static void parse_load(const char *s, struct text t)
{
	struct arrivals arrivals = { 0 };
	struct fault f = { 0 };
	struct slo slo;
	double rate;

	accepted(slo_parse(s, &slo, &f), &f);
	accepted(rate_parse(s, &rate, &f), &f);
	if (accepted(arrivals_parse(t, "file", &arrivals, &f), &f)) {
		for (size_t i = 1; i < arrivals.count; i++)
			require(arrivals.at_ns[i] >= arrivals.at_ns[i - 1],
			    "arrivals out of order", s);
		arrivals_free(&arrivals);
	}
}

/* Decodes a chunk of samples whose checksum is made to fit, and encodes its rows again. */
static void parse_pack(const char *s, struct text t)
{
	struct buf bytes = { 0 }, again = { 0 };
	struct pack_rows rows = { 0 }, more = { 0 };
	struct intern texts = { 0 };
	struct fault f = { 0 };
	uint32_t hash = 2166136261;

	buf_put(&bytes, t.ptr, t.len);
	for (size_t i = 0; i < t.len; i++)
		hash = (hash ^ (unsigned char)t.ptr[i]) * 16777619;
	for (int i = 0; i < 4; i++)
		buf_byte(&bytes, (char)(hash >> 8 * i));
	if (accepted(pack_decode(text_in(&bytes), &texts, &rows, &f),
	        &f)) {
		pack_encode(rows.row, rows.count, &texts, &again);
		require(pack_decode(text_in(&again), &texts, &more,
		            &f) == 0 &&
		            more.count == rows.count,
		    "encoded rows cannot be decoded", s);
		for (size_t i = 0; i < rows.count; i++)
			require(
			    pack_compare(&rows.row[i], &more.row[i]) == 0, "other rows", s);
	}
	free(rows.row);
	free(more.row);
	intern_free(&texts);
	buf_free(&bytes);
	buf_free(&again);
}

/* Reads a text as each of the small files that options name. */
static void parse_files(const char *s, struct text t)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char *path = str_format("/proc/self/fd/%d", fd);
	struct fault f = { 0 };
	struct budgets *budgets;
	struct thresholds *thresholds;
	struct commit_order *order;

	require(fd >= 0 && file_write_all(fd, t) == 0, "no file", s);
	if (accepted((budgets = budgets_read(path, &f)) ? 0 : -1, &f))
		budgets_free(budgets);
	if (accepted((thresholds = thresholds_read(path, 0.02, &f)) ? 0 : -1, &f)) {
		thresholds_find(thresholds, TEXT("bench"), TEXT("wall"));
		thresholds_free(thresholds);
	}
	if (accepted((order = commit_order_read(path, &f)) ? 0 : -1, &f)) {
		commit_order_find(order, TEXT("abcdef0"));
		commit_order_free(order);
	}
	close(fd);
	free(path);
}

/* Each parser gets the text, which ends in a null byte, and the same text with its length.
 */
static const struct {
	char letter;
	void (*parse)(const char *s, struct text t);
} parsers[] = { { 'f', parse_formula }, { 'c', parse_condition }, { 's', parse_stamp },
	{ 'n', parse_numbers }, { 'w', parse_words }, { 'q', parse_quantity },
	{ 'l', parse_load }, { 'p', parse_pack }, { 't', parse_files } };

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	char *s;

	if (!len)
		return -1;
	s = mem_text((const char *)bytes + 1, len - 1);
	for (size_t i = 0; i < COUNT(parsers); i++)
		if (parsers[i].letter == (char)*bytes)
			parsers[i].parse(s, (struct text){ s, len - 1 });
	free(s);
	return 0;
}
