/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readers of facts about the layers between the program and the machine: hypervisor and
 * the time that it steals, container, the running kernel, the C library and OpenBLAS.
 */
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "host/host_read.h"
#include "sys/child_answer.h"
#include "sys/cpu_ticks.h"

struct sign {
	const char *word, *name;
};

/* Words that hypervisors write into the names of the firmware. */
static const struct sign firmware_signs[] = {
	{ "VMware", "vmware" },
	{ "VirtualBox", "virtualbox" },
	{ "innotek", "virtualbox" },
	{ "Virtual Machine", "hyperv" },
	{ "Google Compute Engine", "google" },
	{ "Amazon EC2", "amazon" },
	{ "Parallels", "parallels" },
	{ "Apple Virtualization", "apple" },
	{ "BHYVE", "bhyve" },
	{ "Xen", "xen" },
	{ "KVM", "kvm" },
	{ "OpenStack", "kvm" },
	{ "QEMU", "qemu" },
};

/* Clock sources that only guests have. */
static const struct sign clock_signs[] = {
	{ "kvm-clock", "kvm" },
	{ "hyperv_clocksource", "hyperv" },
	{ "xen", "xen" },
};

static const struct sign cgroup_signs[] = {
	{ "/kubepods", "kubernetes" },
	{ "/docker", "docker" },
	{ "/libpod", "podman" },
	{ "/lxc", "lxc" },
};

static const struct sign container_files[] = {
	{ "run/.containerenv", "podman" },
	{ "run/secrets/kubernetes.io", "kubernetes" },
	{ "dev/lxd/sock", "lxd" },
	{ ".dockerenv", "docker" },
};

static const char *find_sign(const struct sign *signs, size_t count, const struct buf *text)
{
	for (size_t i = 0; text->len && i < count; i++)
		if (strstr(text->ptr, signs[i].word))
			return signs[i].name;
	return NULL;
}

static bool has_word(struct text words, const char *wanted)
{
	size_t len = strlen(wanted);

	for (size_t i = 0; i + len <= words.len; i++)
		if (memcmp(words.ptr + i, wanted, len) == 0 &&
		    (i == 0 || words.ptr[i - 1] == ' ') &&
		    (i + len == words.len || words.ptr[i + len] == ' '))
			return true;
	return false;
}

static void read_firmware(struct host_source *s, struct buf *names)
{
	kernel_file_line(&s->files, "sys/class/dmi/id/sys_vendor", names);
	buf_byte(names, ' ');
	kernel_file_line(&s->files, "sys/class/dmi/id/bios_vendor", names);
	buf_byte(names, ' ');
	kernel_file_line(&s->files, "sys/class/dmi/id/product_name", names);
	kernel_file_read(
	    &s->files, "sys/firmware/devicetree/base/hypervisor/compatible", names);
}

/*
 * On x86, the flag "hypervisor" decides whether there is a hypervisor. On other processors
 * only the firmware can identify one, and a firmware without a known name proves nothing.
 * The firmware of a bare-metal machine of a cloud also names the cloud.
 */
void host_read_hypervisor(struct host_source *s, const char *arg, struct buf *out)
{
	struct text flags = { 0 };
	struct buf names = { 0 }, clocks = { 0 };
	const char *found = NULL;
	bool bare;

	(void)arg;
	if (s->cpuinfo.ptr)
		flags = host_key_value(
		    text_in(&s->cpuinfo), "flags", ':');
	read_firmware(s, &names);
	bare = (flags.len && !has_word(flags, "hypervisor")) || strstr(names.ptr, ".metal");
	if (bare) {
		buf_str(out, "none");
	} else if (!kernel_file_line(&s->files, "sys/hypervisor/type", out)) {
		kernel_file_line(&s->files,
		    "sys/devices/system/clocksource/clocksource0/available_clocksource",
		    &clocks);
		found = find_sign(firmware_signs, COUNT(firmware_signs), &names);
		if (!found)
			found = find_sign(clock_signs, COUNT(clock_signs), &clocks);
		if (!found && flags.len)
			found = "unknown";
		buf_str(out, found ? found : "");
	}
	buf_free(&names);
	buf_free(&clocks);
}

