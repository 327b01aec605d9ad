/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What drivers share; see db_driver.h.
 */
#include <string.h>

#include "db/db_driver.h"

bool db_is_postgresql_url(const char *name)
{
	return strncmp(name, "postgresql://", 13) == 0 ||
	       strncmp(name, "postgres://", 11) == 0;
}

int db_fail_locked(const struct db *db, struct fault *f)
{
	return fault_set(f,
	    "%s: locked by another program for more than %g s (use --wait to wait longer)",
	    db->name, db->wait_ns / 1e9);
}

int db_fail_guarded(const struct db *db, struct fault *f)
{
	return fault_set(f,
	    "%s: the statement does more than read (use sql -w to allow changes)",
	    db->name);
}
