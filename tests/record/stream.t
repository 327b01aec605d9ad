#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The rules of bench-csv(5) for readers, seen through bench-stat.
. "${0%/*}/../lib/tap.sh"

# stat ARG...: key columns, n and mean, on one line
stat() { timeout 20 bench-stat -s n,mean "$@" 2>.err | tr '\n' ' '; }
# reads INPUT WANT DESCRIPTION: printf INPUT gives WANT
reads() {
	# shellcheck disable=SC2059
	printf "$1" >in.csv
	is "$(stat in.csv)" "$2" "$3"
}
# refuses INPUT ERE DESCRIPTION: one line that matches, and status 2
refuses() {
	# shellcheck disable=SC2059
	printf "$1" >in.csv
	timeout 20 bench-stat in.csv >.out 2>.err
	is "$? $(wc -l <.err) $(grep -Ec -e "$2" .err) $(wc -c <.out)" '2 1 1 0' "$3"
	grep -Eq -e "$2" .err || note "$(cat .err)"
}

reads 'metric,value\nwall,1\nwall,3\n' 'metric,unit,n,mean wall,,2,2 ' 'bench-stat accepts a table of the columns metric and value'
reads 'value,x,metric\n1,a,wall\n3,b,wall\n' 'x,metric,unit,n,mean a,wall,,1,1 b,wall,,1,3 ' 'bench-stat accepts columns in any order'
reads 'metric,value\r\nwall,1\r\nwall,3\r\n' 'metric,unit,n,mean wall,,2,2 ' 'bench-stat accepts lines that end with CRLF'
reads '\357\273\277metric,value\nwall,1\n' 'metric,unit,n,mean wall,,1,1 ' 'bench-stat skips a byte order mark'
is "$({ printf '\357'; sleep 0.1; printf '\273\277metric,value\nwall,1\n'; } | stat)" 'metric,unit,n,mean wall,,1,1 ' 'bench-stat skips a byte order mark that comes in pieces'
reads 'metric,value\nwall,1\nwall,3' 'metric,unit,n,mean wall,,2,2 ' 'bench-stat accepts a last line without a newline'
reads 'metric,value\n\nwall,1\n\n\nwall,3\n\n' 'metric,unit,n,mean wall,,2,2 ' 'bench-stat skips blank lines'
reads 'bench,metric,value\n"a,b",m,1\n"c""d",m,2\n' 'bench,metric,unit,n,mean "a,b",m,,1,1 "c""d",m,,1,2 ' 'bench-stat reads commas and quotes in quoted fields'
reads 'bench,metric,value\n"a\nb",m,1\n"a\nb",m,3\n' 'bench,metric,unit,n,mean "a b",m,,2,2 ' 'bench-stat reads newlines in quoted fields'
reads 'bench,metric,value\n a ,m,1\na,m,3\n' 'bench,metric,unit,n,mean  a ,m,,1,1 a,m,,1,3 ' 'bench-stat keeps spaces around a field'
reads 'metric,value,status\nm,1,ok\nm,3,\nm,9,failed:exit=1\nm,,timeout\n' 'metric,unit,n,mean m,,2,2 ' 'bench-stat leaves failed rows out of statistics'
is "$(bench-stat -s failed in.csv | tail -1)" 'm,,2' 'bench-stat counts failed rows'
reads 'metric,value,sample\nm,100,-1\nm,1,0\nm,3,1\n' 'metric,unit,n,mean m,,2,2 ' 'bench-stat leaves warm-ups out of statistics'
reads 'metric,value\nm,\nm,2\n' 'metric,unit,n,mean m,,1,2 ' 'bench-stat does not count a missing value as zero'
reads 'run,sample,t,metric,value\nr,0,0,rss,1\nr,0,10,rss,3\nr,1,0,rss,10\n' 'metric,unit,n,mean rss,,2,6 ' 'bench-stat reduces a time series to its mean per sample'
reads 'metric,value\nm,+1.50e1\nm,.5\nm,1.\n' 'metric,unit,n,mean m,,3,5.5 ' 'bench-stat reads decimal numbers of all forms'
reads "metric,value\nm,$(printf '%0400d' 0 | tr 0 1)e-399\n" 'metric,unit,n,mean m,,1,1.1111111111111112 ' 'bench-stat reads a number of four hundred digits'
reads 'metric,value\nm,1e-400\n' 'metric,unit,n,mean m,,1,0 ' 'bench-stat reads a number too small for a double as zero'

