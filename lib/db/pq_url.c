/*
 * URLs of PostgreSQL databases as they may be shown. Pure.
 */
#include <string.h>

#include "db/pq.h"

/* Whether the parameter at p has a name that ends in password, or may once it is decoded.
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
	/* An @ that should have been written %40 belongs to the password, too. */
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
