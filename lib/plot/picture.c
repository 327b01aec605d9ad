/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures where they belong; see picture.h.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plot/picture.h"
#include "text/markup.h"

void picture_page(struct buf *svg, const char *title, bool dark)
{
	const char *element = svg->ptr ? strstr(svg->ptr, "<svg") : NULL;
	struct buf page = { 0 };

	buf_str(&page,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>");
	markup_text(&page, text_of(title));
	buf_printf(&page,
	    "</title>\n<style>body { margin: 1em; background: %s } svg { max-width: 100%%; "
	    "height: auto }</style>\n<body>\n%s</body>\n</html>\n",
	    dark ? "#16191d" : "#ffffff", element ? element : "");
	buf_free(svg);
	*svg = page;
}

static int replace_file(const char *path, struct text content, mode_t mode, struct fault *f)
{
	char *temporary = str_format("%s.XXXXXX", path);
	int fd = mkostemp(temporary, O_CLOEXEC), status = 0;

	if (fd < 0) {
		status = fault_errno(f, "%s", path);
		free(temporary);
		return status;
	}
	if (file_write_all(fd, content) < 0 || fchmod(fd, mode) < 0)
		status = fault_errno(f, "%s", path);
	if (close(fd) < 0 && status == 0)
		status = fault_errno(f, "%s", path);
	if (status == 0 && rename(temporary, path) < 0)
		status = fault_errno(f, "%s", path);
	if (status < 0)
		unlink(temporary);
	free(temporary);
	return status;
}

static int write_into(const char *path, struct text content, struct fault *f)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY), status = 0;

	if (fd < 0)
		return fault_errno(f, "%s", path);
	if (file_write_all(fd, content) < 0)
		status = fault_errno(f, "%s", path);
	if (close(fd) < 0 && status == 0)
		status = fault_errno(f, "%s", path);
	return status;
}

int picture_write(const char *path, struct text content, struct fault *f)
{
	struct stat st;
	mode_t mask = umask(0), mode = 0666 & ~mask;
	char *real;
	int status;

	umask(mask);
	if (stat(path, &st) == 0) {
		if (!S_ISREG(st.st_mode))
			return write_into(path, content, f);
		if (access(path, W_OK) < 0)
			return fault_errno(f, "%s", path);
		mode = st.st_mode & 0777;
	}
	real = realpath(path, NULL);
	status = replace_file(real ? real : path, content, mode, f);
	free(real);
	return status;
}
