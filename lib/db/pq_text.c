/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Converts strings for PostgreSQL; see pq_text.h.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "db/pq_text.h"
#include "text/utf8.h"

/* U+10FE00 .. U+10FEFF: f4 8f b8 80 .. f4 8f bb bf */
static void put_private(struct buf *out, unsigned char byte)
{
	const unsigned char c[] = { 0xf4, 0x8f, (unsigned char)(0xb8 | byte >> 6),
		(unsigned char)(0x80 | (byte & 0x3f)) };

	buf_put(out, c, sizeof(c));
}

static bool is_private(const unsigned char *c, size_t left)
{
	return left >= 4 && c[0] == 0xf4 && c[1] == 0x8f && (c[2] & 0xfc) == 0xb8 &&
	       (c[3] & 0xc0) == 0x80;
}

void pq_text_encode(struct buf *out, struct text t)
{
	const unsigned char *c = (const unsigned char *)t.ptr;
	size_t at = 0, plain = 0;

	buf_room(out, t.len);
	while (at < t.len) {
		size_t len = utf8_length(t.ptr + at, t.len - at);
		bool private = is_private(c + at, t.len - at);

		if (len && t.ptr[at] && !private) {
			at += len;
			continue;
		}
		buf_put(out, t.ptr + plain, at - plain);
		for (size_t n = private ? 4 : 1; n > 0; n--)
			put_private(out, c[at++]);
		plain = at;
	}
	buf_put(out, t.ptr + plain, at - plain);
}

bool pq_text_encoded(struct text t)
{
	return t.len && memchr(t.ptr, 0xf4, t.len);
}

void pq_text_decode(struct buf *out, struct text t)
{
	const unsigned char *c = (const unsigned char *)t.ptr;

	for (size_t at = 0; at < t.len;)
		if (is_private(c + at, t.len - at)) {
			buf_byte(out, (char)(c[at + 2] << 6 | (c[at + 3] & 0x3f)));
			at += 4;
		} else {
			buf_byte(out, t.ptr[at++]);
		}
}

static unsigned digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void pq_text_bytes(struct buf *out, struct text hex)
{
	buf_room(out, hex.len / 2);
	for (size_t i = 2; i + 1 < hex.len; i += 2)
		buf_byte(out, (char)(digit(hex.ptr[i]) << 4 | digit(hex.ptr[i + 1])));
}

/* Returns the ] that ends a class, or NULL if [ is an ordinary character. */
static const char *class_end(const char *p, const char *end)
{
	p++;
	if (p < end && *p == '^')
		p++;
	if (p < end && *p == ']')
		p++;
	return p < end ? memchr(p, ']', (size_t)(end - p)) : NULL;
}

void pq_text_pattern(struct buf *out, struct text pattern)
{
	const char *p = pattern.ptr, *end = p + pattern.len, *close;

	buf_str(out, "^(?:");
	for (; p < end; p++) {
		if (*p == '*') {
			buf_str(out, ".*");
		} else if (*p == '?') {
			buf_byte(out, '.');
		} else if (*p == '[') {
			close = class_end(p, end);
			/* An unterminated class matches nothing, as in SQLite. */
			if (!close) {
				buf_str(out, "(?!)");
				break;
			}
			for (; p < close; p++) {
				if (*p == '\\')
					buf_byte(out, '\\');
				buf_byte(out, *p);
			}
			buf_byte(out, ']');
		} else {
			if (strchr("\\.+(){}|^$]", *p))
				buf_byte(out, '\\');
			buf_byte(out, *p);
		}
	}
	buf_str(out, ")$");
}

