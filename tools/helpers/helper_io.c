/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sends and receives messages; see helper_io.h.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "helper_io.h"

enum { SOCKET_AT = 200 };

static int wire = WIRE_SOCKET;

void helper_io_open(void)
{
	int up = fcntl(WIRE_SOCKET, F_DUPFD_CLOEXEC, SOCKET_AT);

	if (up < 0) {
		fcntl(WIRE_SOCKET, F_SETFD, FD_CLOEXEC);
		return;
	}
	close(WIRE_SOCKET);
	wire = up;
}

void helper_receive(void *out, size_t size)
{
	for (char *p = out; size;) {
		ssize_t got = recv(wire, p, size, 0);

		if (got == 0 || (got < 0 && errno != EINTR))
			_exit(1);
		if (got > 0) {
			p += got;
			size -= (size_t)got;
		}
	}
}

void helper_send(const void *bytes, size_t size)
{
	for (const char *p = bytes; size;) {
		ssize_t put = send(wire, p, size, MSG_NOSIGNAL);

		if (put < 0 && errno != EINTR)
			_exit(1);
		if (put > 0) {
			p += put;
			size -= (size_t)put;
		}
	}
}

_Noreturn void helper_give_up(enum helper_answer_kind kind, const char *fmt, ...)
{
	struct helper_answer a = { .kind = kind };
	va_list args;

	va_start(args, fmt);
	vsnprintf(a.why, sizeof(a.why), fmt, args);
	va_end(args);
	helper_send(&a, sizeof(a));
	_exit(1);
}

void *helper_zero(size_t count, size_t size)
{
	void *ptr = calloc(count + 1, size);

	if (!ptr)
		helper_give_up(HELPER_FAILED, "no memory");
	return ptr;
}
