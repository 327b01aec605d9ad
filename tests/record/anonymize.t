#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# --anonymize replaces what identifies a machine or its user in exports and reports.
. "${0%/*}/../lib/tap.sh"
. "$ROOT/tests/lib/rows.sh"

export XDG_DATA_HOME="$T/data"
# The names hal9000, wopr, alice and bob, an address, and arguments are in every place that a
# stream has for a text.
cat >hostile.csv <<'E'
run,time,host,env,commit,kind,bench,file,note,level,machine-hal9000,stack,comm,device,x_note,process,sample,t,iterations,metric,unit,value,status
r on hal9000,2026-01-01T00:00:00Z,hal9000.lab.example.org,hal9000,alice-branch,command,/home/alice/bin/tool --token=hunter2 /srv/secret/in.dat,/srv/secret/in.dat,alice@hal9000,3,hal9000,main;read /home/alice/x.c:3;sum<int>;alice::f(),alice-tool,NVIDIA H100 80GB (HBM3),hal9000 alice,,0,,1,wall,ns,100,ok
r on hal9000,2026-01-01T00:00:00Z,hal9000.lab.example.org,hal9000,alice-branch,command,/home/alice/bin/tool --token=hunter2 /srv/secret/in.dat,/srv/secret/in.dat,alice@hal9000,3,hal9000,main;read /home/alice/x.c:3;sum<int>;alice::f(),alice-tool,NVIDIA H100 80GB (HBM3),hal9000 alice,,1,,1,wall,ns,104,ok
r on hal9000,2026-01-01T00:00:00Z,wopr,hal9000,HAL9000,on wopr,gzip -9 secret,secret,--token=hunter2,4,x,/srv/secret;[lib.so],bob,10.1.2.3,hunter2,,0,,1,alice_time,wopr,7,failed on hal9000
01a208a1-600d-7f8a-b4fb-825d81daf3ce,2026-01-01T00:00:00Z,hal9000.lab.example.org,0123456789ab,0123456789abcdef0123456789abcdef01234567-dirty,function,/home/bob/lib.so:sum,,fe80::5054:ff:fe12:3456,5,,,,,,,0,,1,wall,ns,8,ok
01a208a1-600d-7f8a-b4fb-825d81daf3ce,2026-01-01T00:00:00Z,hal9000.lab.example.org,0123456789ab,0123456789abcdef0123456789abcdef01234567-dirty,function,sum<int>,,fast,5,,main;std::sort<int>;operator new(),,,,,0,,1,cpu/cache-misses/,1,8,ok
01a208a1-600d-7f8a-b4fb-825d81daf3ce,2026-01-01T00:00:00Z,hal9000.lab.example.org,0123456789ab,0123456789abcdef0123456789abcdef01234567-dirty,,,,,,,,,,,,,,,rows,1,2,ok
env,fact,value
0123456789ab,host,hal9000.lab.example.org
0123456789ab,os,Debian GNU/Linux 12 (bookworm)
0123456789ab,cpu_model,made by alice
0123456789ab,kernel,6.1.0-wopr
0123456789ab,kernel_build,#1 SMP bob@hal9000
0123456789ab,cmdline,root=/srv/secret hostname=hal9000
0123456789ab,gpu_uuid,GPU-12345678-1234-1234-1234-123456789abc
0123456789ab,gpu_model,12345678-1234-1234-1234-123456789abc
0123456789ab,openblas_core,/srv/secret
0123456789ab,serial-of-wopr,ABC12345
0123456789ab,mac,52:54:00:12:34:56
0123456789ab,memory_bytes,1024
E
private='hal9000|wopr|alice|bob|hunter2|secret|example\.org|10\.1\.2\.3|fe80:|52:54|12345678-1234|ABC12345'
# is_clean DESCRIPTION FILE...: none of the names is there, in capitals or not
is_clean() {
	what=$1
	shift
	is "$(grep -oiE ".{0,30}($private).{0,20}" "$@")" '' "$what"
}

