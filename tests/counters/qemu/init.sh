#!/bin/busybox sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# The first process of the guest of tests/counters/pmu.t: runs /job.sh as root, then powers off.
export PATH=/bin:/usr/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs dev /dev
mount -t tmpfs tmp /tmp
mkdir -p /etc /dev/shm
echo 'root:x:0:0::/:/bin/sh
user:x:1000:1000::/tmp:/bin/sh' >/etc/passwd
stty -F /dev/console -onlcr
cd /tmp && sh /job.sh </dev/null >/dev/console 2>&1
echo 'the job has ended' >/dev/console
poweroff -f
