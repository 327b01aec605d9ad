/*
 * In place of db_pq.c and what it uses where libpq-fe.h was not there to build with.
 */
#include <string.h>

#include "db/db_driver.h"

static bool takes(const char *name)
{
	return strncmp(name, "postgresql://", 13) == 0 ||
	       strncmp(name, "postgres://", 11) == 0;
}

static bool exists(const char *name)
{
	(void)name;
	return false;
}

static struct db *refuse(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	(void)name;
	(void)flags;
	(void)schema;
	(void)wait_ns;
	fault_set(f, "this bench-store was built without PostgreSQL (Debian: libpq-dev)");
	return NULL;
}

/* Nothing is ever open, so nothing else is called. */
const struct db_driver db_postgresql = { .takes = takes, .exists = exists, .open = refuse };
