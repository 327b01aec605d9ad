#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# config.sh >config.mk: writes the results of pkg-config and compiler probes as variables of make.
set -u
pkg=${PKG_CONFIG:-pkg-config}
required='jansson sqlite3 libutf8proc libRmath libelf libdw zlib'

# compiles FLAGS LINE...: succeeds if the compiler accepts these lines
compiles() {
	flags=$1
	shift
	# shellcheck disable=SC2086 # flags are words
	printf '%s\n' "$@" | $CC ${CPPFLAGS:-} $flags -E - >/dev/null 2>&1
}

# links LIBRARY: succeeds if the linker finds this library, which a cross compiler may lack
# shellcheck disable=SC2086 # flags are words
links() { echo 'int main(void) { return 0; }' | $CC ${LDFLAGS:-} -x c -o /dev/null - "$1" >/dev/null 2>&1; }

command -v "$pkg" >/dev/null || { echo "make: $pkg is missing; 'make deps' installs it on Debian" >&2 && exit 1; }
missing=
# shellcheck disable=SC2086 # names are words
$pkg --exists $required || for name in $required; do
	$pkg --exists "$name" || missing="$missing $name"
done
for header in csv.h perfmon/pfmlib.h libiberty/demangle.h; do
	compiles '' "#include <$header>" || missing="$missing <$header>"
done
[ -z "$missing" ] || { echo "make: missing:$missing; 'make deps' installs the packages on Debian, README.md names them for others" >&2 && exit 1; }

# shellcheck disable=SC2086 # names are words
cat <<END
PKG_CFLAGS := $($pkg --cflags $required)
PKG_LIBS := $($pkg --libs $required)
END

# PostgreSQL's driver: the header at build time; the library is loaded when it is used.
flags=$($pkg --cflags libpq 2>/dev/null)
compiles "$flags" '#include <libpq-fe.h>' && printf 'PQ := yes\nPQ_CFLAGS := %s\n' "$flags"

flags=$($pkg --cflags openblas 2>/dev/null)
compiles "$flags" '#include <cblas.h>' && links -fopenmp &&
	printf 'OPENBLAS := yes\nOPENBLAS_CFLAGS := %s\nOPENBLAS_LIBS := %s\n' "$flags" "$($pkg --libs openblas)"
flags=$($pkg --cflags libjpeg 2>/dev/null)
compiles "$flags" '#include <stdio.h>' '#include <jpeglib.h>' && links -ljpeg &&
	printf 'JPEG := yes\nPICTURE_CFLAGS += %s\nPICTURE_LIBS += -ljpeg\n' "$flags"
flags=$($pkg --cflags libpng 2>/dev/null)
compiles "$flags" '#include <png.h>' && links -lpng &&
	printf 'PNG := yes\nPICTURE_CFLAGS += %s\nPICTURE_LIBS += -lpng\n' "$flags"
compiles '' '#ifndef __x86_64__' '#error another processor' '#endif' && echo 'X86_64 := yes'
compiles '' '#include <oneapi/dnnl/dnnl.h>' && echo 'DNN := yes'
compiles '' '#include <CL/cl.h>' '#include <clblast_c.h>' && echo 'OPENCL := yes'

# Directories and files whose changes make the results out of date.
watch=$({
	$pkg --variable pc_path pkg-config | tr ':' '\n'
	printf '%s\n' "${PKG_CONFIG_PATH:-}" "${PKG_CONFIG_LIBDIR:-}" | tr ':' '\n'
	for name in $required libpq openblas libjpeg libpng; do
		$pkg --variable pcfiledir "$name" 2>/dev/null | sed "s|\$|/$name.pc|"
	done
	printf '%s\n' /usr/include /usr/include/* /usr/local/include |
		grep -E '/(include|CL|oneapi|postgresql)$'
} | sort -u | while read -r path; do
	[ ! -e "$path" ] || printf '%s ' "$path"
done)
echo "CONFIG_WATCH := $watch"
# shellcheck disable=SC2086 # paths are words
echo "CONFIG_KNOWN := $CONFIG_FLAGS $(stat -Lc %n@%Y $watch | tr '\n' ' ')"
