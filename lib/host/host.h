/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about a machine that affect its speed. A fact has a name and a value, read from
 * /proc, /sys, /etc and the kernel. A fact that the machine does not provide is omitted; a
 * value is never empty and never guessed. If a file exists but cannot be read, its facts
 * are unknown.
 *
 * Stable facts do not change on their own; the column env is their hash. These facts are
 * not stable: load, frequency, temperature, free memory, the limits of this process
 * (affinity, quota), the name of the host, and libraries other than libc.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include "base/base.h"

struct host_fact {
	const char *name;
	const char *unit; /* unit of a number ("B", "Hz", "1" ...); NULL for text */
	bool stable;
	char *value;
};

/* Initialize with zeros. */
struct host {
	struct host_fact *fact;
	size_t count, cap;
	bool stable_unknown; /* a stable fact could not be read */
	char *unread; /* the first file that could not be read and the reason, or NULL */
};

/*
 * HOST_STABLE reads only the facts of the hash, which takes a few hundred microseconds on a
 * small machine.
 */
enum host_scope { HOST_STABLE, HOST_ALL };
enum { HOST_HASH_SIZE = 13, HOST_NAME_SIZE = 256 };

/*
 * Reads the facts. root is "/" or a directory with copies of proc, sys and etc; then the
 * facts that come from the running system (arch, page size, libc, counters, OpenBLAS) are
 * omitted. Returns 0, or -1 if root cannot be opened.
 */
int host_read(struct host *h, const char *root, enum host_scope scope, struct fault *f);
/* Adds a fact and copies its value. */
void host_add(
    struct host *h, const char *name, const char *unit, bool stable, struct text value);
/* Returns the fact with this name, or NULL. */
const struct host_fact *host_find(const struct host *h, const char *name);
/* Returns whether the fact exists and is a number, and its value. */
bool host_number(const struct host *h, const char *name, double *out);
/* Prints the value with its unit, as in "480 MiB" or "3.5 GHz". Returns the length. */
size_t host_print(const struct host_fact *fact, char *out, size_t size);
/*
 * Watches the processors for some milliseconds and adds the lists busy_cpus and
 * busy_siblings (idle processors that share a core with a busy one). Returns 0, or -1 if
 * root cannot be opened.
 */
int host_watch(struct host *h, const char *root, unsigned ms, struct fault *f);
/*
 * Computes the hash of the stable facts as twelve hexadecimal digits: the 64-bit FNV-1a
 * hash of the lines "fact=value\n" in the order of the facts, folded to 48 bits
 * (draft-eastlake-fnv, xor-folding). The hash is empty if some stable facts are unknown,
 * because it would identify another machine.
 */
void host_env_hash(const struct host *h, char out[HOST_HASH_SIZE]);
/*
 * Appends a message, without a newline, if facts could not be read. Returns whether it did.
 */
bool host_explain(const struct host *h, struct buf *line);
/* Returns the name of this machine, for the column host. */
void host_name(char out[HOST_NAME_SIZE]);
void host_free(struct host *h);

#endif
