#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# packages.sh NAME...: installs the Debian packages that are missing, as root or through sudo;
# otherwise prints the command to run.
set -eu
missing=
for package; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
line="apt-get install -y -o DPkg::Lock::Timeout=600 --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
	sudo=
elif command -v sudo >/dev/null; then
	sudo=sudo
else
	echo "make: please run as root: $line" >&2
	exit 1
fi
echo "installing:$missing"
$sudo env DEBIAN_FRONTEND=noninteractive apt-get update -qq
# shellcheck disable=SC2086 # the line is words
$sudo env DEBIAN_FRONTEND=noninteractive $line >/dev/null
