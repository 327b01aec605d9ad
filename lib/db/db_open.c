/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens databases: chooses the driver by the name.
 */
#include <string.h>

#include "db/db_driver.h"

/*
 * Refuses names that refer to a server of an unknown kind. If such a name were used for a
 * file, its password would become part of the file's name.
 */
static bool takes_unknown(const char *name)
{
	size_t scheme = strspn(
	    name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");

	return (scheme && strncmp(name + scheme, "://", 3) == 0) ||
	       strstr(name, "password=");
}

static bool exists_unknown(const char *name)
{
	(void)name;
	return false;
}

static struct db *refuse_unknown(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	size_t scheme = strcspn(name, ":= ");

	(void)flags;
	(void)schema;
	(void)wait_ns;
	fault_set(f,
	    "'%.*s...' is an unknown kind of database (use a path or "
	    "postgresql://USER@HOST/NAME)",
	    (int)scheme, name);
	return NULL;
}

static const struct db_driver unknown = {
	.takes = takes_unknown,
	.exists = exists_unknown,
	.open = refuse_unknown,
};

/* The last driver accepts all other names. */
static const struct db_driver *const drivers[] = { &db_postgresql, &unknown, &db_sqlite };

static const struct db_driver *driver_of(const char *name)
{
	size_t i = 0;

	while (i + 1 < COUNT(drivers) && !drivers[i]->takes(name))
		i++;
	return drivers[i];
}

struct db *db_open(
    const char *name, int flags, struct text schema, double wait_ns, struct fault *f)
{
	return driver_of(name)->open(name, flags, schema, wait_ns, f);
}

bool db_exists(const char *name)
{
	return driver_of(name)->exists(name);
}

bool db_is_file(const char *name)
{
	return driver_of(name)->is_file;
}
