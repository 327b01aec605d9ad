# SPDX-License-Identifier: GPL-3.0-or-later
# Reads model,batch,dtype,us of ours (file=1) and model,batch,dtype,mode,us,passes of theirs (file=2). Prints the
# medians over the rounds, their fastest mode, and geometric means of the ratios by batch and dtype.
BEGIN { FS = "," }
{ key = $1 "," $2 "," $3 }
file == 1 {
	if (!(key in ours)) order[++keys] = key
	ours[key] = ours[key] " " $4
	next
}
{
	if (!((key, $4) in theirs)) modes[key] = modes[key] " " $4
	theirs[key, $4] = theirs[key, $4] " " $5
}
END {
	printf "%-24s %5s %-9s %9s %9s %-11s %6s\n", "model", "batch", "dtype", "ours us",
		"best us", "best", "ratio"
	for (i = 1; i <= keys; i++) {
		key = order[i]
		split(key, part, ",")
		best = 0
		n = split(modes[key], mode, " ")
		for (j = 1; j <= n; j++) {
			us = median(theirs[key, mode[j]])
			if (!best || us < best) {
				best = us
				which = mode[j]
			}
		}
		if (!best) {
			printf "%-24s %5d %-9s %9.1f %9s\n", part[1], part[2], part[3], median(ours[key]), "none"
			continue
		}
		ratio = median(ours[key]) / best
		printf "%-24s %5d %-9s %9.1f %9.1f %-11s %6.3f%s\n", part[1], part[2], part[3],
			median(ours[key]), best, which, ratio, (ratio > 1.25 ? " *" : "")
		group = (part[2] == 1 ? "batch 1" : "batch 8-16") " " part[3]
		if (!(group in count)) groups[++kinds] = group
		count[group]++
		logs[group] += log(ratio)
	}
	for (i = 1; i <= kinds; i++)
		printf "%-24s %d models, geometric mean %.3f\n", groups[i], count[groups[i]],
			exp(logs[groups[i]] / count[groups[i]])
}
