# SPDX-License-Identifier: GPL-3.0-or-later
# Reads kernel,size,dtype,us of ours (file=1) and of theirs (file=2). Prints medians over the rounds, our rate divided by
# theirs, and the bandwidth of streams as a share of that of the fastest triad.
# Returns the bytes per us that a stream moves.
function bandwidth(kernel, elements, dtype, us) {
	return us > 0 ? arrays[kernel] * elements * bytes[dtype] / us : 0
}
BEGIN {
	FS = ","
	arrays["copy"] = arrays["scale"] = arrays["dot"] = 2
	arrays["triad"] = arrays["axpy"] = 3
	bytes["float32"] = 4
	bytes["float64"] = 8
	bytes["float16"] = bytes["bfloat16"] = 2
}
{ key = $1 "," $2 "," $3 }
!(key in seen) {
	seen[key]
	order[++keys] = key
}
{ times[file, key] = times[file, key] " " $4 }
END {
	for (i = 1; i <= keys; i++)
		for (f = 1; f <= 2; f++)
			if ((f, order[i]) in times) {
				split(order[i], part, ",")
				us[f, order[i]] = median(times[f, order[i]])
				rate = part[1] == "triad" ? bandwidth(part[1], part[2], part[3], us[f, order[i]]) : 0
				if (rate > best) best = rate
			}
	printf "%-8s %10s %-9s %11s %11s %8s %10s\n", "kernel", "size", "dtype", "ours us", "theirs us", "rate", "of triad"
	for (i = 1; i <= keys; i++) {
		key = order[i]
		split(key, part, ",")
		mine = us[1, key]
		other = us[2, key]
		share = part[1] in arrays && mine && best ? sprintf("%.3f", bandwidth(part[1], part[2], part[3], mine) / best) : ""
		printf "%-8s %10d %-9s %11s %11s %8s %10s\n", part[1], part[2], part[3], mine ? sprintf("%.2f", mine) : "none",
			other ? sprintf("%.2f", other) : "none", mine && other ? sprintf("%.3f", other / mine) : "", share
	}
}