# Tables that follow each other
printf 'bench,n,metric,value\na,1,wall,1\na,2,wall,2\n' >a.csv
printf 'value,metric,bench,who\n5,wall,a,me\n7,wall,a,\n' >b.csv
is "$(cat a.csv b.csv | stat)" 'bench,n_,who,metric,unit,n,mean a,1,,wall,,1,1 a,2,,wall,,1,2 a,,me,wall,,1,5 a,,,wall,,1,7 ' 'bench-stat joins tables with different columns'
is "$(cat a.csv b.csv | stat)" "$(stat a.csv b.csv)" 'bench-stat reads two files as if they were joined with cat'
is "$(cat a.csv a.csv | stat)" 'bench,n_,metric,unit,n,mean a,1,wall,,2,1 a,2,wall,,2,2 ' 'bench-stat accepts a repeated header'
{ cat a.csv; printf 'env,fact,value\nabc,cpu,metric\nabc,note,value\n'; cat b.csv
	printf 'kind,bench,subject,metric,value\ncommand,x,y,z,w\n'; cat a.csv; } >all.csv
is "$(stat all.csv)" "$(cat a.csv b.csv a.csv | stat)" 'bench-stat ignores tables of facts and subjects'
is "$(printf 'metric,value\nm,1\n' | stat - a.csv | wc -w)" 4 'bench-stat reads standard input for -'

# Foreign tables
printf 'tool,ms,kb\ngzip,1.5,10\nxz,9,20\ntool,ms,kb\ngzip,2.5,30\n' >wide.csv
is "$(stat -m ms:ms -m kb wide.csv)" 'tool,metric,unit,n,mean gzip,ms,ms,2,2 gzip,kb,,2,20 xz,ms,ms,1,9 xz,kb,,1,20 ' 'bench-stat -m melts columns of a table whose header is repeated'
timeout 20 bench-stat -m nope wide.csv 2>.err
is "$?$(grep -c -e "-m: the header has no column '" .err)" 21 'bench-stat rejects an unknown column of -m'
timeout 20 bench-stat -m ms:s -m ms:ns wide.csv >.out 2>.err
is "$?$(grep -c "names the column 'ms' twice" .err)$(wc -c <.out)" 210 'bench-stat rejects a duplicate column of -m'

# Refusals
refuses 'metric,value\nm,1\nm,nan\n' "^bench-stat: in.csv:3: value: 'nan' is not a decimal number" 'bench-stat rejects nan as a value'
refuses 'metric,value\nm,inf\n' "in.csv:2: value: 'inf'" 'bench-stat rejects inf as a value'
refuses 'metric,value\nm,0x10\n' "in.csv:2: value: '0x10'" 'bench-stat rejects a hexadecimal value'
refuses 'metric,value\nm,1e400\n' 'in.csv:2: value' 'bench-stat rejects a number too large for a double'
refuses 'metric,value\nm, 1\n' 'in.csv:2: value' 'bench-stat rejects a space before a number'
refuses 'metric,value,sample\nm,1,0.5\n' "in.csv:2: sample: '0.5' is not a whole number" 'bench-stat rejects a sample that is not a whole number'
refuses 'bench,metric,value\na,m,1\n"x\ny",m,z\n' 'in.csv:4: value' 'bench-stat counts lines correctly after quoted newlines'
refuses 'bench,metric,value\r\na,m,1\r\n\r\nb,m,z\r\n' 'in.csv:4: value' 'bench-stat counts lines correctly after CRLF and blank lines'
refuses 'bench,metric,value\na,m,1\na,m\n' 'in.csv:3: 2 fields where the header has 3.*column 3' 'bench-stat rejects a row with a field too few'
refuses 'bench,metric,value\na,m,1,9\n' 'in.csv:2: 4 fields where the header has 3.*column 4' 'bench-stat rejects a row with a field too many'
refuses 'bench,value\na,1\n' "in.csv:1: the header has no columns 'metric' and 'value'" 'bench-stat rejects a header without the column metric'
refuses 'x,metric,x,value\n' "columns 1 and 3 have the same name 'x'" 'bench-stat rejects a duplicate column'
refuses 'x,,metric,value\n' 'column 2 of the header has no name' 'bench-stat rejects a column without a name'
refuses 'metric,value\nm,1\nm\000,2\n' 'in.csv:3: a NUL byte' 'bench-stat rejects a NUL byte'
printf 'metric,value\nm,1\n' >text.csv
gzip -c text.csv >packed.gz
for program in stat compare plot report store; do
	case $program in
	compare) set -- text.csv packed.gz ;;
	plot) set -- bar packed.gz ;;
	store) set -- -D x.db add packed.gz ;;
	*) set -- packed.gz ;;
	esac
	is "$(bench-$program "$@" 2>&1)" \
		"bench-$program: packed.gz:1: compressed with gzip, which is not read: decompress the file first (zcat FILE | bench-$program)" \
		"bench-$program recognizes a file that gzip compressed"
