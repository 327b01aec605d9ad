/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asking git; see git_commit.h. Programs that git would execute for a repository:
 *
 *   core.fsmonitor         switched off on the command line
 *   hooks                  core.hooksPath names no directory; post-index-change is not due
 *                          either, because GIT_OPTIONAL_LOCKS=0 leaves the index as it is
 *   filter.NAME.clean,     as the user's and the system's configuration have them, or else
 *   filter.NAME.process    empty, which is none
 *   the same in submodules git is kept from looking into them; each is asked by itself
 *   core.sshCommand, ext:: where objects are missing (a partial clone): no protocol is
 *                          allowed
 */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "record/git_commit.h"
#include "sys/process_run.h"
#include "text/units.h"

enum { LIMIT_S = 10, DEPTH_MAX = 8 };

/* Questions to git about one working directory and its submodules. */
struct git {
	int64_t deadline_ns;
	bool late;
};

/* Settings that override those of the repository, as GIT_CONFIG_KEY_n and _VALUE_n. */
struct git_settings {
	struct git_setting {
		char *key, *value;
	} * item;
	size_t count, cap;
};

static void settings_put(struct git_settings *s, const char *key, const char *value)
{
	size_t i = 0;

	while (i < s->count && strcmp(s->item[i].key, key) != 0)
		i++;
	if (i == s->count)
		*VEC_ADD(s->item, s->count, s->cap) =
		    (struct git_setting){ str_copy(key), NULL };
	free(s->item[i].value);
	s->item[i].value = str_copy(value);
}

static void settings_free(struct git_settings *s)
{
	for (size_t i = 0; i < s->count; i++) {
		free(s->item[i].key);
		free(s->item[i].value);
	}
	free(s->item);
}

/* Returns the settings as variables of the environment, after those that the user has set
 * in this way. NULL-terminated, allocated. */
static char **settings_env(const struct git_settings *s)
{
	const char *before = getenv("GIT_CONFIG_COUNT");
	uint64_t first = 0;
	struct fault ignored;
	char **set = NULL;
	size_t count = 0, cap = 0;

	if (before && units_count(before, &first, &ignored) < 0)
		first = 0;
	*VEC_ADD(set, count, cap) = str_copy("GIT_OPTIONAL_LOCKS=0");
	*VEC_ADD(set, count, cap) = str_copy("GIT_ALLOW_PROTOCOL=none");
	*VEC_ADD(set, count, cap) = str_copy("GIT_NO_LAZY_FETCH=1");
	*VEC_ADD(set, count, cap) =
	    str_format("GIT_CONFIG_COUNT=%" PRIu64, first + s->count);
	for (size_t i = 0; i < s->count; i++) {
		uint64_t n = first + i;

		*VEC_ADD(set, count, cap) =
		    str_format("GIT_CONFIG_KEY_%" PRIu64 "=%s", n, s->item[i].key);
		*VEC_ADD(set, count, cap) =
		    str_format("GIT_CONFIG_VALUE_%" PRIu64 "=%s", n, s->item[i].value);
	}
	*VEC_ADD(set, count, cap) = NULL;
	return set;
}

/*
 * Runs git in a directory with these arguments and settings, and appends its output.
 * Returns its exit status, or -1.
 */
static int git_run(struct git *g, const char *dir, const struct git_settings *settings,
    const char *const *args, struct buf *out)
{
	static const char *const first[] = { "git", "-C", NULL, "-c",
		"core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
		"diff.ignoreSubmodules=dirty" };
	double left_ns = (double)(g->deadline_ns - clock_monotonic_ns());
	char **set = settings_env(settings), **env = process_env(set), **argv = NULL;
	struct buf err = { 0 };
	struct fault ignored;
	size_t count = 0, cap = 0;
	int status;

	for (size_t i = 0; i < COUNT(first); i++)
		*VEC_ADD(argv, count, cap) = (char *)(uintptr_t)(first[i] ? first[i] : dir);
	for (; *args; args++)
		*VEC_ADD(argv, count, cap) = (char *)(uintptr_t)*args;
	*VEC_ADD(argv, count, cap) = NULL;
	errno = 0;
	status = process_run_limited(argv, env, left_ns, out, &err, &ignored);
	g->late = g->late || (status < 0 && errno == ETIMEDOUT);
	for (size_t i = 0; set[i]; i++)
		free(set[i]);
	free(set);
	free(env);
	free(argv);
	buf_free(&err);
	return status;
}

/* Removes and returns the next text, which ends with a NUL. NULL at the end. */
static char *next_item(struct buf *b, size_t *at)
{
	char *item = b->ptr ? b->ptr + *at : NULL;

	if (!item || *at >= b->len)
		return NULL;
	*at += strlen(item) + 1;
	return item;
}

/* Returns whether the key belongs to a filter, and sets the value that disables it. */
static bool is_filter(const char *key, const char **none)
{
	const char *last = strrchr(key, '.');

	*none = last && strcmp(last, ".required") == 0 ? "false" : "";
	return last && strncmp(key, "filter.", 7) == 0;
}

