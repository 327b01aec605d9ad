/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reserves room for rows; see file_room.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sys/file_room.h"

enum { ROUNDS_AHEAD = 16 }; /* reserved at once, because a call may wait for the disk */

int file_room_reserve(struct file_room *r, int fd)
{
	struct stat st;
	off_t grown;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode))
		return 0;
	grown = st.st_size - r->size;
	r->size = st.st_size;
	if (grown <= 0 || st.st_size + grown <= r->end)
		return 0;
	for (off_t room = grown * ROUNDS_AHEAD;; room = grown) {
		if (fallocate(fd, FALLOC_FL_KEEP_SIZE, st.st_size, room) == 0) {
			r->end = st.st_size + room;
			return 0;
		}
		if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG)
			return 0;
		if (room == grown)
			return -1;
	}
}

void file_room_release(const struct file_room *r, int fd)
{
	struct stat st;

	if (r->end && fstat(fd, &st) == 0 && st.st_size < r->end)
		(void)!ftruncate(fd, st.st_size);
}
