#define _GNU_SOURCE
#include "CSandbox.h"
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>

// Linux's own numbers, which older headers lack. They are the same on every machine.
enum {
  landlock_create_ruleset = 444,
  landlock_add_rule = 445,
  landlock_restrict_self = 446,
  landlock_ask_version = 1,
  landlock_ask_errata = 2,
  landlock_path_beneath = 1,
};

ssize_t csandbox_read_file(const char *path, void *bytes, size_t room) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return -1;
  ssize_t count = read(file, bytes, room);
  close(file);
  return count;
}

void csandbox_pause(void) {
  struct timespec millisecond = {0, 1000000};
  nanosleep(&millisecond, NULL);
}

int64_t csandbox_milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int csandbox_has_action(uint32_t action) {
  if (syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0) return 1;
  // A filter around this process may forbid the question, and not the other way to a filter.
  return errno == EPERM && prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
}

int csandbox_landlock_version(void) { return (int)syscall(landlock_create_ruleset, NULL, 0, landlock_ask_version); }

int csandbox_scope_spares_own_process(void) {
  long errata = syscall(landlock_create_ruleset, NULL, 0, landlock_ask_errata);
  return errata > 0 && (errata & 0x2) != 0;
}

int csandbox_make_ruleset(uint64_t files, uint64_t ports, uint64_t scopes) {
  // A kernel that is older than the last ones takes them as long as they are 0.
  uint64_t rights[] = {files, ports, scopes};
  return (int)syscall(landlock_create_ruleset, rights, sizeof rights, 0);
}

int csandbox_allow_below(int ruleset, uint64_t rights, const char *directory) {
  struct __attribute__((packed)) {
    uint64_t allowed;
    int32_t directory;
  } rule = {rights, open(directory, O_PATH | O_CLOEXEC)};
  if (rule.directory < 0) return 0;
  int result = (int)syscall(landlock_add_rule, ruleset, landlock_path_beneath, &rule, 0);
  close(rule.directory);
  return result;
}

int csandbox_allow_beside(int ruleset, uint64_t rights, const char *file) {
  char *path = realpath(file, NULL);
  if (path == NULL) return 0;
  char *slash = strrchr(path, '/');
  int result = 0;
  if (slash != path) {
    *slash = 0;
    result = csandbox_allow_below(ruleset, rights, path);
  }
  free(path);
  return result;
}

int csandbox_add_rule(scmp_filter_ctx filter, uint32_t action, const char *call, const struct scmp_arg_cmp *conditions,
                      unsigned int count) {
  int number = seccomp_syscall_resolve_name(call);
  return number == __NR_SCMP_ERROR ? 0 : seccomp_rule_add_array(filter, action, number, count, conditions);
}

// Named by the kernel's headers alone, which clash with the C library's.
#ifndef SYS_SECCOMP
#define SYS_SECCOMP 1
#endif

// Set before the first signal.
static struct sock_fprog program;
static int ruleset = -1;
static int stand_in = -1;
static int failure;
static __thread int is_confined;

// Async-signal-safe.
static int confine(const struct sock_fprog *program, int ruleset) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (ruleset >= 0 && syscall(landlock_restrict_self, ruleset, 0) != 0) return -1;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0);
}

// Async-signal-safe.
int csandbox_confine_this_thread(void) {
  if (is_confined) return 0;
  if (confine(&program, ruleset) != 0) return -1;
  is_confined = 1;
  return 0;
}

// "/proc/NUMBER/stat"
static int is_state_of_thread(const char *path) {
  const char *start = "/proc/", *end = "/stat";
  while (*start) {
    if (*path++ != *start++) return 0;
  }
  if (*path < '0' || *path > '9') return 0;
  while (*path >= '0' && *path <= '9') path++;
  while (*end) {
    if (*path++ != *end++) return 0;
  }
  return *path == 0;
}

