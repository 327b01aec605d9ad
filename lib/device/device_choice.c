/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses devices; see device_choice.h.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "device/device_choice.h"
#include "device/device_family_priv.h"
#include "text/near_name.h"
#include "text/units.h"

char *device_split(const char *value, const char **word)
{
	size_t len = strcspn(value, ":");

	*word = value[len] ? value + len + 1 : NULL;
	return mem_text(value, len);
}

bool device_needs(const char *value, const char *backend)
{
	const char *word;
	char *name = device_split(value, &word);
	const struct device_family *family = device_family(name);
	bool needs = family || strcmp(name, "auto") == 0
	                 ? device_family_needs(family, backend)
	                 : strcmp(name, backend) == 0;

	free(name);
	return needs;
}

static int unknown_backend(const struct devices *d, const char *name, struct fault *f)
{
	struct known_names known = { .advice = "see bench-list backends" };
	const char *family;

	known_names_add(&known, TEXT("auto"));
	for (size_t i = 0; i < d->backends; i++)
		known_names_add(&known, text_of(d->backend[i].file->name));
	for (size_t i = 0; (family = device_family_name(i)); i++)
		if (!devices_backend(d, family))
			known_names_add(&known, text_of(family));
	return unknown_name(f, "unknown backend", text_of(name), &known);
}

int device_check(const struct devices *d, const char *value, struct fault *f)
{
	const char *word;
	char *name = device_split(value, &word);
	const bool known = strcmp(name, "auto") == 0 || device_family(name) ||
	                   devices_backend(d, name) || device_family_of_any(name);
	const int status = known ? 0 : unknown_backend(d, name, f);

	free(name);
	return status;
}

int device_choose_backend(const struct devices *d, const char *name, bool kernel,
    struct device_choice *out, struct buf *note, struct fault *f)
{
	const struct device_family *family = device_family(name);
	const struct device_backend *b;

	*out = (struct device_choice){ 0 };
	if (family || strcmp(name, "auto") == 0)
		return device_family_choose(d, family, kernel, out, note, f);
	b = devices_backend(d, name);
	if (!b && device_family_of_any(name))
		return fault_set(f,
		    "backend '%s' is unavailable: this build has no plug-in '%s' (%s)",
		    name, name, device_family_build(name));
	if (!b)
		return unknown_backend(d, name, f);
	if (!b->count)
		return fault_set(f, "backend '%s' is unavailable: %s", name, b->why);
	*out = (struct device_choice){ .backend = b,
		.device = mem_zero(b->count, sizeof(*out->device)),
		.count = b->count };
	for (size_t i = 0; i < b->count; i++)
		out->device[i] = &d->device[b->first + i];
	return 0;
}

static bool contains_text(const char *text, struct text part)
{
	for (; *text; text++)
		if (strncasecmp(text, part.ptr, part.len) == 0)
			return true;
	return false;
}

static bool is_text(const char *text, struct text other)
{
	return strlen(text) == other.len && strncasecmp(text, other.ptr, other.len) == 0;
}

/* Returns the device with this word, PCI address or number, or the first whose name
 * contains this string; NULL if there is none. */
static const struct device *find_device(const struct device_choice *of, struct text what)
{
	uint64_t number;

	for (size_t i = 0; what.len && i < of->count; i++)
		if (is_text(of->device[i]->about.word, what) ||
		    is_text(of->device[i]->about.pci, what))
			return of->device[i];
	if (what.len && bits_parse(what, &number) && isdigit((unsigned char)*what.ptr))
		return number < of->count ? of->device[number] : NULL;
	for (size_t i = 0; what.len && i < of->count; i++)
		if (contains_text(of->device[i]->about.name, what))
			return of->device[i];
	return NULL;
}

static int unknown_device(const struct device_choice *of, struct text what, struct fault *f)
{
	struct known_names known = { .advice = "see bench-list devices" };
	char *words = str_format("backend '%s' has no device", of->backend->file->name);

	for (size_t i = 0; i < of->count; i++) {
		const struct backend_device *about = &of->device[i]->about;

		known_names_add(&known, text_of(*about->word ? about->word : about->name));
	}
	unknown_name(f, words, what, &known);
	free(words);
	return -1;
}

static int unusable_device(
    const struct device_choice *of, const struct device *device, struct fault *f)
{
	const struct backend_device *about = &device->about;

	return fault_set(f, "device '%s' of backend '%s' is unavailable: %s",
	    *about->word ? about->word : about->name, of->backend->file->name,
	    about->unusable);
}

/* Returns the device that a word selects; NULL and the message if there is none, or if it
 * cannot be used. */
static const struct device *usable_device(
    const struct device_choice *of, struct text what, struct fault *f)
{
	const struct device *device = find_device(of, what);

	if (!device)
		unknown_device(of, what, f);
	else if (*device->about.unusable)
		unusable_device(of, device, f);
	else
		return device;
	return NULL;
}

/* Returns the first device that can be used; NULL and the message if there is none. */
static const struct device *first_device(const struct device_choice *of, struct fault *f)
{
	for (size_t i = 0; i < of->count; i++)
		if (!*of->device[i]->about.unusable)
			return of->device[i];
	unusable_device(of, of->device[0], f);
	return NULL;
}

int device_choose(const struct device_choice *of, const char *word,
    struct device_choice *out, struct fault *f)
{
	size_t most = word ? strlen(word) + 1 : 1;

	*out = (struct device_choice){ .backend = of->backend,
		.device = mem_zero(most, sizeof(*out->device)) };
	for (const char *p = word;; p++) {
		struct text what = { p, p ? strcspn(p, "+") : 0 };
		const struct device *device =
		    p ? usable_device(of, what, f) : first_device(of, f);

		if (!device) {
			device_choice_free(out);
			return -1;
		}
		out->device[out->count++] = device;
		if (!p || !p[what.len])
			return 0;
		p += what.len;
	}
}

bool device_is_emulated(const struct backend_device *about)
{
	return strncmp(about->warning, "emulated", strlen("emulated")) == 0;
}

void device_choice_free(struct device_choice *c)
{
	free(c->device);
	*c = (struct device_choice){ 0 };
}

char *device_name(const struct devices *d, const struct device *device)
{
	for (size_t i = 0; i < d->count; i++)
		if (&d->device[i] != device && d->device[i].backend == device->backend &&
		    strcmp(d->device[i].about.name, device->about.name) == 0)
			return str_format("%s #%u", device->about.name, device->index);
	return str_copy(device->about.name);
}

char *device_value(const struct devices *d, const struct device *device)
{
	const char *backend = d->backend[device->backend].file->name;

	return *device->about.word ? str_format("%s:%s", backend, device->about.word)
	                           : str_format("%s:%u", backend, device->index);
}
