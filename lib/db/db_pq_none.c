/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces db_pq*.c and pq*.c if libpq-fe.h is not installed.
 */
#include "db/db_driver.h"

static bool exists_never(const char *name)
{
	(void)name;
	return false;
}

static struct db *open_refused(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	(void)name;
	(void)flags;
	(void)schema;
	(void)wait_ns;
	fault_set(f,
	    "this bench-store was built without PostgreSQL (install libpq-dev on Debian, "
	    "and build it again)");
	return NULL;
}

/* No database is ever open, so no other hook is called. */
const struct db_driver db_postgresql = {
	.takes = db_is_postgresql_url, .exists = exists_never, .open = open_refused
};
