/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SQLSTATE codes and type OIDs of PostgreSQL, as pq.h classifies them. Pure.
 */
#include <string.h>

#include "db/pq.h"

enum pq_failure pq_failure_of_sqlstate(const char *state)
{
	/* A class has two characters, a code five. */
	static const struct {
		const char *prefix;
		enum pq_failure failure;
	} known[] = {
		{ "08", PQ_LOST },       /* connection exceptions */
		{ "57P01", PQ_LOST },    /* admin_shutdown */
		{ "57P02", PQ_LOST },    /* crash_shutdown */
		{ "57P03", PQ_LOST },    /* cannot_connect_now */
		{ "40001", PQ_CLASHED }, /* serialization_failure */
		{ "40P01", PQ_CLASHED }, /* deadlock_detected */
		{ "23503", PQ_CLASHED }, /* foreign_key_violation: a row was removed */
		{ "55P03", PQ_LOCKED },  /* lock_not_available */
		{ "53100", PQ_BLOCKED }, /* disk_full */
		{ "25006", PQ_BLOCKED }, /* read_only_sql_transaction */
	};

	for (size_t i = 0; state && i < COUNT(known); i++)
		if (strncmp(state, known[i].prefix, strlen(known[i].prefix)) == 0)
			return known[i].failure;
	return PQ_FINE;
}

/* The OIDs of built-in types are fixed (pg_type.dat of PostgreSQL). */
enum pq_type pq_type_of_oid(unsigned oid)
{
	static const struct {
		unsigned oid;
		enum pq_type type;
	} known[] = { { 16, PQ_BOOLEAN }, { 17, PQ_BYTES }, { 20, PQ_INTEGER },
		{ 21, PQ_INTEGER }, { 23, PQ_INTEGER }, { 26, PQ_INTEGER },
		{ 700, PQ_NUMBER }, { 701, PQ_NUMBER }, { 1700, PQ_NUMERIC },
		{ 3802, PQ_JSON } };

	for (size_t i = 0; i < COUNT(known); i++)
		if (known[i].oid == oid)
			return known[i].type;
	return PQ_TEXT;
}
