/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that appear whole or not at all, on file systems that have files without a name
 * (O_TMPFILE) and on those that lack them, which this program imitates.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/leftover.h"
#include "sys/partial_file.h"
#include "sys/temp_file.h"
#include "tests/lib/scratch.h"
#include "tests/lib/tap.h"

static bool lacks_unnamed;
static const char *how;

/* Replaces libc's function of this name. */
int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (lacks_unnamed && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	return (int)syscall(SYS_openat, dir, path, flags, mode);
}

/* Returns the number of entries in a directory, whether hidden or not. */
static int entries_in(const char *path)
{
	DIR *dir = opendir(path);
	int count = -2;

	while (dir && readdir(dir))
		count++;
	if (dir)
		closedir(dir);
	return count;
}

static void put(const char *path, const char *content, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || file_write_all(fd, text_of(content)) < 0 || fchmod(fd, mode) < 0 ||
	    close(fd) < 0)
		printf("# %s cannot be prepared\n", path);
}

static bool holds(const char *path, const char *content)
{
	struct buf b = { 0 };
	struct fault f;
	bool same =
	    file_read(path, &b, &f) == 0 && text_is(text_in(&b), content);

	buf_free(&b);
	return same;
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 ? st.st_mode & 07777 : 0;
}

static bool writes(const char *target, int flags)
{
	struct fault f;

	return temp_file_write(target, flags, TEXT("new"), &f) == 0;
}

static void test_new(void)
{
	char longest[256];

	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	umask(027);
	tap_ok(writes("a", TEMP_FILE_OUTPUT) && holds("a", "new") && mode_of("a") == 0640,
	    "temp_file gives a new file the permissions that the umask leaves (%s)", how);
	umask(022);
	tap_ok(writes("b", TEMP_FILE_NEW) && holds("b", "new"),
	    "temp_file creates a file that must be new (%s)", how);
	put("b", "old", 0644);
	errno = 0;
	tap_ok(!writes("b", TEMP_FILE_NEW) && errno == EEXIST && holds("b", "old"),
	    "temp_file does not replace a file if it must be new (%s)", how);
	tap_ok(writes(longest, 0) && holds(longest, "new") && writes(longest, 0),
	    "temp_file creates a file whose name has 255 bytes (%s)", how);
	tap_ok(!writes("none/a", TEMP_FILE_OUTPUT) && errno == ENOENT,
	    "temp_file reports an absent directory (%s)", how);
	tap_ok(!writes(".", TEMP_FILE_OUTPUT) && errno == EISDIR,
	    "temp_file does not replace a directory (%s)", how);
	tap_ok(entries_in(".") == 3, "temp_file leaves no other files (%s)", how);
}

static void test_replace(void)
{
	put("a", "old", 0604);
	tap_ok(writes("a", 0) && holds("a", "new") && mode_of("a") == 0604,
	    "temp_file keeps the permissions of a file that it replaces (%s)", how);
	put("mine", "old", 0600);
	tap_ok(symlink("mine", "link") == 0 && writes("link", TEMP_FILE_OUTPUT) &&
	           holds("mine", "new") && S_ISLNK(mode_of("link") | S_IFLNK) &&
	           readlink("link", (char[8]){ 0 }, 8) == 4,
	    "temp_file follows a link for an output (%s)", how);
	put("mine", "old", 0600);
	tap_ok(symlink("link2", "link1") == 0 && symlink("absent", "link2") == 0 &&
	           writes("link1", TEMP_FILE_OUTPUT) && holds("absent", "new") &&
	           readlink("link1", (char[8]){ 0 }, 8) == 5,
	    "temp_file creates the file to which links lead (%s)", how);
	tap_ok(symlink("loop", "loop") == 0 && !writes("loop", TEMP_FILE_OUTPUT) &&
	           readlink("loop", (char[8]){ 0 }, 8) == 4,
	    "temp_file refuses a link to itself (%s)", how);
	tap_ok(writes("link", 0) && holds("mine", "old") && holds("link", "new") &&
	           readlink("link", (char[8]){ 0 }, 8) < 0,
	    "temp_file replaces a link unless the file is an output (%s)", how);
	tap_ok(mkfifo("pipe", 0600) == 0 && !writes("pipe", 0),
	    "temp_file does not replace a pipe (%s)", how);
	tap_ok(writes("/dev/null", TEMP_FILE_OUTPUT) && !writes("/dev/null", 0) &&
	           entries_in(".") == 8,
	    "temp_file writes output to a device without replacing it (%s)", how);
}

static void test_descriptor(void)
{
	int fd = open("log", O_RDWR | O_CREAT | O_APPEND, 0600);
	char *path = str_format("/dev/fd/%d", fd);

	tap_ok(write(fd, "old ", 4) == 4 && writes(path, TEMP_FILE_OUTPUT) &&
	           holds("log", "old new"),
	    "temp_file writes to an open descriptor at its offset (%s)", how);
	free(path);
	close(fd);
}

/* Begins a file, and keeps it with this content instead of committing it. Returns its path
 * or NULL. */
static char *keeps(const char *target, const char *content)
{
	struct fault f;
	struct temp_file *t = temp_file_open(target, TEMP_FILE_OUTPUT, &f);

	return t && file_write_all(temp_file_fd(t), text_of(content)) == 0
	           ? temp_file_keep(t)
	           : NULL;
}

