/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where symbolic links lead.
 */
#ifndef SYS_LINK_TARGET_H
#define SYS_LINK_TARGET_H

/*
 * Returns the path to which a symbolic link leads, also through other links, allocated. The
 * last name of that path need not exist. Returns NULL and errno on failure, for example
 * ELOOP.
 */
char *link_target(const char *link);

#endif
