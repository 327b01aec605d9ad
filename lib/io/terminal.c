/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Terminals; see terminal.h.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "io/terminal.h"
#include "text/units.h"

enum { COLUMNS_USUAL = 80, LINES_USUAL = 24, SIZE_MOST = 65535 };

/* Returns the number that an environment variable contains, or a default. */
static unsigned size_of_variable(const char *name, unsigned otherwise)
{
	const char *value = getenv(name);
	int64_t size;

	if (!value || !integer_parse(text_of(value), &size) || size < 1 || size > SIZE_MOST)
		return otherwise;
	return (unsigned)size;
}

struct terminal_size terminal_size(int fd)
{
	struct winsize reported = { 0 };

	if (!isatty(fd))
		return (struct terminal_size){ COLUMNS_USUAL, LINES_USUAL };
	if (ioctl(fd, TIOCGWINSZ, &reported) < 0)
		reported = (struct winsize){ 0 };
	return (struct terminal_size){
		reported.ws_col ? reported.ws_col
		                : size_of_variable("COLUMNS", COLUMNS_USUAL),
		reported.ws_row ? reported.ws_row : size_of_variable("LINES", LINES_USUAL),
	};
}

unsigned terminal_columns_wanted(void)
{
	return size_of_variable("COLUMNS", 0);
}

unsigned terminal_width(int fd)
{
	return isatty(fd) ? terminal_size(fd).columns : 0;
}

bool terminal_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !*term || strcmp(term, "dumb") == 0;
}

bool terminal_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8;

	if (!locale)
		return false;
	utf8 = strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
	freelocale(locale);
	return utf8;
}

bool terminal_color(FILE *out)
{
	const char *no = getenv("NO_COLOR");

	return isatty(fileno(out)) && !(no && *no) && !terminal_dumb();
}
