#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bench-store makes no database when there is nothing to put into it.
. "${0%/*}/../lib/tap.sh"

printf 'run,bench,sample,metric,value\nr,b,0,wall,1\n' >good.csv
printf 'run,bench,sample,metric,value\nr,b,0,wall,one\n' >bad.csv
: >empty.csv
for input in empty.csv bad.csv absent.csv; do
	status 2 "adding $input to a new database fails" bench-store -D new.db add "$input"
	is "$(ls -d new.db* 2>/dev/null)" '' "adding $input leaves no new database"
done
status 2 'adding an empty standard input to a new database fails' bench-store -D new.db add <empty.csv
is "$(ls -d new.db* 2>/dev/null)" '' 'adding an empty standard input leaves no new database'
ln -s new.db link.db
status 2 'adding an empty file through a link to a new database fails' bench-store -D link.db add empty.csv
is "$(ls -d new.db* 2>/dev/null)" '' 'adding an empty file through a link leaves no new database'

# Headers alone.
for header in 'run,bench,metric,value' 'env,fact,value'; do
	status 0 "adding only the header $header is no error" eval "echo '$header' | bench-store -D new.db add"
	like "$(cat .err)" '^bench-store: the input has a header, but no rows$' "adding only the header $header is reported"
	is "$(ls -d new.db* 2>/dev/null)" '' "adding only the header $header leaves no new database"
done

# Names under which there can never be a database.
ln -s around around
for name in around good.csv/new.db; do
	status 2 "adding to the database $name fails" bench-store -D $name add good.csv
	like "$(cat .err)" "^bench-store: $name: [A-Z][a-z ]*$" "adding to the database $name gives the reason"
	is "$(find . -name '*spool*')" '' "adding to the database $name spools nothing"
done

bench-store -q -D full.db add good.csv
status 2 'merging a file that is no database into a new one fails' bench-store -D new.db merge full.db good.csv
is "$(ls -d new.db* 2>/dev/null)" '' 'merging a file that is no database leaves no new one'
status 2 'merging an absent database into a new one fails' bench-store -D new.db merge absent.db
is "$(ls -d new.db* 2>/dev/null)" '' 'merging an absent database leaves no new one'

status 0 'adding a good file makes a database' bench-store -D new.db add good.csv
is "$(bench-store -D new.db export)" "$(bench-store -D full.db export)" 'a database that is made when rows arrive has these rows'
status 0 'merging a good database makes a database' bench-store -D merged.db merge full.db
is "$(bench-store -D merged.db export)" "$(bench-store -D full.db export)" 'a merged database has the rows of the other one'

# Several programs make one database.
for i in 1 2 3 4 5 6 7 8; do
	sed "s/^r,/r$i,/" good.csv | bench-store -q -D shared.db add &
done
wait
is "$(bench-store -D shared.db list | sed 1d | wc -l)" 8 'several programs make one database without losing a run'
done_testing