done
# recognizes START COMMAND: a stream that begins so is named with the command that makes text of it
recognizes() {
	refuses "$1x" "^bench-stat: in.csv:1: .*first \\($2 \\| bench-stat\\)\$" "bench-stat names $2 for files of this kind"
}
recognizes '\3757zXZ\000' 'xzcat FILE'
recognizes '(\265/\375' 'zstdcat FILE'
recognizes '\004"M\030' 'lz4cat FILE'
recognizes 'BZh11AY&SY' 'bzcat FILE'
recognizes 'PK\003\004' 'unzip -p FILE'
recognizes '\377\376m\000' 'iconv -f UTF-16 -t UTF-8 FILE'
recognizes 'SQLite format 3\000' 'bench-store -D FILE export'
refuses 'PERFILE2h\000' 'in.csv:1: .*first [(]perf script -i FILE [|] bench-convert [|] bench-stat[)]$' 'bench-stat recognizes a profile of perf record'
refuses '\211PNG\r\n\032\n' 'in.csv:1: an image, not a text file$' 'bench-stat recognizes an image'
refuses '%%PDF-1.5\n' 'in.csv:1: a document in PDF, not a text file$' 'bench-stat recognizes a document in PDF'
refuses '\177ELF\002' 'in.csv:1: a program or library, not a text file$' 'bench-stat recognizes a program'
refuses 'BZhash,value\n1,2\n' 'in.csv:1: the header has no columns' 'bench-stat takes a header that begins with BZh for text'
refuses 'metric,value\n"m,1\n' 'in.csv:[23]: the file ends inside a quoted field' 'bench-stat rejects an open quote'
refuses 'metric,value\nm"x,1\n' 'in.csv:2: a quote inside a field' 'bench-stat rejects a quote inside a field'
refuses 'bench,metric,value\na,m,1\n\357\273\277bench,metric,value\na,m,2\n' 'in.csv:3: a byte order mark before the header' 'bench-stat rejects a byte order mark inside a file'
refuses '' 'no table of measurements' 'bench-stat rejects an empty file'
refuses 'env,fact,value\na,b,c\n' 'no table of measurements' 'bench-stat rejects input of facts alone'
head -c 100000 "$(command -v bench-stat)" >binary
timeout 20 bench-stat binary >.out 2>.err
is "$? $(wc -l <.err)" '2 1' 'bench-stat rejects a binary file'
status 2 'bench-stat rejects a directory' bench-stat .
status 2 'bench-stat rejects a missing file' bench-stat nowhere.csv
like "$(cat .err)" 'nowhere.csv: No such file' 'bench-stat names the file that is missing'
{ printf 'bench,metric,value\n'; head -c 5000000 /dev/zero | tr '\0' x; printf ',m,1\n'; } >big.csv
is "$(timeout 20 bench-stat -g metric -s n big.csv | tail -1)" 'm,,1' 'bench-stat reads a field of 5 MB'
{ printf 'metric,value'; seq 70000 | sed 's/^/,c/' | tr -d '\n'; echo; } >wide.csv
timeout 20 bench-stat wide.csv >.out 2>.err
is "$?$(grep -c '65536 columns' .err)" 21 'bench-stat rejects a table of 70,000 columns'
{ printf 'metric,value'; seq 60000 | sed 's/^/,c/' | tr -d '\n'; printf '\nm,1'; seq 60000 | sed 's/^/,/' | tr -d '\n'; echo; } >wide.csv
is "$(timeout 10 bench-stat -s n wide.csv | tail -1 | cut -d, -f1,59999-)" '1,59999,60000,m,,1' 'bench-stat reads 60,000 columns within 10 s'

