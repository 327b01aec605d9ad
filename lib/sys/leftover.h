/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files and directories that must not outlive the program. Those on the list are removed
 * when the program exits and when a signal ends it.
 */
#ifndef SYS_LEFTOVER_H
#define SYS_LEFTOVER_H

enum { LEFTOVERS_MAX = 16 };

/*
 * Lists a file before it is created. The directory is a descriptor, or AT_FDCWD if the name
 * is a path; both must remain valid until leftover_drop(). It is not an error if the file
 * is absent when it is to be removed. Returns the entry. Returns -1 if the list is full;
 * the file is then not removed. Only one thread may call it.
 */
int leftover_add(int directory, const char *name);
/* Lists a directory by its path, with the files in it. Returns as leftover_add() does. */
int leftover_add_folder(const char *path);
/* Removes a directory and the files in it, including files created at the same time.
 * Async-signal-safe. */
void leftover_remove_folder(const char *path);
/* Removes an entry from the list. Call it when the file has been removed or has its final
 * name. -1 is ignored. */
void leftover_drop(int entry);
/* Removes all listed files, and empties the list. Async-signal-safe. */
void leftover_remove(void);

#endif