bench-store -q -D private.db add hostile.csv
bench-store -D private.db export --anonymize >rows.csv
is_clean "bench-store export --anonymize writes no name, path, argument or address" rows.csv
bench-store -D private.db export --facts --anonymize >facts.csv
is_clean "bench-store export --facts --anonymize writes no identifying fact" facts.csv
bench-store -D private.db export --anonymize --json >rows.json
is_clean "bench-store export --anonymize --json writes no name, path, argument or address" rows.json
is "$(stat -c %a data/benchutils/anonymize.key)" 600 "the key of --anonymize is readable only by the user"
bench-store -D private.db export --anonymize >again.csv
ok "names of --anonymize are the same in two exports" cmp rows.csv again.csv
head -c 32 /dev/urandom >key
bench-store -D private.db export --anonymize-key key >keyed.csv
is_clean "bench-store export --anonymize-key anonymizes" keyed.csv
unlike "$(column host keyed.csv)" "$(column host rows.csv | head -n 1)" "names of --anonymize differ with another key"
like "$(column host keyed.csv)" '^host-[0-9a-f]{10}$' "a host becomes a word and a part of a hash"

# The rows still describe the measurements.
is "$(columns level,metric,unit,value,sample rows.csv | head -n 2)" "3,wall,ns,100,0
3,wall,ns,104,1" "bench-store export --anonymize keeps factors, metrics and values"
like "$(columns bench,stack,metric rows.csv)" '^sum<int>,main;std::sort<int>;operator new\(\),cpu/cache-misses/$' \
	"bench-store export --anonymize keeps names of functions and events"
like "$(column bench rows.csv)" '^gzip args-[0-9a-f]{10}$' \
	"bench-store export --anonymize keeps the program of a command line and replaces its arguments"
is "$(columns run,commit rows.csv | tail -n 1)" \
	01a208a1-600d-7f8a-b4fb-825d81daf3ce,0123456789abcdef0123456789abcdef01234567-dirty \
	"bench-store export --anonymize keeps runs and commits"
like "$(cat facts.csv)" '^[0-9a-f]{12},os,Debian GNU/Linux 12 \(bookworm\)$' "facts that do not identify stay"
like "$(cat facts.csv)" '^[0-9a-f]{12},memory_bytes,1024$' "numbers of known facts stay"
is "$(column host rows.csv | sort -u | wc -l)" 2 "two hosts have two names after --anonymize"
like "$(cat facts.csv)" ",host,$(column host rows.csv | head -n 1)\$" "a host has the same name in rows and facts"
bench-env --csv | bench-store -q -D mine.db add
bench-store -D mine.db export --facts --anonymize | grep -E ',value-|,fact-' >hidden
is "$(cut -d, -f2 hidden)" kernel_build "facts of bench-env stay, except the host and the kernel's build"

# An anonymized export is a stream like any other.
cat rows.csv facts.csv >both.csv
ok "an anonymized export can be added to another store" bench-store -q -D public.db add both.csv
bench-store -D public.db export >public.csv
is "$(columns host,bench,value public.csv | sort)" "$(columns host,bench,value rows.csv | sort)" \
	"an anonymized export goes through a store unchanged"
bench-compare -q --csv --allow-missing --metric wall rows.csv public.csv >compared.csv 2>err
like "$(columns bench,metric,n_old,n_new compared.csv)" '^command args-[0-9a-f]{10},wall,2,2$' \
	"bench-compare matches the benchmarks of two anonymized exports"

printf '%s\n' run,kind,bench,env,sample,metric,unit,value,status r,function,joshua::sum,e,0,wall,ns,1,ok \
	env,fact,value e,host,joshua >named.csv
bench-store -q -D named.db add named.csv
is "$(bench-store -D named.db export --anonymize | grep -c joshua)" 0 "an export of rows replaces a host that only a fact names"

