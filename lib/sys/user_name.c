/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The name of the user who runs the program; see user_name.h.
 */
#include <pwd.h>
#include <unistd.h>

#include "base/base.h"
#include "sys/user_name.h"

char *user_name(void)
{
	struct passwd user, *found = NULL;
	char texts[4096];

	if (getpwuid_r(geteuid(), &user, texts, sizeof(texts), &found) == 0 && found &&
	    *user.pw_name)
		return str_copy(user.pw_name);
	return str_format("%u", (unsigned)geteuid());
}
