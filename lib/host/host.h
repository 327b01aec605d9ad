/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts of a machine that bear on its speed: name and value, read from /proc, /sys, /etc
 * and the kernel. A fact that the machine lacks is left out: never empty, never guessed. If
 * a file that the machine may have cannot be read, its facts are unknown.
 * Stable facts do not change by themselves; their hash is the env column. Load, frequency,
 * temperature, free memory, what confines this process (affinity, quota), the host's name
 * and the libraries beside libc are facts too, but not stable ones.
 */
#ifndef HOST_HOST_H
#define HOST_HOST_H

#include "base/base.h"

struct host_fact {
	const char *name;
	const char *unit; /* of a number ("B", "Hz", "1" ...); NULL for text */
	bool stable;
	char *value;
};

/* Zero it to begin. */
struct host {
	struct host_fact *fact;
	size_t count, cap;
	bool stable_unknown; /* some stable fact could not be read */
	char *unread; /* the first file that could not be read, and why; NULL: none */
};

/* HOST_STABLE is all that the hash needs: a few hundred microseconds on a small machine. */
enum host_scope { HOST_STABLE, HOST_ALL };
enum { HOST_HASH_SIZE = 13, HOST_NAME_SIZE = 256 };

/*
 * Reads the facts. root is "/" or a directory with proc, sys and etc below it; then the
 * facts that come from system calls (arch, page size, libc, OpenBLAS) are left out. 0, or
 * -1 when root cannot be opened.
 */
int host_read(struct host *h, const char *root, enum host_scope scope, struct fault *f);
/* Puts a fact in; its value is copied. */
void host_add(
    struct host *h, const char *name, const char *unit, bool stable, struct text value);
const struct host_fact *host_find(const struct host *h, const char *name); /* or NULL */
/* Returns whether the fact is there and a number. */
bool host_number(const struct host *h, const char *name, double *out);
/* Prints the value for people: "480 MiB", "3.5 GHz". Returns its length. */
size_t host_print(const struct host_fact *fact, char *out, size_t size);
/*
 * Watches the processors for a while and adds the facts busy_cpus and busy_siblings (those
 * that share a core with a busy one), as lists. Returns 0, or -1 when root cannot be
 * opened.
 */
int host_watch(struct host *h, const char *root, unsigned ms, struct fault *f);
/*
 * Twelve hex digits over the stable facts: 64-bit FNV-1a of the lines "fact=value\n" in the
 * order in which they were read, folded to 48 bits (draft-eastlake-fnv, xor-folding). Empty
 * when some of them are unknown, because the hash would be that of another machine.
 */
void host_env_hash(const struct host *h, char out[HOST_HASH_SIZE]);
/* Appends a message, without a newline, when facts could not be read. Returns whether
 * there is one. */
bool host_explain(const struct host *h, struct buf *line);
/* The name of this machine, as in the host column. */
void host_name(char out[HOST_NAME_SIZE]);
void host_free(struct host *h);

#endif
