#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Plug-ins are loaded only if nobody but root and the user can change them. The owners and modes of
# files and directories that are rejected, and the messages.
. "${0%/*}/../lib/tap.sh"

plugin=$BUILD/tests/plugins/backend-whole.so
[ -e "$plugin" ] || { echo "1..0 # SKIP no $plugin; make tests builds it" && exit; }
# The probe of this plug-in reports that it is for tests; the plug-in can do nothing else.
loaded='^whole,0,it is for tests only'
umask 022
mkdir -p above/directory
cp "$plugin" above/directory
file=$T/above/directory/backend-whole.so

# told [DIR]: prints what bench-list reports about the plug-in
told() { BENCH_BACKEND_PATH=${1:-$T/above/directory} timeout 60 bench-list --csv backends whole 2>&1 | grep ^whole; }
# writable MODE PATH WHO REMEDY WHEN: checks that the plug-in is refused with this mode of PATH, and
# that the message has the remedy
writable() {
	chmod "$1" "$2"
	like "$(told)" "^whole,0,\"?cannot load the backend whole: $3 can write to (directory )?$2: chmod $4 $2[\",]" \
		"a plug-in is refused when $5"
	chmod "$4" "$2"
}

like "$(told)" "$loaded" "a plug-in of the user in directories of the user is loaded"
writable o+w "$file" everybody o-w "everybody can write it"
writable o+w "$T/above/directory" everybody o-w "everybody can write to its directory"
writable o+w "$T/above" everybody o-w "everybody can write to a directory above it"
chmod o+w above
status 2 "bench-run also refuses the plug-in" \
	env BENCH_BACKEND_PATH="$T/above/directory" timeout 60 bench-run -k gemm -b whole
is "$(cat "$T/.err")" "bench-run: backend 'whole' is unavailable: cannot load the backend whole: everybody can \
write to directory $T/above: chmod o-w $T/above" "bench-run says why in one line"
chmod o-w above
ln -s above/directory link
like "$(told link)" "$loaded" "a plug-in is loaded through a link and a relative path"
like "$(told above/../link/.)" "$loaded" "a plug-in is loaded through a path with .. and ."
mkdir open
ln -s "$T/above/directory" open/link
chmod o+w open
like "$(told "$T/open/link")" "everybody can write to directory $T/open:" \
	"a plug-in is refused when everybody can replace a link to its directory"

if skip_unless root "plug-ins of other users are refused"; then
	# belongs PATH DESCRIPTION [DIR]: while the path belongs to another user, the plug-in is refused
	belongs() {
		chown -h 65534 "$1"
		like "$(told "${3:-}")" "(directory )?$1 belongs to user 65534, not to you \\(user 0\\) or root:" "$2"
		chown -h 0 "$1"
	}
	belongs "$file" "a plug-in of another user is refused"
	belongs "$T/above/directory" "a plug-in in a directory of another user is refused"
	belongs "$T/above" "a plug-in below a directory of another user is refused"
	chmod 1777 open
	like "$(told "$T/open/link")" "$loaded" "a sticky directory of root's above a plug-in may be writable by everybody"
	belongs "$T/open/link" "a link of another user in a sticky directory is refused" "$T/open/link"
	belongs "$T/open" "a sticky directory of another user is refused" "$T/open/link"
	chgrp 65534 above
	writable g+w "$T/above" 'group 65534' g-w "a group of others can write to a directory above it"
	chgrp 0 above
	chmod g+w above
	like "$(told)" "$loaded" "a plug-in that the user's own group can write to is loaded"
	chmod g-w above
	if skip_unless another-user "an ordinary user loads a plug-in of root's"; then
		chmod 755 "$T"
		told_nobody() {
			BENCH_BACKEND_PATH=$T/above/directory setpriv --reuid 65534 --regid 65534 --clear-groups \
				timeout 60 bench-list --csv backends whole
		}
		like "$(told_nobody)" \
			"$loaded" "an ordinary user loads a plug-in of root's"
		chown 1 above
		like "$(told_nobody)" \
			'belongs to user 1, not to you \(user 65534\) or root' "an ordinary user is refused a third user's plug-in"
		chown 65534 above above/directory "$file"
		like "$(told_nobody)" \
			"$loaded" "an ordinary user loads a plug-in of that user"
	fi
fi
done_testing
