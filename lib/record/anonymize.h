/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces strings of a stream that identify a machine or its user, so that results can be
 * published: hosts, paths, arguments of commands, users, addresses and most facts. Numbers,
 * times, commits, metrics and plain words stay. A string that is not known to be harmless
 * is replaced.
 *
 * A replacement is a word and 40 bits of an HMAC of the string, such as "host-91c3a07f5e".
 * With the same key, the same string has the same replacement in all outputs. Without the
 * key, nobody can test a guess by computing its replacement.
 *
 * Names of hosts and users are also replaced where they are part of another string. So
 * first pass all strings to anonymizer_learn(), then ask for replacements. The functions
 * that return a string return it unchanged if it stays; it lives as long as the anonymizer,
 * or the argument.
 */
#ifndef RECORD_ANONYMIZE_H
#define RECORD_ANONYMIZE_H

#include "base/base.h"

struct anonymizer;
/*
 * Opens an anonymizer with the key in a file, of at least 16 bytes. NULL: the user's key
 * below $XDG_DATA_HOME or ~/.local/share, which is created if necessary. Learns the names
 * of this machine and of the user. Returns NULL and the message on failure.
 */
struct anonymizer *anonymizer_open(const char *key_file, struct fault *f);
/* Learns the names of hosts and users in a cell of a column, or in the value of the fact
 * "host". */
void anonymizer_learn(struct anonymizer *a, struct text column, struct text cell);
/* Returns what replaces the name of a column. */
struct text anonymize_column(struct anonymizer *a, struct text name);
/* Returns what replaces a cell of a column of rows; kind is the kind of the row's subject.
 */
struct text anonymize_cell(
    struct anonymizer *a, struct text column, struct text kind, struct text cell);
/* Returns what replaces the name of a fact. */
struct text anonymize_fact(struct anonymizer *a, struct text fact);
/* Returns what replaces the value of a fact. */
struct text anonymize_fact_value(struct anonymizer *a, struct text fact, struct text value);
void anonymizer_close(struct anonymizer *a);

#endif
