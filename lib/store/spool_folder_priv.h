/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folders in which files wait. Everybody who may write beside a database could put a file
 * there: so each user has a folder of their own, PLACE-spool.UID, and of the files in it,
 * and of those that an older benchutils left beside the database, only regular files of
 * that user are touched, by names relative to the descriptor of the folder.
 */
#ifndef STORE_SPOOL_FOLDER_PRIV_H
#define STORE_SPOOL_FOLDER_PRIV_H

#include "base/base.h"

struct spool_folder {
	int fd;       /* -1: it is not there */
	bool own;     /* it belongs to this user alone */
	char *path;   /* as messages show it */
	char *prefix; /* with which the names of files begin */
};

/*
 * Opens the user's folder of a place (db_spool). With make, makes it when it is not there.
 * Returns 0, also when it is not there; -1, errno and the message when it cannot be made,
 * or is not the user's own.
 */
int spool_folder_open(
    struct spool_folder *s, const char *place, bool make, struct fault *f);
/* Opens the folder in which older versions kept their files, PLACE-spool-UUID.db. */
void spool_folder_open_old(struct spool_folder *s, const char *place);
void spool_folder_close(struct spool_folder *s);
/* Closes it, and removes it if it is empty. */
void spool_folder_remove(struct spool_folder *s);

/* Names of files that wait, end in this way, and are sorted by time; to be freed with
 * spool_names_free. */
size_t spool_folder_list(const struct spool_folder *s, const char *end, char ***names);
void spool_names_free(char **names, size_t count);
/* The file as messages show it; allocated. */
char *spool_folder_path(const struct spool_folder *s, const char *name);
/*
 * Returns why a file is not taken for one that this user left, such as "a named pipe", or
 * NULL. fd: its descriptor, or -1 to look at what the name says.
 */
const char *spool_folder_objection(const struct spool_folder *s, const char *name, int fd);

/* The folders of other users, for people; to be freed with spool_names_free. */
size_t spool_folder_others(const char *place, char ***paths);

#endif
