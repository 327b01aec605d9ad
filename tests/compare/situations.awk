# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the streams of situations.txt: for line N the files N.old and N.new, or N.both with the
# column side. A side is a list of items, separated by ";", of these words:
#	[N*]BENCH METRIC LEVEL SPREAD RUNSxSAMPLES [WORD...]
# LEVEL is the mean of the values, SPREAD the distance of the least and the greatest in percent of
# it. N* makes N benchmarks, whose names end in their number. Other words:
#	unit=U, env=E    the unit (ns) and the machine
#	status=S         all rows have this status and no value
#	fail=N           the last N samples failed
#	timeout=N        the last N samples timed out
#	ok               also writes the metric ok
#	twice            writes all rows two times
#	warm-up-fails    a warm-up sample of each run failed
# The side "none" is a file of 0 bytes.
BEGIN { FS = " *[|] *" }
/^#/ { next }
{
	n++
	both = $4 ~ /-b side/
	for (k = 0; k < 2; k++) {
		file = n (both ? ".both" : k ? ".new" : ".old")
		if (k == 0 || !both)
			printf "%s", $(k + 2) == "none" ? "" : \
				"run,env,bench," (both ? "side," : "") "sample,metric,unit,value,status\n" >file
		items = split($(k + 2) == "none" ? "" : $(k + 2), item, /; */)
		for (i = 1; i <= items; i++)
			put_item(item[i])
	}
	close(file)
}
function put_item(text,  word, words, times, name, w, b, round, pair) {
	words = split(text, word, " ")
	unit = "ns"; env = "m"; every = ""; fail = timeout = with_ok = warm = 0; rounds = 1
	for (w = 6; w <= words; w++) {
		split(word[w], pair, "=")
		if (pair[1] == "unit") unit = pair[2]
		else if (pair[1] == "env") env = pair[2]
		else if (pair[1] == "status") every = pair[2]
		else if (pair[1] == "fail") fail = pair[2]
		else if (pair[1] == "timeout") timeout = pair[2]
		else if (word[w] == "ok") with_ok = 1
		else if (word[w] == "twice") rounds = 2
		else if (word[w] == "warm-up-fails") warm = 1
		else { print "unknown word " word[w] >"/dev/stderr"; exit 1 }
	}
	times = 1; name = word[1]
	if (split(name, pair, "*") == 2) { times = pair[1]; name = pair[2] }
	split(word[5], size, "x")
	for (round = 0; round < rounds; round++)
		for (b = 1; b <= times; b++)
			put_rows(name (times > 1 ? b : ""), word[2], word[3], word[4] / 100)
}
function put_rows(bench, metric, level, spread,  r, s, all, at, status, value, z) {
	all = size[1] * size[2]
	for (r = 0; r < size[1]; r++) {
		if (warm) put(r, bench, -1, metric, unit, "", "failed:exit=1")
		for (s = 0; s < size[2]; s++) {
			at = r * size[2] + s
			# The sides are spread alike, but in another order; pairs have the same order.
			z = all > 1 ? (at * (both || !k ? 1 : 3) % all) / (all - 1) - 0.5 : 0
			if (!both && k && all % 3 == 0) z = (all - 1 - at) / (all - 1) - 0.5
			value = level == level + 0 ? level * (1 + spread * z * (both && at % 2 && k ? 0.7 : 1)) : level
			status = every != "" ? every : at >= all - fail ? "failed:exit=1" : at >= all - timeout ? "timeout" : "ok"
			if (status == "timeout") value = 60e9
			else if (status != "ok") value = ""
			put(r, bench, s, metric, unit, value, status)
			if (with_ok) put(r, bench, s, "ok", "1", status == "ok" ? 1 : 0, "ok")
		}
	}
}
function put(run, bench, sample, metric, unit, value, status) {
	printf "%s%d,%s,%s,%s%d,%s,%s,%s,%s\n", both ? "r" : k ? "n" : "o", run, env, bench,
		both ? (k ? "new," : "old,") : "", sample, metric, unit, value, status >file
}
