#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The Debian package of make deb: it names what its programs need, and installs and removes whole.
# make deb itself also installs packages and configures the build again, so its two steps are tried.
. "${0%/*}/../lib/tap.sh"

if ! skip_unless unsanitized dpkg-shlibdeps 'the Debian package has everything'; then
	done_testing
fi
export MAINTAINER='A Person <person@example.org>'
# As in a directory of a group, and for a user whose new files others may not read.
mkdir made
chmod g+s made
before=$(umask)
umask 077
make -s -C "$ROOT" BUILD="$BUILD" DESTDIR="$T/made/root" PREFIX=/usr install
(cd made/root && find . ! -type d | sed '/\/man\//s/$/.gz/') >files
# shellcheck disable=SC2016 # for sh
status 1 'a MAINTAINER of several lines is rejected' env MAINTAINER='A
Depends: b' sh -c 'cd "$0" && sh make/deb.sh "$1" 0.1.0' "$ROOT" "$T/made"
is "$(cat .err)" 'make deb: MAINTAINER has more than one line' 'the message about MAINTAINER is a line'
package=$(cd "$ROOT" && sh make/deb.sh "$T/made" 0.1.0)
umask "$before"
is "$package" "$T/made/benchutils_0.1.0_$(dpkg --print-architecture).deb" 'the package has version and architecture in its name'
is "$(dpkg-deb -f "$package" Package Version Maintainer)" 'Package: benchutils
Version: 0.1.0
Maintainer: A Person <person@example.org>' 'the package has its name, version and maintainer'

is "$(dpkg-deb -c "$package" | awk '{ print $1, $2 }' | sort -u)" '-rw-r--r-- root/root
-rwxr-xr-x root/root
drwxr-xr-x root/root
lrwxrwxrwx root/root' 'the files of the package belong to root, and all users can read them'
dpkg-deb -x "$package" whole
is "$(cd whole && find . ! -type d | sort)" \
	"$({ cat files && printf './usr/share/doc/benchutils/%s\n' NEWS.md.gz copyright; } | sort)" \
	'the package has the files of make install, its license and the news'
dpkg-deb -e "$package" facts
ok 'the checksums of the package are right' sh -c 'cd whole && md5sum -c --quiet ../facts/md5sums'
is "$(cd whole && grep -rl '/usr/local/share/doc/benchutils' usr/share)" '' 'no file of the package names examples below /usr/local'
ok 'the manual of the package can be read' man ./whole/usr/share/man/man7/bench-fleet.7.gz
like "$(zcat whole/usr/share/man/man7/bench-fleet.7.gz)" '^\.Pa /usr/share/doc/benchutils/examples \.$' \
	'the manual of the package names the examples where they are'
is "$(whole/usr/bin/bench-run -q -e none -r 3 -w 0 -- true | grep -c ',wall,.*,ok,')" 3 \
	'the stripped bench-run finds its helper'
ok 'the functions of the packaged basics.so are measured' \
	sh -c "whole/usr/bin/bench-run -q -e none -r 1 -f basics.so:qsort -P n=10 | grep -q ',wall,.*,ok,'"

# packages_of FILE...: prints the packages of the libraries that the files are linked to. The variants of
# OpenBLAS count as libopenblas0, which any of them provides.
packages_of() {
	for file; do
		objdump -p "$file" 2>/dev/null | awk '$1 == "NEEDED" { print $2 }'
	done | sort -u | while read -r library; do
		path=$(ldconfig -p | awk -v name="$library" '$1 == name { print $NF; exit }')
		dpkg-query -S "$(readlink -f "$path")" "*/$library" 2>/dev/null |
			sed 's/:.*//; s/^\(libopenblas0\)-.*/\1/' | sort -u | paste -s -d '|' -
	done
}
# unnamed FIELD FILE...: prints the packages that the files need and the field does not name
unnamed() {
	names=$(dpkg-deb -f "$package" Depends "$1" | sed 's/[,|]/\n/g' | sed 's/^[A-Za-z]*://; s/(.*//; s/ //g')
	shift
	packages_of "$@" | while read -r alternatives; do
		printf '%s\n' "$alternatives" | tr '|' '\n' | grep -Fqx "$names" || printf '%s\n' "$alternatives"
	done
}
# shellcheck disable=SC2046 # names of our files have no blanks
{
	is "$(unnamed Depends $(find whole/usr/bin whole/usr/libexec -type f))" '' 'the package depends on the libraries of its programs'
	is "$(unnamed Recommends $(find whole/usr/lib -name 'backend-*.so'))" '' \
		'the package recommends the libraries of its plug-ins'
	like "$(packages_of $(find whole/usr/bin -type f))" '^libjansson4$' 'the packages of libraries are found'
}

if skip_unless root 'dpkg installs and removes the package'; then
	mkdir -p system/var/lib/dpkg/info system/var/lib/dpkg/updates
	: >system/var/lib/dpkg/status
	ok 'dpkg installs the package' dpkg --root="$T/system" --force-depends -i "$package"
	ok 'the installed program is there' test -x system/usr/bin/bench-compare
	ok 'dpkg removes the package' dpkg --root="$T/system" -r benchutils
	is "$(find system/usr ! -type d 2>/dev/null)" '' 'dpkg leaves no file of the package'
fi
done_testing
