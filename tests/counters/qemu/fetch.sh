#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# fetch.sh DIR: fetches the parts of Debian for arm64 that tests/counters/pmu.t needs: a kernel with
# hardware counters as DIR/vmlinuz, and headers, static libraries and busybox under DIR/root. The
# packages and package lists of this machine are not changed.
set -eu
mkdir -p "$1"
dir=$(cd "$1" && pwd)
packages='busybox-static libc6-dev linux-libc-dev libcsv-dev libjansson-dev libsqlite3-dev
	libpfm4-dev r-mathlib libelf-dev libdw-dev libiberty-dev libutf8proc-dev zlib1g-dev'
! echo "$packages" | cmp -s - "$dir/complete" || exit 0

rm -rf "$dir/complete" "$dir/apt" "$dir/root"
mkdir -p "$dir/apt/lists/partial" "$dir/apt/cache/archives/partial" "$dir/root/usr/bin" \
	"$dir/root/usr/lib" "$dir/root/usr/sbin"
: >"$dir/apt/status"
cat >"$dir/apt/conf" <<END
APT::Architecture "arm64";
APT::Architectures { "arm64"; };
APT::Sandbox::User "$(id -un)";
Dir::State "$dir/apt";
Dir::State::Lists "$dir/apt/lists";
Dir::State::status "$dir/apt/status";
Dir::Cache "$dir/apt/cache";
END
export APT_CONFIG="$dir/apt/conf" LC_ALL=C
unpack() { dpkg-deb --fsys-tarfile "$1" | tar -x -C "$dir/root" --keep-directory-symlink --no-same-owner; }

echo 'reading the package lists of arm64' >&2
apt-get -qq update
echo "fetching a kernel and $(echo "$packages" | wc -w) packages" >&2
# shellcheck disable=SC2086
apt-get -qq install -y --download-only --no-install-recommends $packages >/dev/null
kernel=$(apt-cache depends linux-image-cloud-arm64 | awk '$1 == "Depends:" && $2 ~ /^linux-image/ { print $2; exit }')
(cd "$dir/apt/cache/archives" && apt-get -qq download "$kernel")

for link in bin lib sbin; do ln -s usr/$link "$dir/root/$link"; done
for deb in "$dir"/apt/cache/archives/*.deb; do
	case $deb in
	*/linux-image-*) dpkg-deb --fsys-tarfile "$deb" | tar -x -O --wildcards './boot/vmlinuz-*' >"$dir/vmlinuz" ;;
	*) unpack "$deb" ;;
	esac
done
rm -rf "$dir/apt"
echo "$packages" >"$dir/complete"
