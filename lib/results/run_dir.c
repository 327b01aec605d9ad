/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory of a run; see run_dir.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "io/render.h"
#include "results/run_dir.h"
#include "text/stamp.h"

struct run_dir {
	char *path;
};

/*
 * Creates a directory whose name is the time in milliseconds, without colons, which some
 * file systems and upload services reject. If the directory exists, a later millisecond is
 * used.
 */
static int make_stamped(struct run_dir *d, const char *dir, int64_t begun_ns)
{
	enum { TRIES = 1000 };
	char stamp[STAMP_MAX], *kept;

	for (int i = 0; i < TRIES; i++) {
		kept = stamp;
		stamp_print(stamp, begun_ns + i * INT64_C(1000000), 3);
		for (const char *p = stamp; *p; p++)
			if (*p != '-' && *p != ':')
				*kept++ = *p;
		*kept = '\0';
		free(d->path);
		d->path = str_format("%s/%s", dir, stamp);
		if (mkdir(d->path, 0777) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return -1;
}

struct run_dir *run_dir_open(const char *dir, int64_t begun_ns, struct fault *f)
{
	struct run_dir *d;

	if (!*dir) {
		fault_set(f, "the name of the directory of results is empty");
		return NULL;
	}
	d = mem_zero(1, sizeof(*d));
	d->path = str_copy(dir);
	if ((mkdir(dir, 0777) < 0 && errno != EEXIST) ||
	    make_stamped(d, dir, begun_ns) < 0) {
		fault_errno(f, "%s", d->path);
		run_dir_close(d);
		return NULL;
	}
	return d;
}

const char *run_dir_path(const struct run_dir *d)
{
	return d->path;
}

FILE *run_dir_create(const struct run_dir *d, const char *name, struct fault *f)
{
	char *path = str_format("%s/%s", d->path, name);
	FILE *out = fopen(path, "wxe");

	if (!out)
		fault_errno(f, "%s", path);
	free(path);
	return out;
}

int run_dir_finish(FILE *out, int status, const char *what, struct fault *f)
{
	int error = errno;

	if (fclose(out) != 0 && status == 0) {
		error = errno;
		status = -1;
	}
	errno = error;
	return status < 0 ? fault_errno(f, "%s", what) : 0;
}

int run_dir_end(
    const struct run_dir *d, FILE *out, int status, const char *name, struct fault *f)
{
	char *path = str_format("%s/%s", d->path, name);

	status = run_dir_finish(out, status, path, f);
	free(path);
	return status;
}

int run_dir_env(
    const struct run_dir *d, const struct host *host, const char *env, struct fault *f)
{
	static const struct render_column columns[] = { { .name = "env" },
		{ .name = "fact" }, { .name = "value" } };
	FILE *out = run_dir_create(d, "env.csv", f);
	struct render *r;

	if (!out)
		return -1;
	r = render_open(&OUTPUT_OF(out, RENDER_CSV), columns, COUNT(columns));
	for (size_t i = 0; i < host->count; i++)
		render_row(r, (struct cell[]){ CELL_OF_TEXT(text_of(env)),
		                  CELL_OF_TEXT(text_of(host->fact[i].name)),
		                  CELL_OF_TEXT(text_of(host->fact[i].value)) });
	return run_dir_end(d, out, render_close(r), "env.csv", f);
}

void run_dir_close(struct run_dir *d)
{
	if (!d)
		return;
	free(d->path);
	free(d);
}
