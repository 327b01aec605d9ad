/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Strings about a PostgreSQL database that are safe to print: its URL without passwords,
 * and messages of libpq and the server as one line. Pure.
 */
#include <string.h>

#include "db/pq.h"
#include "text/display_text.h"

/*
 * Returns whether the name of the parameter at p ends in "password", or may end so after
 * decoding.
 */
static bool is_secret(const char *p)
{
	static const char secret[] = "password";
	size_t len = strcspn(p, "=&");

	if (memchr(p, '%', len))
		return true;
	return len >= sizeof(secret) - 1 &&
	       strncmp(p + len - (sizeof(secret) - 1), secret, sizeof(secret) - 1) == 0;
}

char *pq_name(const char *url)
{
	const char *start = strstr(url, "://"), *host, *at, *colon, *query;
	struct buf b = { 0 };

	start = start ? start + 3 : url;
	host = start + strcspn(start, "/?");
	query = strchr(start, '?');
	/* An unescaped @ also belongs to the password. */
	at = memrchr(start, '@', query ? (size_t)(query - start) : strlen(start));
	colon = memchr(start, ':', at ? (size_t)(at - start) : 0);
	if (colon) {
		buf_put(&b, url, (size_t)(colon - url));
		host = at;
	} else {
		buf_put(&b, url, (size_t)(host - url));
	}
	buf_put(&b, host, query ? (size_t)(query - host) : strlen(host));
	for (const char *p = query; p && *p;) {
		size_t len = 1 + strcspn(p + 1, "&");

		if (!is_secret(p + 1)) {
			buf_byte(&b, *p);
			buf_put(&b, p + 1, len - 1);
		}
		p += len;
	}
	return b.ptr;
}

void pq_set_message(const char *name, const char *text, struct fault *f)
{
	struct buf line = { 0 }, clean = { 0 };
	size_t len = strlen(text);

	while (len && text[len - 1] == '\n')
		len--;
	for (size_t i = 0; i < len; i++)
		if (text[i] == '\n')
			buf_str(&line, "; ");
		else if (text[i] != '\t')
			buf_byte(&line, text[i]);
	display_text_clean(&clean, text_in(&line));
	fault_set(f, "%.300s: %.700s", name, clean.ptr ? clean.ptr : "no answer");
	buf_free(&clean);
	buf_free(&line);
}