void host_read_container(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf groups = { 0 };
	const char *found = NULL;

	(void)arg;
	if (kernel_file_line(&s->files, "run/systemd/container", out) && out->len)
		return;
	for (size_t i = 0; i < COUNT(container_files) && !found; i++)
		if (kernel_file_exists(&s->files, container_files[i].word))
			found = container_files[i].name;
	if (!found && kernel_file_read(&s->files, "proc/self/cgroup", &groups))
		found = find_sign(cgroup_signs, COUNT(cgroup_signs), &groups);
	buf_str(out, found ? found : "");
	buf_free(&groups);
}

void host_read_arch(struct host_source *s, const char *arg, struct buf *out)
{
	struct utsname name;

	(void)arg;
	if (s->files.live && uname(&name) == 0)
		buf_str(out, name.machine);
}

void host_read_counters(struct host_source *s, const char *arg, struct buf *out)
{
	const struct working_counters *counters = &s->counters;

	if (!s->counters_tried && s->files.live)
		s->counters = working_counters_try(WORKING_COUNTERS_MAX);
	s->counters_tried = true;
	if (counters->together)
		host_put_value(out, strcmp(arg, "dead") == 0
		                        ? counters->together - counters->alive
		                        : counters->together);
}

void host_read_page_size(struct host_source *s, const char *arg, struct buf *out)
{
	(void)arg;
	if (s->files.live)
		buf_printf(out, "%ld", sysconf(_SC_PAGESIZE));
}

void host_read_libc(struct host_source *s, const char *arg, struct buf *out)
{
	char name[128];

	(void)arg;
	if (s->files.live && confstr(_CS_GNU_LIBC_VERSION, name, sizeof(name)) > 0)
		buf_str(out, name);
}

/* Appends lines with the version and core of OpenBLAS; nothing if it is not installed. */
static int ask_openblas(struct buf *answer, struct fault *f)
{
	char *(*config)(void), *(*core)(void);
	const char *text;
	void *library;

	setenv("OPENBLAS_NUM_THREADS", "1", 1); /* do not start threads */
	library = dlopen("libopenblas.so.0", RTLD_LAZY | RTLD_LOCAL);
	if (!library) {
		text = dlerror();
		return text && strstr(text, strerror(ENOENT))
		           ? 0
		           : fault_set(f, "%s", text ? text : "it cannot be loaded");
	}
	*(void **)&config = dlsym(library, "openblas_get_config");
	*(void **)&core = dlsym(library, "openblas_get_corename");
	if (config && (text = config()) && strncmp(text, "OpenBLAS ", 9) == 0)
		buf_put(answer, text + 9, strcspn(text + 9, " "));
	buf_byte(answer, '\n');
	if (core && (text = core()))
		buf_str(answer, text);
	buf_byte(answer, '\n');
	return 0;
}

/*
 * Reads a fact about OpenBLAS. OpenBLAS chooses its kernels when it is loaded, so the
 * library must be loaded to find out.
 */
void host_read_openblas(struct host_source *s, const char *arg, struct buf *out)
{
	enum { TIMEOUT_MS = 5000 };
	struct text rest;
	struct fault f;

	if (!s->openblas_asked && s->files.live &&
	    child_answer(ask_openblas, TIMEOUT_MS, &s->openblas, &f) < 0 && !s->refusal)
		s->refusal = str_format("libopenblas.so.0: %s", f.text);
	s->openblas_asked = true;
	rest = text_in(&s->openblas);
	if (!rest.len)
		return;
	if (strcmp(arg, "core") == 0)
		text_next_line(&rest);
	buf_text(out, text_next_line(&rest));
}

/* Reads the share of stolen time since boot, in percent with two decimals. */
void host_read_steal(struct host_source *s, const char *arg, struct buf *out)
{
	struct buf stat = { 0 };
	struct cpu_ticks t;

	(void)arg;
	if (kernel_file_read(&s->files, "proc/stat", &stat) &&
	    cpu_ticks_parse(text_in(&stat), "cpu", &t) && t.all > 0)
		host_put_value(out, round(t.steal / t.all * 10000) / 100);
	buf_free(&stat);
}
