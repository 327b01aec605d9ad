/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of the anonymizer: the key, and the recognition of strings that identify.
 */
#ifndef RECORD_ANONYMIZE_PRIV_H
#define RECORD_ANONYMIZE_PRIV_H

#include "base/intern.h"

/* Reads the key; see anonymizer_open(). Returns 0, or -1 and the message. */
int anonymize_key_read(const char *path, struct buf *key, struct fault *f);

/* Names of hosts and users, in lower case. Zero it to begin. */
struct private_names {
	struct intern names;
};

/* Adds a name, unless it is one that says nothing, such as root. */
void private_names_add(struct private_names *p, struct text name);
/* Adds a name of a host, and its first label and its domain. */
void private_names_add_host(struct private_names *p, struct text name);
/* Adds the users whose home directories or addresses (user@host) a string contains. */
void private_names_add_users(struct private_names *p, struct text t);
/* Returns whether a string contains a name: a short one as a word, a long one anywhere. */
bool private_names_in(const struct private_names *p, struct text t);
void private_names_free(struct private_names *p);

/* Returns whether a string has only ASCII letters, digits and characters of extra. */
bool private_is_plain(struct text t, const char *extra);
/* Returns whether a string contains an address of IP or Ethernet, or a UUID. */
bool private_has_address(struct text t);

#endif
