/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks who controls a file; see trusted_file.h. */
#include <errno.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "sys/trusted_file.h"

enum { LINKS_MOST = 40, NAMES_BYTES = 1 << 16 };

/* A path that is being resolved: `done` has no links, `rest` remains to be walked. */
struct walk {
	struct buf done, rest;
	int links;
};

/*
 * Returns whether a group belongs to the effective user alone: it has the user's name, is
 * the user's primary group, and lists no other member. An access control list may name
 * others.
 */
static bool group_is_own(const char *path, gid_t gid)
{
	char *text = mem_zero(2, NAMES_BYTES);
	struct passwd pw, *user = NULL;
	struct group gr, *group = NULL;
	bool own = getpwuid_r(geteuid(), &pw, text, NAMES_BYTES, &user) == 0 && user &&
	           getgrgid_r(gid, &gr, text + NAMES_BYTES, NAMES_BYTES, &group) == 0 &&
	           group && pw.pw_gid == gid && strcmp(pw.pw_name, gr.gr_name) == 0;

	for (char **member = gr.gr_mem; own && *member; member++)
		own = strcmp(*member, pw.pw_name) == 0;
	free(text);
	return own && getxattr(path, "system.posix_acl_access", NULL, 0) <= 0;
}

static int check_place(const char *path, const struct stat *st, struct fault *f)
{
	const char *kind = S_ISDIR(st->st_mode) ? "directory " : "";
	bool sticky = S_ISDIR(st->st_mode) && (st->st_mode & S_ISVTX) && st->st_uid == 0;

	if (st->st_uid != 0 && st->st_uid != geteuid())
		return fault_set(f,
		    "%s%s belongs to user %u, not to you (user %u) or root: install the "
		    "plug-in in a directory of your own, or run as that user",
		    kind, path, (unsigned)st->st_uid, (unsigned)geteuid());
	/* The mode of a link has no meaning. */
	if (sticky || S_ISLNK(st->st_mode))
		return 0;
	if (st->st_mode & S_IWOTH)
		return fault_set(
		    f, "everybody can write to %s%s: chmod o-w %s", kind, path, path);
	if ((st->st_mode & S_IWGRP) && !group_is_own(path, st->st_gid))
		return fault_set(f, "group %u can write to %s%s: chmod g-w %s",
		    (unsigned)st->st_gid, kind, path, path);
	return 0;
}

static void cut_path(struct buf *b, size_t len)
{
	b->len = len;
	if (b->ptr)
		b->ptr[len] = '\0';
}

/* Inserts the target of a link before the rest of the path. */
static int follow_link(struct walk *w, size_t parent_len, struct fault *f)
{
	char target[PATH_MAX];
	ssize_t len = readlink(w->done.ptr, target, sizeof(target));
	struct buf rest = { 0 };

	if (len <= 0 || (size_t)len == sizeof(target) || ++w->links > LINKS_MOST)
		return fault_set(f, "%s: a link that cannot be followed", w->done.ptr);
	buf_put(&rest, target, (size_t)len);
	buf_byte(&rest, '/');
	buf_put(&rest, w->rest.ptr, w->rest.len);
	buf_free(&w->rest);
	w->rest = rest;
	cut_path(&w->done, *target == '/' ? 0 : parent_len);
	return 0;
}

/* Removes the next name from the rest. */
static struct text next_name(struct walk *w, struct buf *name)
{
	size_t from = 0, to;

	while (from < w->rest.len && w->rest.ptr[from] == '/')
		from++;
	for (to = from; to < w->rest.len && w->rest.ptr[to] != '/';)
		to++;
	name->len = 0;
	buf_put(name, w->rest.ptr + from, to - from);
	memmove(w->rest.ptr, w->rest.ptr + to, w->rest.len - to);
	w->rest.len -= to;
	return text_in(name);
}

static int step_to(struct walk *w, struct text name, struct fault *f)
{
	size_t parent_len = w->done.len;
	struct stat st;

	if (text_is(name, ".."))
		cut_path(&w->done,
		    parent_len ? (size_t)(strrchr(w->done.ptr, '/') - w->done.ptr) : 0);
	if (text_is(name, ".") || text_is(name, ".."))
		return 0;
	buf_printf(&w->done, "/%.*s", (int)name.len, name.ptr);
	if (lstat(w->done.ptr, &st) < 0)
		return fault_errno(f, "%s", w->done.ptr);
	if (check_place(w->done.ptr, &st, f) < 0)
		return -1;
	if (S_ISLNK(st.st_mode))
		return follow_link(w, parent_len, f);
	return 0;
}

static int walk_begin(struct walk *w, const char *path, struct fault *f)
{
	struct stat root;
	char *here = *path == '/' ? NULL : getcwd(NULL, 0);

	if (*path != '/' && !here)
		return fault_errno(f, "the working directory");
	buf_printf(&w->rest, "%s/%s", here ? here : "", path);
	free(here);
	if (stat("/", &root) < 0)
		return fault_errno(f, "/");
	return check_place("/", &root, f);
}

char *trusted_file_path(const char *path, struct fault *f)
{
	struct walk w = { .links = 0 };
	struct buf name = { 0 };
	struct stat st;
	int status = walk_begin(&w, path, f);

	while (status == 0 && next_name(&w, &name).len)
		status = step_to(&w, text_in(&name), f);
	if (status == 0 &&
	    (!w.done.len || stat(w.done.ptr, &st) < 0 || !S_ISREG(st.st_mode)))
		status = fault_set(f, "%s is not a regular file", path);
	buf_free(&name);
	buf_free(&w.rest);
	if (status == 0)
		return w.done.ptr;
	buf_free(&w.done);
	return NULL;
}
