#pragma once
#include <dirent.h>
#include <errno.h>
#include <seccomp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int csandbox_errno(void) { return errno; }

// strerror keeps its text per thread since glibc 2.32.
static inline const char *csandbox_error_text(int code) { return strerror(code); }

static inline const char *csandbox_entry_name(const struct dirent *entry) { return entry->d_name; }

// The start of a file; -1 when it cannot be read.
ssize_t csandbox_read_file(const char *path, void *bytes, size_t room);

void csandbox_pause(void);
int64_t csandbox_milliseconds(void);

// Whether the handler can answer in the kernel's place on this kind of machine.
int csandbox_knows_machine(void);
int csandbox_has_action(uint32_t action);

// 0 or less without Landlock.
int csandbox_landlock_version(void);
// Whether threads of one process can signal each other although each is scoped by itself: not before 6.12.23.
int csandbox_scope_spares_own_process(void);
// Denies all of these rights; -1 on failure.
int csandbox_make_ruleset(uint64_t files, uint64_t ports, uint64_t scopes);
// Allows these rights for all that is in a directory. It need not exist. -1 on failure.
int csandbox_allow_below(int ruleset, uint64_t rights, const char *directory);
// Allows these rights for a file, also when another takes its place, and so for all others in its directory. It need not
// exist. -1 on failure.
int csandbox_allow_beside(int ruleset, uint64_t rights, const char *file);

static inline uint32_t csandbox_allow(void) { return SCMP_ACT_ALLOW; }
static inline uint32_t csandbox_refuse(uint16_t code) { return SCMP_ACT_ERRNO(code); }
static inline uint32_t csandbox_trap(void) { return SCMP_ACT_TRAP; }

// A call that this machine or the library has no number for stays refused. Returns 0, or an error code, negated.
int csandbox_add_rule(scmp_filter_ctx filter, uint32_t action, const char *call, const struct scmp_arg_cmp *conditions,
                      unsigned int count);

// The file that the handler answers an open() with; -1 on failure. To be made before the filter is taken.
int csandbox_make_stand_in(void);
// What threads are confined by from then on, kept for good, as the handler may be asked for it at any time. Takes the
// ruleset over; -1 is none. Returns 0, or an error code, negated.
int csandbox_take_filter(scmp_filter_ctx filter, int ruleset);
// No other thread is to be confined any more.
void csandbox_drop_ruleset(void);

// Catches SIGSYS: from another thread it asks to confine this one, from the filter it stands for an open(). -1 on failure.
int csandbox_catch_signal(void);
// Why a thread that was asked could not be confined; 0 when all could.
int csandbox_take_failure(void);

int csandbox_this_thread(void);
// How this process's threads are scheduled.
int csandbox_policy(void);
int csandbox_ask(int thread);
// This thread and those that it makes. -1 on failure.
int csandbox_confine_this_thread(void);
// The same by another filter. Takes the ruleset over; -1 is none. Returns 0, or an error code, negated.
int csandbox_confine_this_thread_by(scmp_filter_ctx filter, int ruleset);
