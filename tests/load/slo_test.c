/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests lib/load/slo.
 */
#include <math.h>

#include "../lib/tap.h"
#include "load/slo.h"

static void refuses(const char *text, const char *want, const char *what)
{
	struct slo slo;
	struct fault f = { "" };

	tap_text(slo_parse(text, &slo, &f) < 0 ? f.text : "(taken)", want, what);
}

static void test_parse(void)
{
	struct slo slo;
	struct fault f;

	tap_ok(slo_parse("latency=50ms,ttft=200ms,share=95%", &slo, &f) == 0 &&
	           slo.limit_ns[SLO_LATENCY] == 5e7 &&
	           slo.limit_ns[SLO_FIRST_TOKEN] == 2e8 && isinf(slo.limit_ns[SLO_WAIT]) &&
	           fabs(slo.share - 0.95) < 1e-12,
	    "limits are read by their names and short names");
	tap_ok(slo_parse("wait=1ms", &slo, &f) == 0 && slo.share == 0.99 &&
	           !slo_limits_tokens(&slo),
	    "the share is 99%% by default");
	refuses("share=95", "'share=95' has no limit, such as latency=50ms",
	    "a share without a limit is refused");
	refuses(
	    "latency=0", "the limit of latency must be above 0", "a limit of 0 is refused");
	refuses("latency=1ms,e2e=2ms", "latency has two limits", "two limits are refused");
	refuses("latency=1ms,share=99%,share=98%", "there are two shares",
	    "two shares are refused");
	refuses("latency", "'latency' is not NAME=DURATION or share=PCT",
	    "a limit without a time is refused");
	refuses("latency=1ms,share=100%", "share must be above 0% and below 100%",
	    "a share of 100%% is refused");
	tap_ok(slo_parse("latencies=1ms", &slo, &f) < 0 &&
	           strstr(f.text, "did you mean latency"),
	    "an unknown limit is refused with the nearest name");
}

static void test_keeps(void)
{
	struct load_request r = { .arrival_ns = 10,
		.start_ns = 30,
		.end_ns = 100,
		.first_token_ns = NAN,
		.per_token_ns = NAN,
		.inter_token_ns = NAN };
	struct slo slo;
	struct fault f;

	slo_parse("latency=90ns,wait=20ns,service=70ns", &slo, &f);
	tap_ok(slo_keeps(&slo, &r), "times equal to their limits keep them");
	r.end_ns++;
	tap_ok(!slo_keeps(&slo, &r), "a latency above its limit does not keep it");
	r.end_ns--;
	r.result = REQUEST_FAILED;
	tap_ok(!slo_keeps(&slo, &r), "a failed request keeps no level");
	r.result = REQUEST_DONE;
	slo_parse("itl=5ns,ttft=9ns", &slo, &f);
	tap_ok(!slo_keeps(&slo, &r), "a request without tokens keeps no limit of tokens");
	r.first_token_ns = 9;
	r.tokens = 1;
	tap_ok(slo_keeps(&slo, &r), "a single token has no gap to exceed a limit");
	r.tokens = 2;
	r.inter_token_ns = 6;
	tap_ok(!slo_keeps(&slo, &r), "a gap above its limit does not keep it");
}

int main(void)
{
	test_parse();
	test_keeps();
	return tap_end();
}
