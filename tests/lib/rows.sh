# SPDX-License-Identifier: GPL-3.0-or-later
# Reading and making the rows of simple CSV, without quoted fields: source it after tap.sh.
# shellcheck shell=sh

# column NAME [FILE]: the values of a column, one a line
column() {
	awk -F, -v name="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ print $at[name] }' "${2:--}"
}

# columns LIST [FILE]: these columns, separated by commas as in the list; of a column that is not
# there the values are empty
columns() {
	awk -F, -v list="$1" '
		NR == 1 { n = split(list, name, ","); for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			line = ""
			for (i = 1; i <= n; i++)
				line = line (i > 1 ? "," : "") (name[i] in at ? $at[name[i]] : "")
			print line
		}' "${2:--}"
}

# rows METRIC FILE: the header and the rows of a metric
rows() {
	awk -F, -v metric="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "metric") at = i; print; next }
		$at == metric' "$2"
}

# samples RUN BENCH LEVEL SPREAD COUNT SEED [HOST]: rows of wall time, lognormal or nearly so, with
# the columns run, host, bench, sample, metric, unit, value, status
samples() {
	awk -v run="$1" -v bench="$2" -v level="$3" -v spread="$4" -v n="$5" -v seed="$6" -v host="${7:-h}" '
	BEGIN {
		srand(seed)
		for (i = 0; i < n; i++) {
			z = 0
			for (k = 0; k < 12; k++) z += rand() - 0.5
			printf "%s,%s,%s,%d,wall,ns,%.0f,ok\n", run, host, bench, i, level * exp(spread * z)
		}
	}'
}