# Writing
for form in --csv --table --json; do
	timeout 20 bench-stat $form a.csv >/dev/full 2>.err
	is "$? $(grep -c 'No space left' .err)" '2 1' "bench-stat $form reports a full disk"
done
seq 100000 | sed 's/.*/&,m,1/; 1i bench,metric,value' >many.csv
timeout 20 bench-stat many.csv 2>.err | head -1 >.out
is "$(cat .err)" '' 'bench-stat ends without a message when its reader closes the pipe'
printf 'bench,metric,value\n\033[31mred\302\233\376"x",m,1\n' | tr -d '"' >odd.csv
ok 'bench-stat --json writes valid JSON for any bytes' sh -c 'bench-stat --json odd.csv | perl -MJSON::PP -e "local \$/; decode_json(<>)"'
printf 'bench,n,n_1,\377,metric,value\na,10,20,b,m,1\n\355\240\200\364\220\200\200,,,,m,2\n' >names.csv
is "$(bench-stat --json -s n names.csv | tr -d ' \n')" \
	'[{"bench":"a","n_":"10","n_1":"20","\\xff":"b","metric":"m","unit":"","n":1},{"bench":"\\xed\\xa0\\x80\\xf4\\x90\\x80\\x80","n_":"","n_1":"","\\xff":"","metric":"m","unit":"","n":1}]' \
	'bench-stat --json keeps all columns, regardless of their names'
is "$(bench-stat --table odd.csv | LC_ALL=C tr -d '\012\040-\176' | wc -c)" 0 'bench-stat --table writes no control characters'

# Long files, of which a second thread parses what comes after the first mebibyte
{
	echo bench,sample,metric,unit,value,status
	seq 200000 | awk '{ printf "b%d,%d,wall,ns,%d.5,\n", $1 % 7, $1, $1 }'
} >long.csv
bench-stat long.csv >two.csv
is "$(taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" bench-stat long.csv | cmp - two.csv && wc -l <two.csv)" 8 'bench-stat has the same result on one processor as on two'
is "$(cat long.csv long.csv long.csv | bench-stat -s n | awk -F, 'NR > 1 { n += $NF } END { print n }')" 600000 'bench-stat accepts a header in the middle of a long stream'
is "$(sed '150001s/$/,/' long.csv | timeout 20 bench-stat 2>&1)" \
	'bench-stat: standard input:150001: 7 fields where the header has 6 (one too many: column 7)' 'bench-stat reports the line of a bad record in a long stream'
is "$(sed '150001s/,/,"/' long.csv | timeout 20 bench-stat 2>&1)" \
	'bench-stat: standard input:150001: the file ends inside a quoted field' 'bench-stat reports the line of an open quote in a long stream'
is "$(sed '150001s/wall/wa"ll/' long.csv | timeout 20 bench-stat 2>&1 | cut -c-55)" \
	'bench-stat: standard input:150001: a quote inside a fie' 'bench-stat reports the line of a quote inside a field in a long stream'
mkfifo pipe
(cat long.csv; echo bad; exec sleep 20 >&9) >pipe 9>&1 &
timeout 10 bench-stat pipe >out 2>err
is "$?$(cat err)" "2bench-stat: pipe:200002: 1 field where the header has 6 (nothing in column 2)" \
	'bench-stat reports an error before the pipe ends'
kill $!
is "$(bench-stat long.csv long.csv -s n | awk -F, 'NR > 1 { n += $NF } END { print n }')" 400000 'bench-stat reads two long files'
done_testing
