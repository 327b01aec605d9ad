/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads what the client of sockperf prints. Latencies are in us, and MBps are 2^20 bytes.
 */
#include "console/pattern_runs.h"

static const struct line_pattern lines[] = {
	{ "sockperf: [Valid Duration] RunTime=<v> sec; ...", "wall", "ns", 9, 1 },
	{ "sockperf: [Valid Duration] * sec; SentMessages=<v>; ...", "sent_messages", "1",
	    0, 1 },
	{ "sockperf: [Valid Duration] * sec; * ReceivedMessages=<v>", "received_messages",
	    "1", 0, 1 },
	{ "sockperf: ====> avg-latency=<v> ...", "latency", "ns", 3, 1 },
	{ "sockperf: ====> avg-rtt=<v> ...", "latency", "ns", 3, 1 },
	{ "sockperf: ====> * (std-dev=<v>)", "latency_sd", "ns", 3, 1 },
	{ "sockperf: # dropped messages = <v>; ...", "dropped_messages", "1", 0, 1 },
	{ "sockperf: # dropped messages = * # duplicated messages = <v>; ...",
	    "duplicated_messages", "1", 0, 1 },
	{ "sockperf: # dropped messages = * # duplicated messages = * # out-of-order "
	  "messages = "
	  "<v>",
	    "unordered_messages", "1", 0, 1 },
	{ "sockperf: Summary: <f> trip is * usec", "trip", NULL, 0, 0 },
	{ "sockperf: ---> <MIN> observation = <v>", "latency_min", "ns", 3, 1 },
	{ "sockperf: ---> percentile <f> = <v>", "latency_p*", "ns", 3, 1 },
	{ "sockperf: ---> <MAX> observation = <v>", "latency_max", "ns", 3, 1 },
	{ "sockperf: Summary: Message Rate is <v> [msg/sec]", "message_rate", "1/s", 0, 1 },
	{ "sockperf: Summary: BandWidth is <v> MBps ...", "bandwidth", "B/s", 0, 0x1p20 },
};

static const struct pattern_program program = {
	.begins = "sockperf: == version * ==",
	.lines = lines,
	.count = COUNT(lines),
	.metric = "latency",
	.unit = "ns",
};

static bool sockperf_recognize(const struct source *s)
{
	return pattern_runs_recognize(&program, s);
}

static int sockperf_read(const struct source *s, struct row_builder *out, struct fault *f)
{
	return pattern_runs_read(&program, s, out, f);
}

const struct format format_sockperf = { .name = "sockperf",
	.meaning = "sockperf",
	.whole_lines = true,
	.may_be_mixed = true,
	.recognize = sockperf_recognize,
	.read = sockperf_read };