static const char *skip_comment(const char *p)
{
	size_t depth = 0;

	if (p[0] == '-' && p[1] == '-')
		return p + strcspn(p, "\n");
	do {
		if (p[0] == '/' && p[1] == '*') {
			depth++;
			p++;
		} else if (p[0] == '*' && p[1] == '/') {
			depth--;
			p++;
		}
		p += *p != '\0';
	} while (*p && depth);
	return p;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

/* Returns the position after 'text', E'te\'xt' or "name". */
static const char *skip_quoted(const char *p, bool escapes)
{
	char quote = *p++;

	while (*p && *p != quote)
		p += escapes && *p == '\\' && p[1] ? 2 : 1;
	return p + (*p != '\0');
}

/*
 * Returns the position after $tag$text$tag$, or after the dollar if it begins no such
 * text.
 */
static const char *skip_dollars(const char *p)
{
	size_t len = 1;
	const char *end;

	while (is_word(p[len]))
		len++;
	if (p[len] != '$' || isdigit((unsigned char)p[1]))
		return p + 1;
	len++;
	for (end = p + len; *end; end++)
		if (strncmp(end, p, len) == 0)
			return end + len;
	return end;
}

static bool begins_comment(const char *p)
{
	return (p[0] == '-' && p[1] == '-') || (p[0] == '/' && p[1] == '*');
}

/* Returns the position after one word, quoted text, comment or character. */
static const char *skip_part(const char *p)
{
	if (begins_comment(p))
		return skip_comment(p);
	if (*p == '\'' || *p == '"')
		return skip_quoted(p, false);
	if ((*p == 'e' || *p == 'E') && p[1] == '\'')
		return skip_quoted(p + 1, true);
	if (*p == '$')
		return skip_dollars(p);
	if (!is_word(*p))
		return p + 1;
	while (is_word(*p) || *p == '$')
		p++;
	return p;
}

static const char *skip_blank(const char *p, const char *more)
{
	while (*p)
		if (isspace((unsigned char)*p) || strchr(more, *p))
			p++;
		else if (begins_comment(p))
			p = skip_comment(p);
		else
			break;
	return p;
}

struct text pq_text_statement(const char **sql)
{
	const char *start = skip_blank(*sql, ";"), *p = start;

	while (*p && *p != ';')
		p = skip_part(p);
	*sql = p;
	return (struct text){ start, (size_t)(p - start) };
}

/*
 * The first words of statements that only read; statements for which cursors can be
 * declared come first.
 */
static const char *const reading[] = { "SELECT", "VALUES", "TABLE", "WITH", "EXPLAIN",
	"SHOW" };
enum { SELECTING = 3 };

static bool begins(struct text statement, const char *const *word, size_t words)
{
	const char *p = skip_blank(statement.ptr, "(");
	size_t len = 0;

	while (isalpha((unsigned char)p[len]))
		len++;
	for (size_t i = 0; i < words; i++)
		if (strlen(word[i]) == len && strncasecmp(p, word[i], len) == 0)
			return true;
	return false;
}

bool pq_text_reads(struct text statement)
{
	return begins(statement, reading, COUNT(reading));
}

/*
 * WITH may contain a statement that writes, whose error message is better without a
 * cursor.
 */
bool pq_text_selects(struct text statement)
{
	return begins(statement, reading, SELECTING);
}

/*
 * Replacements for PostgreSQL. The first one that matches is used, so longer strings come
 * first. An index entry has at most some 2700 bytes, and names may be longer, so indexes
 * are on hashes of names. Chunks do not need an id of their own. The two foreign keys of
 * tables to which many rows are added at a time are omitted, because a server checks each
 * row separately, which takes longer than everything else; prune removes the rows of a
 * run explicitly, and DB_CHECK finds rows without a run.
 */
static const struct {
	const char *ours, *theirs;
} words[] = {
	{ ",\n\tUNIQUE (run_id, bench, metric, factors, kind, unit)", "" },
	{ "CREATE INDEX benchmark_results_by_bench ON benchmark_results (bench, metric);",
	    "CREATE UNIQUE INDEX benchmark_results_by_subject ON benchmark_results"
	    " (run_id, (md5(quote_literal(kind) || ',' || quote_literal(bench) || ','"
	    " || quote_literal(metric) || ',' || quote_literal(unit) || ','"
	    " || factors::text)::uuid));\n"
	    "CREATE INDEX benchmark_results_by_bench ON benchmark_results"
	    " USING hash (bench);" },
	{ "raw_id INTEGER PRIMARY KEY,", "" },
	{ "INTEGER NOT NULL REFERENCES benchmark_runs ON DELETE CASCADE,\n\thost",
	    "BIGINT NOT NULL,\n\thost" },
	{ "INTEGER NOT NULL REFERENCES benchmark_results ON DELETE CASCADE",
	    "BIGINT NOT NULL" },
	{ "UNIQUE (result_id, chunk)", "PRIMARY KEY (result_id, chunk)" },
	{ "factors TEXT", "factors JSONB" },
	{ "INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY" },
	{ "INTEGER", "BIGINT" },
	{ "REAL", "DOUBLE PRECISION" },
	{ "BLOB", "BYTEA" },
	{ "TEXT", "TEXT COLLATE \"C\"" },
	{ "WITHOUT ROWID", "" },
};

void pq_text_schema(struct buf *out, struct text sql)
{
	const char *p = sql.ptr, *end = p + sql.len, *next;

	for (; p < end; p = next) {
		size_t i = 0, len = 0;

		while (i < COUNT(words) &&
		       ((len = strlen(words[i].ours)) > (size_t)(end - p) ||
		           strncmp(p, words[i].ours, len) != 0 ||
		           (is_word(*p) && p + len < end && is_word(p[len - 1]) &&
		               is_word(p[len]))))
			i++;
		if (i < COUNT(words)) {
			buf_str(out, words[i].theirs);
			next = p + len;
			continue;
		}
		next = skip_part(p);
		if (next > end)
			next = end;
		buf_put(out, p, (size_t)(next - p));
	}
}
