/*
 * gnuplot as a child; see draw.h. Script and complaints live in memory files, so that only
 * one pipe needs reading and nothing can block; the output path never reaches gnuplot.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "draw.h"
#include "render.h"

extern char **environ;

static int write_all(int fd, struct text t)
{
	while (t.len) {
		ssize_t put = write(fd, t.ptr, t.len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return -1;
		t.ptr += put;
		t.len -= (size_t)put;
	}
	return 0;
}

static int read_all(int fd, struct buf *out)
{
	ssize_t got;

	do {
		buf_room(out, 1 << 16);
		got = read(fd, out->ptr + out->len, out->cap - out->len - 1);
		if (got > 0)
			out->len += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR));
	out->ptr[out->len] = '\0';
	return got < 0 ? -1 : 0;
}

/* gnuplot's complaint is its last line; before it stands the script's line with a mark. */
static int complain(int said, int ended, struct fault *f)
{
	struct buf all = { 0 }, clean = { 0 };
	struct text last = { 0 };

	if (lseek(said, 0, SEEK_SET) == 0)
		read_all(said, &all);
	for (char *rest = all.ptr, *line; (line = strsep(&rest, "\n"));)
		if (line[strspn(line, " \t\r")])
			last = text_of(line + strspn(line, " \t\r"));
	text_clean(&clean, last);
	if (WIFSIGNALED(ended))
		fault_set(f, "gnuplot was killed by signal %d (%s)", WTERMSIG(ended),
		    strsignal(WTERMSIG(ended)));
	else
		fault_set(
		    f, "gnuplot failed: %s", clean.len ? clean.ptr : "it does not say why");
	buf_free(&all);
	buf_free(&clean);
	return -1;
}

static int start(int script, int out, int said, pid_t *pid, struct fault *f)
{
	static char name[] = "gnuplot", defaults[] = "-d";
	char *const argv[] = { name, defaults, NULL };
	posix_spawn_file_actions_t actions;
	int error;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, said, STDERR_FILENO);
	error = posix_spawnp(pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (error == ENOENT)
		return fault_set(f, "gnuplot is not installed (Debian: apt-get install "
		                    "gnuplot-nox); --script writes what it would draw");
	if (error)
		return fault_set(f, "gnuplot cannot be started: %s", strerror(error));
	return 0;
}

int draw_run(struct text script, struct buf *out, struct fault *f)
{
	int in = memfd_create("script", MFD_CLOEXEC),
	    said = memfd_create("said", MFD_CLOEXEC), pipes[2] = { -1, -1 }, status = -1,
	    ended = 0;
	pid_t pid;

	if (in < 0 || said < 0 || pipe2(pipes, O_CLOEXEC) < 0 ||
	    write_all(in, script) < 0 || lseek(in, 0, SEEK_SET) < 0) {
		fault_errno(f, "the script for gnuplot");
		goto out;
	}
	if (start(in, pipes[1], said, &pid, f) < 0)
		goto out;
	close(pipes[1]);
	pipes[1] = -1;
	status = read_all(pipes[0], out) < 0 ? fault_errno(f, "reading from gnuplot") : 0;
	while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
		;
	if (status == 0 && ended != 0)
		status = complain(said, ended, f);
	else if (status == 0 && !out->len)
		status = fault_set(f, "gnuplot drew nothing");
out:
	for (int i = 0; i < 2; i++)
		if (pipes[i] >= 0)
			close(pipes[i]);
	if (in >= 0)
		close(in);
	if (said >= 0)
		close(said);
	return status;
}

static void put_escaped(struct buf *b, const char *s)
{
	for (; *s; s++)
		switch (*s) {
		case '<':
			buf_str(b, "&lt;");
			break;
		case '>':
			buf_str(b, "&gt;");
			break;
		case '&':
			buf_str(b, "&amp;");
			break;
		default:
			buf_byte(b, *s);
		}
}

void draw_name(struct buf *svg, const char *title)
{
	static const char given[] = "<title>Gnuplot</title>";
	char *at = svg->ptr ? strstr(svg->ptr, given) : NULL, *end;
	struct buf named = { 0 };

	if (!at)
		return;
	buf_put(&named, svg->ptr, (size_t)(at - svg->ptr));
	buf_str(&named, "<title>");
	put_escaped(&named, title);
	buf_str(&named, "</title>");
	for (at += sizeof(given) - 1; (end = strstr(at, "]]>")); at = end + 3) {
		buf_put(&named, at, (size_t)(end - at));
		buf_str(&named, "]]&gt;");
	}
	buf_str(&named, at);
	buf_free(svg);
	*svg = named;
}

void draw_page(struct buf *svg, const char *title, bool dark)
{
	const char *element = svg->ptr ? strstr(svg->ptr, "<svg") : NULL;
	struct buf page = { 0 };

	buf_str(&page,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>");
	put_escaped(&page, title);
	buf_printf(&page,
	    "</title>\n<style>body { margin: 1em; background: %s } svg { max-width: 100%%; "
	    "height: auto }</style>\n<body>\n%s</body>\n</html>\n",
	    dark ? "#16191d" : "#ffffff", element ? element : "");
	buf_free(svg);
	*svg = page;
}

/* Where the line that ends at end goes on being visible; colour codes do not show. */
static size_t visible_end(const char *line, size_t len)
{
	size_t end = 0;

	for (size_t i = 0; i < len; i++) {
		if (line[i] == '\033')
			while (i + 1 < len && line[i] != 'm')
				i++;
		else if (line[i] != ' ')
			end = i + 1;
	}
	return end;
}

void draw_tidy(struct buf *text)
{
	struct buf tidy = { 0 };
	bool coloured = text->ptr && strchr(text->ptr, '\033');
	char *rest = text->ptr;

	for (char *line; (line = strsep(&rest, "\n"));) {
		size_t form_feed = strspn(line, "\f"), end;

		line += form_feed;
		end = visible_end(line, strlen(line));
		if (!end && !rest)
			break;
		buf_put(&tidy, line, end);
		buf_str(&tidy, coloured && end ? "\033[0m\n" : "\n");
	}
	buf_free(text);
	*text = tidy;
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
	if (write_all(fd, content) < 0 || fchmod(fd, mode) < 0)
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
	if (write_all(fd, content) < 0)
		status = fault_errno(f, "%s", path);
	if (close(fd) < 0 && status == 0)
		status = fault_errno(f, "%s", path);
	return status;
}

int draw_file(const char *path, struct text content, struct fault *f)
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

void draw_terminal_size(int fd, unsigned *width, unsigned *height)
{
	struct winsize size;

	*width = 80;
	*height = 24;
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col && size.ws_row) {
		*width = size.ws_col;
		*height = size.ws_row;
	}
}
