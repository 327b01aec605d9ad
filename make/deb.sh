#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deb.sh DIR VERSION: makes the Debian package DIR/benchutils_VERSION_ARCH.deb from the files that
# make install put into DIR/root, and prints its path. MAINTAINER names who made the package.
set -eu
umask 022
cd "$1"
version=$2
architecture=$(dpkg --print-architecture)
package=benchutils_${version}_$architecture.deb
maintainer=${MAINTAINER:-"$(id -un) <$(id -un)@$(uname -n)>"}
doc=root/usr/share/doc/benchutils
case $maintainer in
*"
"*)
	echo 'make deb: MAINTAINER has more than one line' >&2
	exit 1
	;;
esac

# Only basics.so keeps its debugging information: it is an example of functions whose parameters
# and source lines bench-list can show.
find root/usr/bin root/usr/libexec root/usr/lib -type f ! -name basics.so -exec strip --strip-unneeded {} +
find root/usr/share/man -type f -exec gzip -9nf {} +
{
	sed 's|LICENSES/GPL-3.0-or-later.txt|/usr/share/common-licenses/GPL-3|
		s|in LICENSES/MIT-0.txt|below|' "${OLDPWD:?}/LICENSE"
	printf '\n'
	cat "$OLDPWD/LICENSES/MIT-0.txt"
} >$doc/copyright
gzip -9nc "$OLDPWD/NEWS.md" >$doc/NEWS.md.gz

# dpkg-shlibdeps wants a file debian/control. The plug-ins are optional at run time, so the libraries
# that only they need are recommended, like those that programs open themselves.
mkdir -p debian
printf 'Source: benchutils\n\nPackage: benchutils\nArchitecture: any\n' >debian/control
plugins=$(find root/usr/lib -name 'backend-*.so')
programs=$(find root/usr/bin root/usr/libexec root/usr/lib -type f ! -name 'backend-*.so')
# shellcheck disable=SC2086 # names of our files have no blanks
dpkg-shlibdeps -O -dDepends $programs -dRecommends $plugins 2>shlibdeps.log >needs || {
	cat shlibdeps.log >&2
	exit 1
}

mkdir -p root/DEBIAN
cat >root/DEBIAN/control <<END
Package: benchutils
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --exclude=DEBIAN root | cut -f 1)
Depends: $(sed -n 's/^shlibs:Depends=//p' needs)
Recommends: $(sed -n 's/^shlibs:Recommends=//p' needs), git, gnuplot-nox, libpfm4, libpq5
Suggests: man-db
Section: utils
Priority: optional
Description: measure commands, functions and models, and compare the results
 Small programs that measure commands, functions and machine-learning models,
 and report which is faster and how certain the result is. They exchange CSV
 through pipes: bench-run measures, bench-stat summarizes, bench-store keeps
 results, bench-compare decides whether something became slower, and
 bench-plot and bench-report draw.
END
# A directory of a group gives its bit to those below it, which dpkg-deb rejects. Five digits clear it.
find root -type d -exec chmod 00755 {} +
(cd root && find usr -type f -exec md5sum {} + >DEBIAN/md5sums)
dpkg-deb --root-owner-group -Zxz --build root "$package" >/dev/null
printf '%s\n' "$PWD/$package"