# Addresses in other forms, hosts that only an address of a user names, and texts in place of known words.
cat >forms.csv <<'E'
run,time,kind,bench,note,sample,metric,unit,value,status
9b2d1c5e-7a1f-11ee-b962-0242ac120002,2026-11-01T10:00:00+09:00,command,ssh bob@falken.lab,2001:db8::1,0,wall,ns,1,ok
a,2026-11-01T10:00:00Z,function,falken sum,v10.1.2.3,0,wall,ns,1,failed:exit=hunter2
a,2026-11-01T10:00:00Z,function,std::sort2::b,ip-172-31-5-20,1,wall,ns,1,failed:signal=hunter2
a,2026-11-01T10:00:00Z,function,f,0011.22aa.bbcc,2,wall,ns,1,failed:signal=SIGSEGV
a,2026-11-01T10:00:00Z,function,f,1.2.3,3,wall,ns,1,failed:exit=3
E
bench-store -q -D forms.db add forms.csv
bench-store -D forms.db export --anonymize >forms.out
is "$(grep -oiE "$private|falken|2001:|172-31|0011|0242ac|[+]09" forms.out)" '' \
	"bench-store export --anonymize finds short addresses, UUIDs with a MAC address, time zones and hosts after @"
is "$(column status forms.out | sort -u)" "failed
failed:exit=3
failed:signal=SIGSEGV
ok" "bench-store export --anonymize keeps the numbers of exits and the names of signals"
like "$(columns bench,note forms.out)" '^f,1[.]2[.]3$' "bench-store export --anonymize keeps versions"
like "$(column bench forms.out)" '^std::sort2::b$' "bench-store export --anonymize keeps names of C++"

# Reports
# data_of PAGE: the files in the page's links
data_of() {
	grep -o 'base64,[A-Za-z0-9+/=]*' "$1" | cut -d, -f2 | while read -r data; do
		echo "$data" | base64 -d | gunzip -f
	done
}
bench-report --anonymize -o page.html hostile.csv 2>err
like "$(cat page.html)" 'host-[0-9a-f]{10}' "bench-report --anonymize makes a page"
is_clean "the page of bench-report --anonymize has no name, path, argument or address" page.html
data_of page.html >decoded
like "$(cat decoded)" ',host-[0-9a-f]{10},' "the page of bench-report --anonymize contains the samples"
is_clean "the samples in the page of bench-report --anonymize have no name" decoded
bench-report --anonymize --baseline hostile.csv -o page.html hostile.csv 2>err
is_clean "the page of bench-report --anonymize --baseline has no name" page.html
bench-convert -t json hostile.csv >hostile.json
bench-report --anonymize -o page.html hostile.json 2>err
is_clean "bench-report --anonymize anonymizes JSON" page.html
data_of page.html >decoded
like "$(cat page.html decoded)" "$(column host rows.csv | head -n 1)" "a host has the same name in an export and on a page"

# Sites
bench-report -q --site site --anonymize private.db
is_clean "the pages of bench-report --site --anonymize have no name, path, argument or address" -r site
is "$(find site | grep -iE "$private")" '' "the files of bench-report --site --anonymize have no such names"
like "$(cat site/*.html)" "$(column host rows.csv | head -n 1)" "a host has the same name in an export and in a site"
status 0 "bench-report --site --anonymize brings a site up to date" bench-report --site site --anonymize private.db
like "$(cat .err)" ' 0 files written' "bench-report --site --anonymize writes nothing if nothing is new"
bench-report -q --site open private.db
status 2 "bench-report --site --anonymize refuses a site with the original names" bench-report --site open --anonymize private.db
like "$(cat .err)" '^bench-report: open: has a site that was built without --anonymize; use another directory$' \
	"bench-report says why it does not anonymize a site"

# Mistakes
status 2 "bench-report --anonymize refuses --budget" bench-report --anonymize --budget b.csv hostile.csv
status 2 "bench-store refuses a key that does not exist" bench-store -D private.db export --anonymize-key none
like "$(cat .err)" '^bench-store: none: No such file' "bench-store names the key that does not exist"
echo short >short
status 2 "bench-store refuses a key of a few bytes" bench-store -D private.db export --anonymize-key short
like "$(cat .err)" 'short: a key needs at least 16 bytes' "bench-store gives the reason why it refuses a key"
status 2 "bench-store list refuses --anonymize" bench-store -D private.db list --anonymize
status 2 "bench-store export --anonymize reports that there is no home" \
	env -u HOME -u XDG_DATA_HOME "$BUILD/bin/bench-store" -D private.db export --anonymize
like "$(cat .err)" 'use --anonymize-key' "the message about a missing home names the option"
done_testing
