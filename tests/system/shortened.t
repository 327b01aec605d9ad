#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A model file that another program shortens while it is mapped is reported in one line. A preloaded library
# shortens it as soon as the program named in SHORTEN has mapped it.
. "${0%/*}/../lib/tap.sh"

skip_unless unsanitized "a shortened file is reported" || { done_testing && exit; }
cat >shorten.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	void *(*next)(void *, size_t, int, int, int, off_t) =
	    (void *(*)(void *, size_t, int, int, int, off_t))dlsym(RTLD_NEXT, "mmap");
	void *made = next(at, size, protection, flags, fd, offset);

	char link[64], path[4096] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (fd >= 0 && readlink(link, path, sizeof(path) - 1) > 0 &&
	    strcmp(path, getenv("SHORTEN_FILE")) == 0 &&
	    strcmp(program_invocation_short_name, getenv("SHORTEN")) == 0 && truncate(path, 0) < 0)
		abort();
	return made;
}
END
gcc -O1 -shared -fPIC -o shorten.so shorten.c || exit 1
# A model whose weight, at the end of a file of 8192 bytes, is added to x. It is written by Python without the
# package onnx: each field is a tag, a length and the contents.
python3 - <<'END' || exit 1
def field(number, content):
    if isinstance(content, int):
        return bytes([number << 3, content])
    if isinstance(content, str):
        content = content.encode()
    return bytes([number << 3 | 2, len(content)]) + content
def entry(key, value):
    return field(13, field(1, key) + field(2, value))
def value(name):
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, field(1, field(1, 2)))))
weight = field(1, 2) + field(2, 1) + field(8, "w") + entry("location", "weights") + \
    entry("offset", "8184") + entry("length", "8") + field(14, 1)
node = field(1, "x") + field(1, "w") + field(2, "y") + field(4, "Add")
graph = field(1, node) + field(2, "g") + field(5, weight) + field(11, value("x")) + field(12, value("y"))
with open("add.onnx", "wb") as out:
    out.write(field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17)))
END
whole() { head -c 8192 /dev/zero >weights; }
run() { timeout 60 bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1ms -b ref -M add.onnx; }

whole
ok "the model is measured if its file is not shortened" run
# shortened PROGRAM FILE COMMAND...: runs the command, and shortens the file once the program has mapped it
shortened() {
	program=$1 file=$T/$2
	shift 2
	SHORTEN=$program SHORTEN_FILE=$file LD_PRELOAD=$T/shorten.so timeout 60 "$@" >out 2>err
}
said='another program shortened the file while it was in use'
whole
shortened bench-compute weights bench-run -q -e none -r 1 -w 0 --processes 1 --sample-time 1ms -b ref -M add.onnx
is "$? $(sed 's/ .--stdout.*//' err)" "1 bench-run: a sample of 'add.onnx' failed: exit=1: $T/weights: $said" \
	"a sample fails with a message if a file is shortened in its helper"
cp add.onnx kept.onnx
for program in bench-run bench-list; do
	cp kept.onnx add.onnx
	case $program in
	bench-run) shortened bench-run add.onnx bench-run -q -e none -r 1 -b ref -M add.onnx ;;
	bench-list) shortened bench-list add.onnx bench-list models add.onnx ;;
	esac
	is "$? $(cat err)$(cat out)" "2 $program: $T/add.onnx: $said" "$program ends with a message if a file that it reads is shortened"
done
done_testing
