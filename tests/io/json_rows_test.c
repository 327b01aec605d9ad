/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of JSON: their records are the same however the file is cut into pieces, and
 * broken JSON is rejected with its line.
 */
#include <stdlib.h>

#include "io/csv_reader.h"
#include "tests/lib/tap.h"

static const char types[] = { '0', 't', 'n', 'b', '*' };

struct dump {
	struct csv_reader *reader;
	struct buf out;
};

/* Writes a record: "H" or "R", the line, and each field after the letter of its type. */
static int on_record(
    void *ctx, const struct text *field, size_t count, uint64_t line, struct fault *f)
{
	struct dump *d = ctx;
	const unsigned char *type = csv_reader_types(d->reader);

	(void)f;
	buf_printf(&d->out, "%s%d",
	    !type                                              ? "C"
	    : csv_reader_form(d->reader) == RECORD_JSON_TABLE  ? "T"
	    : csv_reader_form(d->reader) == RECORD_JSON_HEADER ? "H"
	                                                       : "R",
	    (int)line);
	for (size_t i = 0; i < count; i++) {
		buf_printf(&d->out, " %c", type ? types[type[i]] : ':');
		buf_text(&d->out, field[i]);
	}
	buf_byte(&d->out, '\n');
	return 0;
}

/* Returns the records of a text that is fed in pieces, and then the message, if any. */
static char *records(struct text t, size_t piece)
{
	struct dump d = { 0 };
	struct fault f = { "" };
	int status = 0;

	d.reader = csv_reader_open(on_record, &d);
	csv_reader_begin(d.reader, "f");
	for (size_t at = 0; at < t.len && status == 0; at += piece)
		status = csv_reader_feed(
		    d.reader, t.ptr + at, t.len - at < piece ? t.len - at : piece, &f);
	if (status == 0)
		status = csv_reader_end(d.reader, &f);
	csv_reader_close(d.reader);
	buf_str(&d.out, status < 0 ? f.text : "");
	return d.out.ptr;
}