/*
 * Sets every filter that the repository defines to its value outside the repository. Each
 * item of the list is a scope, then a key, a newline and a value. Returns 0 or -1.
 */
static int read_filters(struct git *g, const char *dir, struct git_settings *settings)
{
	static const char *const args[] = { "config", "--list", "--null", "--show-scope",
		"--includes", NULL };
	struct git_settings none = { 0 };
	struct buf list = { 0 };
	int status = git_run(g, dir, &none, args, &list);
	char *scope, *key;

	for (int own = 1; own >= 0 && status == 0; own--)
		for (size_t at = 0;
		     (scope = next_item(&list, &at)) && (key = next_item(&list, &at));) {
			bool local =
			    strcmp(scope, "local") == 0 || strcmp(scope, "worktree") == 0;
			size_t len = strcspn(key, "\n");
			char *name = mem_text(key, len);
			const char *value = key[len] ? key + len + 1 : "true", *empty;

			if (is_filter(name, &empty) && local == (own == 1))
				settings_put(settings, name, local ? empty : value);
			free(name);
		}
	buf_free(&list);
	return status == 0 ? 0 : -1;
}

static bool is_below(const char *path)
{
	for (const char *p = path; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || !p[2]))
			return false;
	}
	return *path && *path != '/';
}

static bool exists_in(const char *dir, const char *name)
{
	char *path = str_format("%s/%s", dir, name);
	bool exists = access(path, F_OK) == 0;

	free(path);
	return exists;
}

/*
 * Finds out which commit a directory has checked out, and whether files differ from it.
 * Returns 0; or -1, as in a repository without commits.
 */
static int read_status(struct git *g, const char *dir, char **commit, bool *changed)
{
	static const char *const args[] = { "status", "--porcelain=v2", "--branch",
		"--no-ahead-behind", "--no-renames", "--untracked-files=no",
		"--ignore-submodules=dirty", NULL };
	static const char head[] = "# branch.oid ";
	struct git_settings settings = { 0 };
	struct buf out = { 0 };
	int status = read_filters(g, dir, &settings);

	*commit = NULL;
	*changed = false;
	if (status == 0)
		status = git_run(g, dir, &settings, args, &out);
	for (struct text rest = { out.ptr, out.len }; status == 0 && rest.len;) {
		struct text line = text_next_line(&rest);
		size_t len = strlen(head);

		if (line.len > len && memcmp(line.ptr, head, len) == 0 && !*commit)
			*commit = mem_text(line.ptr + len, line.len - len);
		*changed = *changed || (line.len && *line.ptr != '#');
	}
	settings_free(&settings);
	buf_free(&out);
	if (status == 0 && *commit && **commit != '(')
		return 0;
	free(*commit);
	*commit = NULL;
	return -1;
}

/* Returns whether files of submodules differ from what each has checked out. */
static bool submodules_changed(struct git *g, const char *top, int depth)
{
	static const char *const args[] = { "config", "--null", "--file", ".gitmodules",
		"--get-regexp", "^submodule\\..*\\.path$", NULL };
	struct git_settings none = { 0 };
	struct buf list = { 0 };
	bool changed = false;
	char *item, *commit;

	if (depth >= DEPTH_MAX || !exists_in(top, ".gitmodules"))
		return false;
	git_run(g, top, &none, args, &list);
	for (size_t at = 0; !changed && (item = next_item(&list, &at));) {
		const char *path = strchr(item, '\n');
		char *dir = str_format("%s/%s", top, path ? path + 1 : "");

		if (path && is_below(path + 1) && exists_in(dir, ".git")) {
			read_status(g, dir, &commit, &changed);
			free(commit);
			changed = changed || submodules_changed(g, dir, depth + 1);
		}
		free(dir);
	}
	buf_free(&list);
	return changed;
}

/* Returns the directory whose .git git would find from here, without starting git; NULL if
 * there is none. Allocated. */
static char *find_top(void)
{
	char dir[PATH_MAX];

	if (!getcwd(dir, sizeof(dir)))
		return NULL;
	for (char *end = dir + strlen(dir); end; end = strrchr(dir, '/')) {
		*end = '\0';
		if (exists_in(dir, ".git"))
			return str_copy(*dir ? dir : "/");
	}
	return NULL;
}

char *git_commit(struct buf *notes)
{
	struct git g = { .deadline_ns =
		             clock_monotonic_ns() + LIMIT_S * INT64_C(1000000000) };
	bool told = getenv("GIT_DIR"), changed = false;
	char *top = told ? NULL : find_top(), *commit = NULL, *text;

	if ((told || top) && read_status(&g, ".", &commit, &changed) == 0 && top)
		changed = changed || submodules_changed(&g, top, 0);
	if (g.late)
		buf_printf(notes,
		    "git did not report the commit within %d s: the column commit is empty "
		    "(set it with --commit TEXT)\n",
		    LIMIT_S);
	text = str_format("%s%s", commit && !g.late ? commit : "",
	    commit && !g.late && changed ? "-dirty" : "");
	free(commit);
	free(top);
	return text;
}
