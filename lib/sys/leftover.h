/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files and folders that must not outlive the program: whatever is still listed when it
 * exits, or when a signal ends it, is removed.
 */
#ifndef SYS_LEFTOVER_H
#define SYS_LEFTOVER_H

enum { LEFTOVERS_MAX = 16 };

/*
 * Lists a file that is about to be made. The folder is a descriptor, or AT_FDCWD where the
 * name is a path; both must stay valid until leftover_drop(). The file may be absent when
 * it is to be removed. Returns the entry; or -1 when the list is full, and the file is then
 * not removed. Called by one thread only.
 */
int leftover_add(int folder, const char *name);
/* The same for the path of a folder, and for the files in it. */
int leftover_add_folder(const char *path);
/* Removes a folder and the files in it, also those that are made meanwhile.
 * Async-signal-safe. */
void leftover_remove_folder(const char *path);
/* Takes an entry off the list, once its file is removed or has got its final name. -1 is no
 * entry. */
void leftover_drop(int entry);
/* Removes all listed files, and empties the list. Async-signal-safe. */
void leftover_remove(void);

#endif
