/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes strings that identify a machine or a user; see anonymize_priv.h. */
#include <ctype.h>
#include <string.h>

#include "record/anonymize_priv.h"

enum { LEAST = 2, ANYWHERE = 5, MOST = 200 };

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 0x80;
}

static void put_lower(struct buf *b, struct text t)
{
	for (size_t i = 0; i < t.len; i++)
		buf_byte(b, (char)tolower((unsigned char)t.ptr[i]));
}

void private_names_add(struct private_names *p, struct text name)
{
	static const char *const common[] = { "root", "localhost", "home", "user",
		"nobody" };
	struct buf lower = { 0 };
	struct text t;

	if (name.len < LEAST || name.len > MOST)
		return;
	put_lower(&lower, name);
	t = text_in(&lower);
	for (size_t i = 0; i < COUNT(common); i++)
		if (text_is(t, common[i]))
			t.len = 0;
	if (t.len)
		intern_add(&p->names, t);
	buf_free(&lower);
}

void private_names_add_host(struct private_names *p, struct text name)
{
	const char *dot = name.len ? memchr(name.ptr, '.', name.len) : NULL;

	private_names_add(p, name);
	if (!dot)
		return;
	size_t label = (size_t)(dot - name.ptr);

	private_names_add(p, (struct text){ name.ptr, label });
	private_names_add(p, (struct text){ dot + 1, name.len - label - 1 });
}

static bool is_name(char c)
{
	return is_word(c) || c == '.' || c == '_' || c == '-';
}

/* Adds the users and hosts of strings such as "user@host". */
static void add_around_at(struct private_names *p, struct text t)
{
	for (size_t i = 1; i + 1 < t.len; i++) {
		size_t from = i, end = i + 1;

		if (t.ptr[i] != '@' || !is_word(t.ptr[i + 1]))
			continue;
		while (from && is_name(t.ptr[from - 1]))
			from--;
		while (end < t.len && is_name(t.ptr[end]))
			end++;
		if (from == i)
			continue;
		private_names_add(p, (struct text){ t.ptr + from, i - from });
		private_names_add_host(p, (struct text){ t.ptr + i + 1, end - i - 1 });
	}
}

void private_names_add_users(struct private_names *p, struct text t)
{
	static const char *const homes[] = { "/home/", "/Users/" };

	for (size_t i = 0; i < COUNT(homes); i++) {
		size_t len = strlen(homes[i]);
		const char *at = t.ptr;

		for (size_t left = t.len; left && (at = memmem(at, left, homes[i], len));) {
			const char *end = at += len;

			while (end < t.ptr + t.len && is_name(*end))
				end++;
			private_names_add(p, (struct text){ at, (size_t)(end - at) });
			left = (size_t)(t.ptr + t.len - at);
		}
	}
	add_around_at(p, t);
}

static bool name_is_in(struct text lower, struct text name)
{
	const char *end = lower.ptr + lower.len, *at = lower.ptr;

	while ((at = memmem(at, (size_t)(end - at), name.ptr, name.len))) {
		const char *after = at + name.len;

		if (name.len >= ANYWHERE || ((at == lower.ptr || !is_word(at[-1])) &&
		                                (after == end || !is_word(*after))))
			return true;
		at++;
	}
	return false;
}

bool private_names_in(const struct private_names *p, struct text t)
{
	struct buf lower = { 0 };
	bool found = false;

	if (!t.len)
		return false;
	put_lower(&lower, t);
	for (size_t i = 0; i < p->names.count && !found; i++)
		found = name_is_in(
		    text_in(&lower), intern_text(&p->names, i));
	buf_free(&lower);
	return found;
}

void private_names_free(struct private_names *p)
{
	intern_free(&p->names);
}

bool private_is_plain(struct text t, const char *extra)
{
	for (size_t i = 0; i < t.len; i++)
		if (!isalnum((unsigned char)t.ptr[i]) &&
		    (!t.ptr[i] || !strchr(extra, t.ptr[i])))
			return false;
	return true;
}

/* Returns the number of groups of hexadecimal (or decimal) digits at the start of a string,
 * of least to most digits each, which this separator divides. */
static size_t groups(
    const char *at, const char *end, char separator, bool hex, size_t least, size_t most)
{
	size_t count = 0;

	while (at < end) {
		size_t digits = 0;

		while (at < end &&
		       (hex ? isxdigit((unsigned char)*at) : isdigit((unsigned char)*at)))
			at++, digits++;
		if (digits > most || digits < least)
			break;
		count += digits > 0;
		if (at == end || *at++ != separator)
			break;
	}
	return count;
}

/* Returns whether a string begins with an address of IPv6 that leaves out zeros, such as
 * fe80::1, but not with a name of C++. */
static bool is_short_ipv6(const char *at, const char *end)
{
	const char *p = at;
	bool gap = false, digit = false;

	while (p < end && (isxdigit((unsigned char)*p) || *p == ':')) {
		gap = gap || (*p == ':' && p + 1 < end && p[1] == ':');
		digit = digit || isdigit((unsigned char)*p);
		p++;
	}
	return gap && digit && (p == end || !is_word(*p));
}

bool private_has_address(struct text t)
{
	static const char amazon[] = "ip-"; /* as in ip-10-0-0-1 */
	const char *end = t.ptr + t.len;

	for (const char *at = t.ptr; at < end; at++) {
		bool first = at == t.ptr || !is_word(at[-1]);

		/* Letters may precede it, as in v10.0.0.1. */
		if ((first || !isdigit((unsigned char)at[-1])) &&
		    groups(at, end, '.', false, 1, 3) >= 4)
			return true;
		if (first &&
		    (groups(at, end, ':', true, 0, 4) >= 4 || is_short_ipv6(at, end) ||
		        groups(at, end, '-', true, 1, 12) >= 5 ||
		        groups(at, end, '.', true, 4, 4) >= 3))
			return true;
		if ((size_t)(end - at) > strlen(amazon) &&
		    memcmp(at, amazon, strlen(amazon)) == 0 &&
		    groups(at + strlen(amazon), end, '-', false, 1, 3) >= 4)
			return true;
	}
	return false;
}
