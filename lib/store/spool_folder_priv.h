/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Spool directories. Any user who may write next to a database could put a file there, so
 * each user has their own directory, PLACE-spool.UID. Only regular files of that user are
 * used: the files in this directory, and files that an older version left next to the
 * database. They are opened relative to the descriptor of the directory.
 */
#ifndef STORE_SPOOL_FOLDER_PRIV_H
#define STORE_SPOOL_FOLDER_PRIV_H

#include "base/base.h"

struct spool_folder {
	int fd;       /* -1: the directory does not exist */
	bool own;     /* it belongs to this user alone */
	char *path;   /* for messages */
	char *prefix; /* of the names of files */
};

/*
 * Opens the user's directory of a place (db_spool). With make, creates it if it does not
 * exist. Returns 0, even if the directory does not exist; or -1, errno and the message if
 * it cannot be created or does not belong to the user alone.
 */
int spool_folder_open(
    struct spool_folder *s, const char *place, bool make, struct fault *f);
/* Opens the directory in which older versions kept their files, PLACE-spool-UUID.db. */
void spool_folder_open_old(struct spool_folder *s, const char *place);
void spool_folder_close(struct spool_folder *s);
/* Closes the directory, and removes it if it is empty. */
void spool_folder_remove(struct spool_folder *s);

/* Lists the spooled files whose names have this suffix, sorted by time; free the list with
 * spool_names_free. */
size_t spool_folder_list(const struct spool_folder *s, const char *end, char ***names);
void spool_names_free(char **names, size_t count);
/* Returns the path of a file for messages; allocated. */
char *spool_folder_path(const struct spool_folder *s, const char *name);
/*
 * Returns why a file is not accepted as a spooled file of this user, such as "a named
 * pipe", or NULL. fd: its descriptor, or -1 to examine the file by its name.
 */
const char *spool_folder_objection(const struct spool_folder *s, const char *name, int fd);

/* Lists the directories of other users, for messages; free the list with spool_names_free.
 */
size_t spool_folder_others(const char *place, char ***paths);

#endif