static const struct {
	struct text json;
	const char *want, *what;
} cases[] = {
	{ TEXT("[{\"a\": 1, \"b\": \"x\"},\n {\"a\": -2.5e3, \"b\": null}]\n"),
	    "T1 ta tb\nR1 n1 tx\nR2 n-2.5e3 0\n", "an array of objects is a table" },
	{ TEXT("\xef\xbb\xbf\r\n {\"a\":1}\n{\"a\":2}\n"), "T2 ta\nR2 n1\nR3 n2\n",
	    "JSON Lines are a table, even after a byte order mark" },
	{ TEXT("[{\"a\":1}]\n[{\"a\":2}] [] [{\"b\":3}]{\"b\":4}"),
	    "T1 ta\nR1 n1\nT2 ta\nR2 n2\nT2 tb\nR2 n3\nT2 tb\nR2 n4\n",
	    "joined arrays and the objects after them are tables" },
	{ TEXT("[{\"a\":1,\"b\":2},{\"b\":3,\"a\":4}]"),
	    "T1 ta tb\nR1 n1 n2\nH1 tb ta\nR1 n3 n4\n",
	    "members in another order have another header" },
	{ TEXT("[{\"a\\\"]\":\"}{\\\\\",\"b\":[1,{\"c\":[]}]}]"),
	    "T1 ta\"] tb\nR1 t}{\\ *[1,{\"c\":[]}]\n",
	    "brackets in strings are no brackets" },
	{ TEXT("{\"a\":\"\\u00e9\\ud83d\\ude00\\n\\/\\\"\xc3\xa9\"}"),
	    "T1 ta\nR1 t\xc3\xa9\xf0\x9f\x98\x80\n/\"\xc3\xa9\n", "escapes become UTF-8" },
	{ TEXT("{\"a\":18446744073709551617,\"b\":10.0,\"c\":-0.0,\"d\":1.250,\"e\":1.0E+"
	       "2}"),
	    "T1 ta tb tc td te\nR1 n18446744073709551617 n10 n-0 n1.250 n1.0E+2\n",
	    "numbers keep their digits, without a fraction of zeros" },
	{ TEXT("{\"a\":NaN,\"b\":-Infinity,\"c\":true,\"d\":false,\"e\":Infinity}"),
	    "T1 ta tb tc td te\nR1 0 0 btrue bfalse 0\n",
	    "numbers that are not finite are null" },
	{ TEXT("{\"env\":\"e\",\"facts\":{\"cpu\":\"x\",\"n\":4},\n\"samples\":\n[{\"a\":1}"
	       ",\n{\"a\":2}],\"summary\":[]}\n{\"a\":3}"),
	    "T3 tenv tfact tvalue\nR3 te tcpu tx\nR3 te tn n4\nT3 ta\nR3 n1\nR4 n2\nT5 "
	    "ta\nR5 n3\n",
	    "the rows of results.json are its samples, after the facts" },
	{ TEXT("{\"a\":1}{\"b\":2}{\"b\":3}"), "T1 ta\nR1 n1\nH1 tb\nR1 n2\nR1 n3\n",
	    "objects with other members continue a table" },
	{ TEXT("[]"), "", "an empty array has no records" },
	{ TEXT("[x],metric\n{a},1\n"), "C1 :[x] :metric\nC2 :{a} :1\n",
	    "CSV may begin with a bracket" },
	{ TEXT(" \n\n a,b\n"), "C1 : \nC3 : a :b\n", "CSV may begin with blanks" },
	{ TEXT("[\n{\"a\":1},\n"),
	    "T2 ta\nR2 n1\nf:3: the file ends inside an array: it is cut off",
	    "an array without an end is rejected" },
	{ TEXT("["), "f:1: the file ends inside an array: it is cut off",
	    "a file with one bracket is rejected" },
	{ TEXT("{\"a\": {\"b\":"), "f:1: the file ends inside an object: it is cut off",
	    "an object without an end is rejected" },
	{ TEXT("[{\"a\":1,\n\"a\":2}]"), "f:2: two members have the name 'a'",
	    "two members of one name are rejected" },
	{ TEXT("[{\"a\":1}\n{\"a\":2}]"), "T1 ta\nR1 n1\nf:2: no ',' or ']' after a row",
	    "a missing comma between rows is rejected" },
	{ TEXT("[{\"a\":1},]"), "T1 ta\nR1 n1\nf:1: a row is not an object",
	    "a comma after the last row is rejected" },
	{ TEXT("[[{\"a\":1}]]"), "f:1: a row is not an object",
	    "an array of arrays is rejected" },
	{ TEXT("[{}]"), "f:1: an object without members",
	    "an object without members is rejected" },
	{ TEXT("{\"a\":[1}"), "f:1: '}' where an array ends",
	    "brackets that do not match are rejected" },
	{ TEXT("[{\"a\":1}]\na,b\n1,2\n"),
	    "T1 ta\nR1 n1\nf:2: neither '[' nor '{' begins the JSON (CSV cannot follow "
	    "JSON)",
	    "CSV after JSON is rejected" },
	{ TEXT("{\"a\":\n\n01}"), "f:3: no ',' or '}' after a member",
	    "a number with a leading zero is rejected" },
	{ TEXT("{\"a\":.5}"),
	    "f:1: neither a string, a number, true, false, null, an array nor an object",
	    "a number without digits before the point is rejected" },
	{ TEXT("{\"a\":1.}"), "f:1: a number without digits after its point",
	    "a number without digits after the point is rejected" },
	{ TEXT("{\"a\":1e}"), "f:1: a number without digits in its exponent",
	    "a number without digits in the exponent is rejected" },
	{ TEXT("{\"a\":\"\xff\"}"), "f:1: a byte that is not UTF-8",
	    "a byte that is not UTF-8 is rejected" },
	{ TEXT("{\"a\":\"\xed\xa0\x80\"}"), "f:1: a byte that is not UTF-8",
	    "a surrogate in UTF-8 is rejected" },
	{ TEXT("{\"a\":\"\\ud800\"}"), "f:1: half a character (a surrogate)",
	    "half a surrogate pair is rejected" },
	{ TEXT("{\"a\":\"\\u0000\"}"), "f:1: \\u0000, which no text may have",
	    "an escaped NUL is rejected" },
	{ TEXT("{\"a\":\"\\u00g0\"}"), "f:1: \\u without four digits",
	    "an escape with wrong digits is rejected" },
	{ TEXT("{\"a\":\"\\x41\"}"), "f:1: an unknown escape in a string",
	    "an unknown escape is rejected" },
	{ TEXT("{\"a\":\"\n\"}"), "f:1: a control character in a string",
	    "a newline in a string is rejected" },
	{ TEXT("{a:1}"), "C1 :{a:1}\n", "a text whose first name has no quotes is CSV" },
	{ TEXT("{\"b\":1,a:1}"), "f:1: a member without a name in quotes",
	    "a name without quotes is rejected" },
	{ TEXT("{\"a\" 1}"), "f:1: no ':' after the name of a member",
	    "a missing colon is rejected" },
	{ TEXT("{\"a\":1}\0"), "T1 ta\nR1 n1\nf:1: a NUL byte: this is not a text file",
	    "a NUL byte after JSON is rejected" },
};

static void test_cases(void)
{
	static const size_t piece[] = { 1, 2, 3, 7, 16 };

	for (size_t i = 0; i < COUNT(cases); i++) {
		char *whole = records(cases[i].json, cases[i].json.len);
		size_t differ = 0;

		tap_text(whole ? whole : "", cases[i].want, cases[i].what);
		for (size_t k = 0; k < COUNT(piece); k++) {
			char *parts = records(cases[i].json, piece[k]);

			if (strcmp(parts ? parts : "", cases[i].want) != 0)
				differ = piece[k];
			free(parts);
		}
		tap_ok(!differ, "in pieces: %s (%zu bytes differ)", cases[i].what, differ);
		free(whole);
	}
}

/* Writes 10 MB of JSON that is nested, or that has one long text. */
static void test_large(void)
{
	enum { SIZE = 10000000 };
	struct text t = { mem_zero(1, SIZE), SIZE };
	char *bytes = (char *)(uintptr_t)t.ptr, *got;

	memset(bytes, '[', SIZE);
	memcpy(bytes, "{\"a\":", 5);
	got = records(t, 1 << 16);
	tap_text(got, "f:1: more than 2048 nested arrays and objects",
	    "nested arrays are rejected at a fixed depth");
	free(got);
	memset(bytes + 6, 'x', SIZE - 8);
	bytes[5] = '"';
	memcpy(bytes + SIZE - 2, "\"}", 2);
	got = records(t, 1 << 16);
	tap_ok(got && strlen(got) > SIZE - 10 && strncmp(got, "T1 ta\nR1 tx", 11) == 0,
	    "a text of 10 MB is read");
	free(got);
	free(bytes);
}

int main(void)
{
	test_cases();
	test_large();
	return tap_end();
}