// Once a second, if more waits than its threads take, libdispatch looks into /proc at whether these threads run, and
// ends the process when it cannot. It is given a file that says they do. One thread looks, so its position can be shared.
static long answer_open(const char *path) {
  if (!is_state_of_thread(path)) return -EPERM;
  if (lseek(stand_in, 0, SEEK_SET) != 0) return -errno;
  int copy = fcntl(stand_in, F_DUPFD_CLOEXEC, 0);
  return copy < 0 ? -errno : copy;
}

#if defined(__x86_64__)
int csandbox_knows_machine(void) { return 1; }

static void answer(int call, mcontext_t *machine) {
  long long path = machine->gregs[call == SYS_openat ? REG_RSI : REG_RDI];
  machine->gregs[REG_RAX] = answer_open((const char *)path);
}
#elif defined(__aarch64__)
int csandbox_knows_machine(void) { return 1; }

// There is no open() besides openat().
static void answer(int call, mcontext_t *machine) {
  (void)call;
  machine->regs[0] = (unsigned long long)answer_open((const char *)machine->regs[1]);
}
#else
int csandbox_knows_machine(void) { return 0; }

static void answer(int call, mcontext_t *machine) { (void)call, (void)machine; }
#endif

static void handle(int number, siginfo_t *information, void *context) {
  int saved = errno;
  (void)number;
  if (information->si_code == SI_TKILL) {
    if (csandbox_confine_this_thread() != 0) __atomic_store_n(&failure, errno, __ATOMIC_RELAXED);
  } else if (information->si_code == SYS_SECCOMP) {
    answer(information->si_syscall, &((ucontext_t *)context)->uc_mcontext);
  }
  errno = saved;
}

int csandbox_take_failure(void) { return __atomic_exchange_n(&failure, 0, __ATOMIC_RELAXED); }

int csandbox_make_stand_in(void) {
  static const char state[] = "1 (thread) R 1\n";
  const ssize_t size = sizeof state - 1;
  int file = memfd_create("state", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) return -1;
  if (write(file, state, (size_t)size) != size ||
      fcntl(file, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) != 0) {
    close(file);
    return -1;
  }
  return stand_in = file;
}

// As the kernel takes it. The instructions are the caller's. Returns 0, or an error code, negated.
static int export(scmp_filter_ctx filter, struct sock_fprog *program) {
  int file = memfd_create("filter", MFD_CLOEXEC);
  if (file < 0) return -errno;
  int code = seccomp_export_bpf(filter, file);
  off_t size = lseek(file, 0, SEEK_END);
  void *instructions = code == 0 && size > 0 ? malloc((size_t)size) : NULL;
  if (code == 0 && (instructions == NULL || pread(file, instructions, (size_t)size, 0) != size)) code = -EIO;
  close(file);
  if (code != 0) {
    free(instructions);
    return code;
  }
  program->filter = instructions;
  program->len = (unsigned short)((size_t)size / sizeof(struct sock_filter));
  return 0;
}

int csandbox_take_filter(scmp_filter_ctx filter, int made_ruleset) {
  int code = export(filter, &program);
  if (code == 0) ruleset = made_ruleset;
  return code;
}

int csandbox_confine_this_thread_by(scmp_filter_ctx filter, int made_ruleset) {
  struct sock_fprog own = {0};
  int code = export(filter, &own);
  if (code == 0 && confine(&own, made_ruleset) != 0) code = -errno;
  free(own.filter);
  if (made_ruleset >= 0) close(made_ruleset);
  return code;
}

void csandbox_drop_ruleset(void) {
  if (ruleset >= 0) close(ruleset);
  ruleset = -1;
}

int csandbox_catch_signal(void) {
  struct sigaction action = {0};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigfillset(&action.sa_mask);
  return sigaction(SIGSYS, &action, NULL);
}

int csandbox_policy(void) { return sched_getscheduler(0); }

int csandbox_this_thread(void) { return (int)syscall(SYS_gettid); }

int csandbox_ask(int thread) { return (int)syscall(SYS_tgkill, getpid(), thread, SIGSYS); }
