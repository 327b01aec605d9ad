#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-convert reads what HPL and HPCG write.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

data=$ROOT/tests/fixtures/data/convert
rows() { bench-convert "$1" | columns bench,variant,N,NB,P,Q,sample,metric,unit,value,status; }

is "$(rows "$data/hpl.txt" | sed '4,$d'; rows "$data/hpl.txt" | tail -n 3)" 'HPL,WR11C2R4,800,64,1,2,0,wall,ns,60000000,ok
HPL,WR11C2R4,800,64,1,2,0,flop_rate,flop/s,5822300000,ok
HPL,WR11C2R4,800,64,1,2,0,residual,1,0.00413094435,ok
HPL,WR10C2R4,1200,64,1,2,0,wall,ns,150000000,ok
HPL,WR10C2R4,1200,64,1,2,0,flop_rate,flop/s,7661600000,ok
HPL,WR10C2R4,1200,64,1,2,0,residual,1,0.00360660928,ok' 'bench-convert reads the problems of HPL with their settings'
is "$(for file in hpl hpl-failed hpl-unchecked; do
	bench-convert -M flop_rate "$data/$file.txt" | columns status
done | uniq -c | tr -s ' ')" ' 4 ok
 4 failed
 4 ok' 'a problem of HPL failed if its check did, and not if it was not checked'
is "$(bench-convert "$data/hpl-unchecked.txt" | grep -c residual)" 0 'a problem of HPL that was not checked has no residual'
is "$(cat "$data/hpl.txt" "$data/hpl.txt" | bench-convert | columns sample,metric | grep -c 1,wall)" 4 'equal problems of HPL are samples'
sed 's/0\.06 /0.00 /' "$data/hpl.txt" >fast.txt
is "$(rows fast.txt | head -n 1)" 'HPL,WR11C2R4,800,64,1,2,0,wall,ns,,skipped' 'a time of HPL that was rounded to 0 has no value'
sed 's/Gflops$/Gflops (   per GPU)/; s/e+0[0-9]$/& ( 1.000e+00)/' "$data/hpl.txt" >gpu.txt
is "$(rows gpu.txt)" "$(rows "$data/hpl.txt")" 'bench-convert reads HPL whose lines have further columns'
sed 's/5.8223e+00/5.8223x/' "$data/hpl.txt" >bad.txt
is "$(bench-convert bad.txt 2>&1)" "bench-convert: bad.txt:47: Gflops is not a number: '5.8223x': the file is damaged" \
	'bench-convert rejects a rate of HPL that is no number'
sed '/^HPL_pdgesv() end time .* 2026/q' "$data/hpl.txt" >cut.txt
is "$(bench-convert cut.txt 2>&1)" 'bench-convert: cut.txt:50: the check of a problem is missing: the file is cut off' \
	'bench-convert rejects HPL whose last problem lacks its check'
sed '0,/^||Ax.*/s//HPL WARNING from process # 0, on line 338 of function HPL_pdtest:\n>>> Error code returned by solve is 5, skip <<</' \
	"$data/hpl.txt" >singular.txt
is "$(rows singular.txt | grep ,flop_rate, | sed 's/.*,//' | paste -sd' ')" 'failed ok ok ok' 'a problem of HPL without a solution failed'
is "$(cat "$data/hpl.txt" "$data/hpl-unchecked.txt" | bench-convert -M flop_rate | grep -c ',ok$')" 8 \
	'a run of HPL without checks may follow one that has them'

is "$(bench-convert "$data/hpcg.txt" | columns bench,processes,threads,nx,ny,nz,metric,unit,value,status)" 'HPCG,1,1,16,16,16,setup,ns,2047000,ok
HPCG,1,1,16,16,16,memory,B,2930740,ok
HPCG,1,1,16,16,16,ddot,ns,194652000,ok
HPCG,1,1,16,16,16,waxpby,ns,52420000,ok
HPCG,1,1,16,16,16,spmv,ns,759433000,ok
HPCG,1,1,16,16,16,mg,ns,6642720000,ok
HPCG,1,1,16,16,16,wall,ns,7652470000,ok
HPCG,1,1,16,16,16,bandwidth,B/s,15675400000,ok
HPCG,1,1,16,16,16,ddot_flop_rate,flop/s,1506110000,ok
HPCG,1,1,16,16,16,waxpby_flop_rate,flop/s,5592660000,ok
HPCG,1,1,16,16,16,spmv_flop_rate,flop/s,3098360000,ok
HPCG,1,1,16,16,16,mg_flop_rate,flop/s,1944630000,ok
HPCG,1,1,16,16,16,flop_rate,flop/s,2059080000,ok' 'bench-convert reads the result of HPCG'
is "$(sed -n 's/.*GFLOP.s rating of=//p' "$data/hpcg.txt")" 2.05908 'the rate is the rating of HPCG'
is "$(bench-convert "$data/hpcg-invalid.txt" | columns metric,value,status | grep ^flop_)" 'flop_rate,1078660000,failed' \
	'bench-convert reads an invalid result of HPCG as failed'
is "$(cat "$data/hpcg-invalid.txt" "$data/hpcg.txt" | bench-convert -M flop_rate | columns sample,status)" '0,failed
1,ok' 'an invalid result of HPCG does not make the next one fail'
sed '/^Final Summary/,$d' "$data/hpcg-invalid.txt" >cut.txt
is "$(bench-convert cut.txt 2>&1)" 'bench-convert: cut.txt:113: a run does not say whether it succeeded: the file is cut off' \
	'bench-convert rejects a result of HPCG that does not say whether it is valid'
done_testing