static void test_keep(void)
{
	char *first, *second, *third, longest[256];
	int before = entries_in(".");

	memset(longest, 'n', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	put("kept", "old", 0640);
	first = keeps("kept", "one");
	second = keeps("./kept", "two");
	tap_ok(first && strcmp(first, "kept.partial") == 0 && holds(first, "one") &&
	           mode_of(first) == 0640 && holds("kept", "old"),
	    "temp_file_keep names the incomplete file after its target (%s)", how);
	tap_ok(second && strcmp(second, "./kept.partial.2") == 0 && holds(second, "two") &&
	           holds("kept.partial", "one"),
	    "temp_file_keep replaces no other incomplete file (%s)", how);
	third = keeps(longest, "three");
	tap_ok(third && strlen(third) < 255 && holds(third, "three"),
	    "temp_file_keep shortens the name of a target of 255 bytes (%s)", how);
	tap_ok(!keeps("empty", "") && !keeps("header", "run,time\n") &&
	           !keeps("/dev/null", "new") && entries_in(".") == before + 4,
	    "temp_file_keep keeps no empty file, no header alone and no device (%s)", how);
	struct buf notes = { 0 };
	temp_file_note_partial("kept.x", &notes);
	tap_ok(!notes.len, "temp_file_note_partial adds nothing without a file (%s)", how);
	temp_file_note_partial("./kept", &notes);
	tap_ok(notes.len && strncmp(notes.ptr, "./kept.partial: ", 16) == 0,
	    "temp_file_note_partial names an incomplete file (%s)", how);
	buf_free(&notes);
	free(first);
	free(second);
	free(third);
}

static void test_name_partial(void)
{
	struct fault f;
	struct temp_file *t;
	char *path;
	int before = entries_in(".");

	put("grows", "old", 0640);
	t = temp_file_open("grows", TEMP_FILE_OUTPUT, &f);
	temp_file_name_partial(t);
	temp_file_name_partial(t);
	tap_ok(holds("grows.partial", "") && holds("grows", "old") &&
	           entries_in(".") == before + 2,
	    "temp_file_name_partial gives a file one name next to its target (%s)", how);
	tap_ok(file_write_all(temp_file_fd(t), TEXT("new")) == 0 &&
	           temp_file_commit(t, &f) == 0 && holds("grows", "new") &&
	           mode_of("grows") == 0640 && entries_in(".") == before + 1,
	    "temp_file_commit renames a file with a partial name (%s)", how);
	t = temp_file_open("grows", TEMP_FILE_OUTPUT, &f);
	temp_file_name_partial(t);
	temp_file_discard(t);
	tap_ok(holds("grows", "new") && entries_in(".") == before + 1,
	    "temp_file_discard removes a file with a partial name (%s)", how);
	t = temp_file_open("grows", TEMP_FILE_OUTPUT, &f);
	temp_file_name_partial(t);
	file_write_all(temp_file_fd(t), TEXT("part"));
	path = temp_file_keep(t);
	tap_ok(path && strcmp(path, "grows.partial") == 0 && holds(path, "part"),
	    "temp_file_keep keeps a partial name (%s)", how);
	free(path);
}

/* Runs a child that begins a file and ends as the function says. Returns its wait status.
 */
static int run_child(void (*end)(struct temp_file *t))
{
	struct temp_file *t;
	struct fault f;
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();

	if (pid == 0) {
		t = temp_file_open("target", 0, &f);
		if (!t || write(temp_file_fd(t), "new", 3) != 3)
			_exit(99);
		end(t);
		_exit(98);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid ? status : -1;
}

static int number;

static void end_by_signal(struct temp_file *t)
{
	(void)t;
	raise(number);
}

static void end_named(struct temp_file *t)
{
	temp_file_name_partial(t);
	raise(number);
}

static void end_by_exit(struct temp_file *t)
{
	(void)t;
	exit(3);
}

static void end_ignoring(struct temp_file *t)
{
	struct fault f;

	raise(SIGHUP);
	_exit(temp_file_commit(t, &f) == 0 ? 0 : 97);
}

static void test_ends(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGXFSZ };
	static const int partial_ends[] = { SIGKILL, SIGTERM, SIGQUIT };
	void (*old)(int);
	int status, before;

	put("target", "old", 0600);
	before = entries_in(".");
	for (size_t i = 0; i < COUNT(numbers); i++) {
		number = numbers[i];
		status = run_child(end_by_signal);
		tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == number &&
		           holds("target", "old") && entries_in(".") == before,
		    "SIG%s ends a program with a temp_file and does not change the old "
		    "file (%s)",
		    sigabbrev_np(number), how);
	}
	status = run_child(end_by_exit);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 3 && holds("target", "old") &&
	           entries_in(".") == before,
	    "temp_file does not change the old file at exit (%s)", how);
	old = signal(SIGHUP, SIG_IGN);
	status = run_child(end_ignoring);
	signal(SIGHUP, old);
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 0 && holds("target", "new"),
	    "temp_file leaves an ignored signal ignored (%s)", how);
	number = SIGKILL;
	run_child(end_by_signal);
	tap_ok(lacks_unnamed == (entries_in(".") > before),
	    "temp_file leaves a file after SIGKILL only if it had a name (%s)", how);
	for (size_t i = 0; i < COUNT(partial_ends); i++) {
		number = partial_ends[i];
		status = run_child(end_named);
		tap_ok(WIFSIGNALED(status) && holds("target.partial", "new"),
		    "a file with a partial name outlasts SIG%s (%s)", sigabbrev_np(number),
		    how);
		unlink("target.partial");
	}
}

int main(void)
{
	for (int i = 0; i < 2; i++) {
		lacks_unnamed = i;
		how = i ? "named" : "unnamed";
		if (!scratch_begin())
			return 1;
		test_new();
		scratch_end();
		memcpy(strrchr(scratch_dir, '.'), ".XXXXXX", 7);
		if (!scratch_begin())
			return 1;
		test_replace();
		test_descriptor();
		test_keep();
		test_name_partial();
		test_ends();
		scratch_end();
		memcpy(strrchr(scratch_dir, '.'), ".XXXXXX", 7);
	}
	return tap_end();
}
