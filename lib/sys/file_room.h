/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Room on the disk for the next rows of a file, which is reserved before they are measured.
 * If the disk is full, no measurement is then lost.
 */
#ifndef SYS_FILE_ROOM_H
#define SYS_FILE_ROOM_H

#include <sys/types.h>

/* Zero it to begin. */
struct file_room {
	off_t size; /* of the file at the last call */
	off_t end;  /* the room is reserved up to this offset */
};

/*
 * Reserves room for as many bytes as the file has grown by since the last call. Returns 0,
 * or -1 and errno if the disk, the quota or the limit of the size of files does not have
 * it. Returns 0 for what is no regular file, and on file systems that cannot reserve room.
 */
int file_room_reserve(struct file_room *r, int fd);
/* Gives the rest of the room back. */
void file_room_release(const struct file_room *r, int fd);

#endif
