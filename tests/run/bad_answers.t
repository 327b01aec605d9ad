#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Invalid answers of a process that runs functions, whose memory the function may have overwritten: they end the
# process, and not bench-run.
. "${0%/*}/../lib/tap.sh"

cat >fake.c <<'END'
/* Answers like bench-call, but for one field of an answer, which the variable WRONG names. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "protocol/helper_proto.h"

static void await(void *out, size_t size)
{
	if (size && recv(WIRE_SOCKET, out, size, MSG_WAITALL) != (ssize_t)size)
		exit(1);
}
static void answer(const void *bytes, size_t size) { send(WIRE_SOCKET, bytes, size, MSG_NOSIGNAL); }
static int wrong(const char *field) { return strcmp(getenv("WRONG"), field) == 0; }

int main(void)
{
	struct helper_answer a = { .kind = wrong("kind") ? 1000 : HELPER_LOADED };
	struct worker_result worker = { .wall_ns = 2000000 };
	struct helper_extra extra = { .metric = 100000 };
	struct helper_service service = { .worker = wrong("worker") ? 70000 : 0, .batch = !wrong("batch"), .end_ns = 1 };
	struct helper_request request;
	struct helper_order order;
	static char rest[1 << 16];

	await(&request, sizeof(request));
	await(rest, request.params * sizeof(struct helper_param) + request.text_size);
	memset(extra.part, 'x', sizeof(extra.part));
	answer(&a, sizeof(a));
	a.kind = HELPER_READY;
	a.extras = wrong("told") ? 2000000000 : 0;
	answer(&a, sizeof(a));
	a = (struct helper_answer){ .kind = wrong("order") ? HELPER_LOADED : HELPER_SAMPLE, .wall_ns = 2000000,
		.extras = wrong("extras") ? 2000000000 : wrong("metric"),
		.tokens = wrong("tokens") ? 2000000000 : 0,
		.spans = wrong("spans") ? 2000000000 : 0,
		.requests = wrong("requests") ? 6 : wrong("worker") || wrong("batch") };
	for (;;) {
		await(&order, sizeof(order));
		await(rest, order.closed ? 0 : order.arrivals * 8);
		answer(&a, sizeof(a));
		answer(&worker, sizeof(worker));
		if (a.requests == 1)
			answer(&service, sizeof(service));
		if (a.extras == 1)
			answer(&extra, sizeof(extra));
	}
}
END
mkdir -p tree/bin tree/libexec/benchutils
gcc -I "$ROOT/lib" -I "$ROOT" -o tree/libexec/benchutils/bench-call fake.c || exit 1
cp "$BUILD/bin/bench-run" tree/bin && ln -s "$BUILD/share" "$BUILD/lib" tree
gcc -shared -fPIC -pthread -I "$ROOT/include" -o good.so "$ROOT/tests/fixtures/functions/good.c" || exit 1

# refused FIELD OPTION...: checks that an answer with this wrong field is refused
refused() {
	field=$1
	shift
	status 1 "an answer with a wrong $field does not end bench-run" \
		env WRONG="$field" timeout -s KILL 20 tree/bin/bench-run -q -e none --processes 1 -w 0 --timeout 3s "$@" -f good.so:plain
	like "$(cat .err)" 'failed: signal=SIGKILL: its process sent an invalid answer' "bench-run reports an answer with a wrong $field"
	is "$(grep -E ',(wall|latency),' .out | sed 's/.*,ns/ns/')" 'ns,,failed:signal=SIGKILL,' \
		"an answer with a wrong $field gives one failed sample"
}
for field in kind told order extras metric tokens spans; do
	refused $field -r 3
done
for field in worker batch; do
	refused $field --rate 100 -r 5
done
refused requests --rate 100 -r 5

# bench-spawn, for commands, which is of another version.
cat >tree/libexec/benchutils/bench-spawn <<'END'
#!/bin/sh
head -c 100000 /dev/zero | tr '\000' '\377' >&3
cat <&3 >/dev/null
END
chmod +x tree/libexec/benchutils/bench-spawn
status 2 'an invalid answer of bench-spawn does not end bench-run' \
	timeout -s KILL 20 tree/bin/bench-run -q -e none -w 0 -r 2 -- true
like "$(cat .err)" 'bench-run: the helper bench-spawn sent an invalid answer; it may belong to another version' \
	'bench-run reports an invalid answer of bench-spawn'
is "$(grep ',wall,' .out | sed 's/.*,ns/ns/')" 'ns,,failed:signal=SIGKILL,' \
	'an invalid answer of bench-spawn gives one failed sample'
done_testing
