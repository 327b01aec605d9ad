/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pages of HTML; see html.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/html.h"
#include "report/html_priv.h"
#include "text/markup.h"

/* Characters of a URI, RFC 3986; unreserved ones need no escape anywhere. */
#define UNRESERVED "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
#define URL_CHARACTERS UNRESERVED ":/?#[]@!$&'()*+,;=%"
enum { COMMIT_DIGITS = 9 };

void html_begin(struct buf *b, const char *title, const char *theme, struct text style)
{
	buf_printf(b, "<!DOCTYPE html>\n<html lang=\"en\"%s%s%s>\n",
	    theme ? " data-theme=\"" : "", theme ? theme : "", theme ? "\"" : "");
	buf_str(b,
	    "<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	    /* The browser loads and sends nothing, and runs nothing in attributes,
	     * regardless of the strings. */
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	    "style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
	    "script-src-attr 'none'; img-src data:; "
	    "base-uri 'none'; form-action 'none'\">\n"
	    "<link rel=\"icon\" href=\"data:,\">\n<title>");
	markup_text(b, text_of(title));
	buf_str(b, "</title>\n<style>\n");
	buf_text(b, style);
	buf_str(b, "</style>\n</head>\n<body>\n");
}

void html_end(struct buf *b, struct text script)
{
	buf_str(b, "<script>\n");
	buf_text(b, script);
	buf_str(b, "</script>\n</body>\n</html>\n");
}

void html_section(struct buf *b, const char *id, const char *title)
{
	buf_printf(b, "<section id=\"%s\">\n<h2>", id);
	markup_text(b, text_of(title));
	buf_str(b, "</h2>\n");
}

void html_section_end(struct buf *b)
{
	buf_str(b, "</section>\n");
}

void html_paragraph(struct buf *b, const char *text, bool faint)
{
	buf_printf(b, "<p%s>", faint ? " class=\"faint\"" : "");
	markup_text(b, text_of(text));
	buf_str(b, "</p>\n");
}

void html_fold(struct buf *b, const char *summary)
{
	buf_str(b, "<details><summary>");
	markup_text(b, text_of(summary));
	buf_str(b, "</summary>\n");
}

void html_fold_end(struct buf *b)
{
	buf_str(b, "</details>\n");
}

bool html_repo_url_valid(const char *url)
{
	static const char *const schemes[] = { "https://", "http://" };

	for (size_t i = 0; i < COUNT(schemes); i++) {
		size_t n = strlen(schemes[i]);

		if (strncmp(url, schemes[i], n) == 0)
			return url[n] && !strchr("/?#", url[n]) &&
			       strspn(url, URL_CHARACTERS) == strlen(url);
	}
	return false;
}

/* Appends a commit as part of an address. The mark of a modified tree names no commit. */
static void put_in_address(struct buf *b, struct text commit)
{
	static const char dirty[] = "-dirty";
	size_t n = sizeof(dirty) - 1;

	if (commit.len > n && memcmp(commit.ptr + commit.len - n, dirty, n) == 0)
		commit.len -= n;
	for (size_t i = 0; i < commit.len; i++) {
		unsigned char c = (unsigned char)commit.ptr[i];

		if (c && strchr(UNRESERVED, c))
			buf_byte(b, (char)c);
		else
			buf_printf(b, "%%%02X", c);
	}
}

static void put_address(struct buf *b, struct text commit, const char *repo_url)
{
	const char *at = strstr(repo_url, "%s");

	markup_text(
	    b, (struct text){ repo_url, at ? (size_t)(at - repo_url) : strlen(repo_url) });
	put_in_address(b, commit);
	if (at)
		markup_text(b, text_of(at + 2));
}

/* Returns the number of hexadecimal digits at the beginning of a commit. */
static size_t hash_length(struct text commit)
{
	size_t n = 0;

	while (n < commit.len && commit.ptr[n] && strchr("0123456789abcdef", commit.ptr[n]))
		n++;
	return n;
}

void html_commit_name(struct buf *b, struct text commit)
{
	size_t digits = hash_length(commit);

	if (digits >= 2 * COMMIT_DIGITS) {
		buf_put(b, commit.ptr, COMMIT_DIGITS);
		commit = text_after(commit, digits);
	}
	markup_text(b, commit);
}

void html_commit(struct buf *b, struct text commit, const char *repo_url)
{
	bool cut = hash_length(commit) >= 2 * COMMIT_DIGITS;

	if (repo_url && commit.len) {
		buf_str(b, "<a class=\"commit\" rel=\"noreferrer\" href=\"");
		put_address(b, commit, repo_url);
		buf_str(b, cut ? "\" title=\"" : "\">");
	} else if (cut) {
		buf_str(b, "<span class=\"commit\" title=\"");
	}
	if (cut) {
		markup_text(b, commit);
		buf_str(b, "\">");
	}
	html_commit_name(b, commit);
	if (repo_url && (cut || commit.len))
		buf_str(b, "</a>");
	else if (cut)
		buf_str(b, "</span>");
}

/* Appends a plot for pages of a class. Returns its numbers or NULL. */
static struct html_numbers *put_plot(
    struct buf *b, const char *class, struct text svg, char letter, unsigned number)
{
	struct html_numbers *n = html_numbers_open(svg);
	char prefix[32];

	snprintf(prefix, sizeof(prefix), "%c%u-", letter, number);
	buf_printf(b, "<div class=\"%s\"", class);
	html_numbers_places(b, n);
	buf_byte(b, '>');
	html_svg(b, svg, prefix);
	buf_str(b, "</div>\n");
	return n;
}

void html_figure(struct buf *b, struct text svg, struct text narrow, unsigned number,
    const char *caption, bool wide)
{
	struct html_numbers *n;

	buf_printf(b, "<figure%s>\n", wide ? " class=\"wide\"" : "");
	n = put_plot(b, narrow.len ? "broad" : "any", svg, 'f', number);
	if (narrow.len)
		html_numbers_close(put_plot(b, "narrow", narrow, 'n', number));
	buf_str(b, "<figcaption>");
	markup_text(b, text_of(caption));
	buf_str(b, "</figcaption>\n");
	html_numbers_table(b, n);
	buf_str(b, "</figure>\n");
	html_numbers_close(n);
}

static void put_base64(struct buf *b, struct text t)
{
	static const char digit[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const unsigned char *p = (const unsigned char *)t.ptr;

	buf_room(b, t.len / 3 * 4 + 4);
	for (size_t i = 0; i < t.len; i += 3) {
		size_t left = t.len - i;
		unsigned bits = (unsigned)p[i] << 16 |
		                (left > 1 ? (unsigned)p[i + 1] << 8 : 0) |
		                (left > 2 ? p[i + 2] : 0u);
		char four[4] = { digit[bits >> 18], digit[bits >> 12 & 63],
			left > 1 ? digit[bits >> 6 & 63] : '=',
			left > 2 ? digit[bits & 63] : '=' };

		buf_put(b, four, sizeof(four));
	}
}

void html_download(struct buf *b, const char *name, const char *type, struct text content,
    const char *text)
{
	buf_printf(b, "<a download=\"%s\" href=\"data:%s;base64,", name, type);
	put_base64(b, content);
	buf_str(b, "\">");
	markup_text(b, text_of(text));
	buf_str(b, "</a>\n");
}
