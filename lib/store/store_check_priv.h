/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of store_check: the runs, their series, and the seals of the other tables.
 */
#ifndef STORE_STORE_CHECK_PRIV_H
#define STORE_STORE_CHECK_PRIV_H

#include "store/store_check.h"
#include "store/store_seal.h"
#include "store/store_series.h"
#include "store/store_summary.h"

struct store_checking {
	struct store *store;
	struct store_checked *checked;
	void (*finding)(void *ctx, const char *text);
	void *ctx;
	struct buf text; /* of the current finding */
	bool sealed;     /* whether the database, and therefore each run, must be sealed */

	struct store_series series;
	struct store_summary counted; /* of the current series */
	struct seal_row row;          /* scratch */
	struct buf hashed;            /* scratch */
	struct query *facts[2];       /* rows of the two tables of facts of a run */

	/* of the current run */
	struct text run;
	struct checksum rows; /* expected checksum */
	struct checksum seal; /* expected seal */
	bool run_sealed;
	bool whole; /* all its rows could be read */
	int64_t row_count;
	bool has_time;
	int64_t time; /* of its first row, ns since 1970 */
	bool origin;  /* a series has the host, env and commit of the run */

	struct checksum part[STORE_SEAL_PARTS]; /* expected seals of the parts */
};

/* The severity of a finding: whether check --seal --force may seal it. */
enum store_check_gravity { STORE_CHECK_CHANGE, STORE_CHECK_DAMAGE };
/* Begins the text of a finding with the current run and perhaps the current series. */
void store_check_begin(struct store_checking *c, bool series);
/* Reports the finding in c->text. */
void store_check_report(struct store_checking *c, enum store_check_gravity gravity);

/* Checks the current series of the current run. Returns 0, or -1 and the message. */
int store_check_series(struct store_checking *c, struct query *run, struct fault *f);
/* Adds the current chunk to the sums of the run, and updates the run's earliest time. */
void store_check_sum(struct store_checking *c);
/* Reads the stored seals of the parts, before anything else. Returns 0, or -1 and the
 * message. */
int store_check_state(struct store_checking *c, struct fault *f);
/* Adds the facts of the current run to its seal. Returns 0, or -1 and the message. */
int store_check_facts(struct store_checking *c, int64_t run_id, struct fault *f);
/* Sums up the tables of all parts except the runs. Returns 0, or -1 and the message. */
int store_check_tables(struct store_checking *c, struct fault *f);
/* Compares the seals of the parts, after all runs. Returns 0, or -1 and the message. */
int store_check_parts(struct store_checking *c, struct fault *f);
void store_check_close(struct store_checking *c);

#endif
