/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of the user who runs the program.
 */
#ifndef SYS_USER_NAME_H
#define SYS_USER_NAME_H

/* Returns the name of the effective user, or the number if it has no name; allocated. */
char *user_name(void);

#endif
