/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compresses data in the format of gzip (RFC 1952), and decompresses them and deflated
 * data (RFC 1951). Pure. */
#ifndef IO_GZIP_H
#define IO_GZIP_H

#include "base/base.h"

/* A gzip file that grows. It has no name and time, so equal bytes give equal files. */
struct gzip;
/* Begins a file, which must not become longer than this many bytes. */
struct gzip *gzip_open(size_t most);
/* Compresses more bytes. */
void gzip_add(struct gzip *g, struct text t);
/* Ends the file, appends it to b, and frees g. Returns 0, or -1 and the message if it is too
 * long. */
int gzip_close(struct gzip *g, struct buf *b, struct fault *f);
/* Appends the `size` bytes that deflated data represents. Returns 0, or -1 and the message
 * if it is damaged or represents another number of bytes. */
int gzip_inflate(struct buf *b, struct text deflated, uint64_t size, struct fault *f);
/* Returns whether a string begins as gzip files do. */
bool gzip_detect(struct text t);
/* Appends the contents of a gzip file of one or more members, which are at most `most`
 * bytes. Returns 0, or -1 and the message. */
int gzip_get(struct buf *b, struct text t, uint64_t most, struct fault *f);
/* Returns the checksum of gzip and zip files, CRC-32. */
uint32_t gzip_checksum(struct text t);

#endif
