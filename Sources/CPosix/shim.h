#pragma once
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <malloc.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Declared by glibc only under _GNU_SOURCE, which cannot be set for headers that come as a module.
extern int accept4(int fd, struct sockaddr *address, socklen_t *size, int flags);
extern void *memrchr(const void *bytes, int byte, size_t count);

// Where a letter stands next, large or small, or the end. Of a block the compiler compares many bytes at once.
static inline size_t cposix_find_letter(const void *start, size_t from, size_t count, uint8_t small_letter) {
  const uint8_t *bytes = (const uint8_t *)start;
  enum { block = 256 };
  for (; count - from >= block; from += block) {
    uint8_t is_there = 0;
    for (int at = 0; at < block; at++) is_there |= (bytes[from + at] | 0x20) == small_letter;
    if (is_there) break;
  }
  while (from < count && (bytes[from] | 0x20) != small_letter) from++;
  return from;
}

// Where a byte stands next that a JSON string has escaped, or the end.
static inline size_t cposix_find_escaped(const void *start, size_t from, size_t count) {
  const uint8_t *bytes = (const uint8_t *)start;
  enum { block = 16 };
  for (; count - from >= block; from += block) {
    uint8_t is_there = 0;
    for (int at = 0; at < block; at++) {
      uint8_t byte = bytes[from + at];
      is_there |= (byte < 0x20) | (byte == '"') | (byte == 0x5C);
    }
    if (is_there) break;
  }
  while (from < count && bytes[from] >= 0x20 && bytes[from] != '"' && bytes[from] != 0x5C) from++;
  return from;
}
extern int pthread_setname_np(pthread_t thread, const char *name);

// Those this process may run on; 0 when the system does not say.
static inline int cposix_processors(void) {
  unsigned char mask[1024];
  long size = syscall(SYS_sched_getaffinity, 0, sizeof mask, mask);
  int count = 0;
  for (long index = 0; index < size; index++) count += __builtin_popcount(mask[index]);
  return count;
}

static inline int cposix_errno(void) { return errno; }

// strerror keeps its text per thread since glibc 2.32.
static inline const char *cposix_error_text(int code) { return strerror(code); }

// open() is variadic.
static inline int cposix_open_lock_file(const char *path) {
  return open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
}
static inline int cposix_open_appending_secret(const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
}
static inline int cposix_create_secret(const char *path) {
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}
static inline int cposix_open_reading(const char *path) { return open(path, O_RDONLY | O_CLOEXEC); }
static inline int cposix_open_writing(const char *path, int appending) {
  return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (appending ? O_APPEND : O_TRUNC), 0666);
}

// Without following a link, and without waiting for the other end of a pipe.
static inline int cposix_open_plain(const char *path) {
  return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
}

// What has a name in an open directory, be it a link, to be looked at and gone on from. O_PATH is declared only under
// _GNU_SOURCE.
// A directory is asked for first: that mounts what an automounter has there, which O_PATH alone does not.
static inline int cposix_find(int directory, const char *name, int following) {
  const int o_path = 010000000, flags = o_path | O_CLOEXEC | (following ? 0 : O_NOFOLLOW);
  int found = openat(directory, name, flags | O_DIRECTORY);
  return found >= 0 || (errno != ENOTDIR && errno != ELOOP) ? found : openat(directory, name, flags);
}
static inline int cposix_find_start(const char *path) { return cposix_find(AT_FDCWD, path, 1); }
static inline int cposix_open_found(int directory, const char *name, int following) {
  return openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | (following ? 0 : O_NOFOLLOW));
}
// Another user's pipe in the place of a file is not waited for.
static inline int cposix_write_found(int directory, const char *name, int appending, int waiting) {
  int flags = O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (appending ? O_APPEND : 0) | (waiting ? 0 : O_NONBLOCK);
  return openat(directory, name, flags);
}
static inline int cposix_write_new(int directory, const char *name, int appending, uint32_t mode) {
  int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW | (appending ? O_APPEND : 0);
  return openat(directory, name, flags, (mode_t)mode);
}
static inline int cposix_create_secret_in(int directory, const char *name) {
  return openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
}

static inline void cposix_tell_facts(const struct stat *status, uint32_t *kind, uint32_t *owner, uint32_t *mode) {
  *kind = S_ISDIR(status->st_mode) ? 1 : S_ISREG(status->st_mode) ? 2 : S_ISLNK(status->st_mode) ? 3 : 0;
  *owner = status->st_uid;
  *mode = status->st_mode & 07777;
}
static inline int cposix_facts_at(const char *path, uint32_t *kind, uint32_t *owner, uint32_t *mode) {
  struct stat status;
  if (lstat(path, &status) != 0) return -1;
  cposix_tell_facts(&status, kind, owner, mode);
  return 0;
}
static inline int cposix_facts_in(int directory, const char *name, uint32_t *kind, uint32_t *owner, uint32_t *mode) {
  struct stat status;
  if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return -1;
  cposix_tell_facts(&status, kind, owner, mode);
  return 0;
}
static inline int cposix_facts_of(int fd, uint32_t *kind, uint32_t *owner, uint32_t *mode) {
  struct stat status;
  if (fstat(fd, &status) != 0) return -1;
  cposix_tell_facts(&status, kind, owner, mode);
  return 0;
}

// A part is new, or a regular one that is there; -1 for a link.
static inline int cposix_create_part(int directory, const char *name, int is_secret) {
  return openat(directory, name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, is_secret ? 0600 : 0666);
}
static inline int cposix_open_part(int directory, const char *name) {
  return openat(directory, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
}

// Whether another file can take the place of what has a name in a directory: 0 when nothing is there, 1 for a regular
// file of one name that is ours to write; -1 for anything else.
static inline int cposix_is_replaceable(int directory, const char *name) {
  struct stat status;
  if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0) return errno == ENOENT ? 0 : -1;
  int is_ours = S_ISREG(status.st_mode) && status.st_nlink == 1 && status.st_uid == geteuid();
  return is_ours && faccessat(directory, name, W_OK, 0) == 0 ? 1 : -1;
}

// Gives an open file the group and the mode of another one; without the group, nothing to the group.
static inline int cposix_copy_mode(int fd, int directory, const char *name) {
  struct stat status, own;
  if (fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) != 0 || fstat(fd, &own) != 0) return -1;
  mode_t mode = status.st_mode & 0777;
  if (own.st_gid != status.st_gid && fchown(fd, (uid_t)-1, status.st_gid) != 0) mode &= ~(mode_t)070;
  return fchmod(fd, mode);
}

// Takes the number's place when nothing is open there: as the lowest free one it is what open() gives.
static inline int cposix_hold_place(int fd) {
  if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) return 0;
  int held = open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_WRONLY);
  if (held > fd) close(held);
  return held;
}

// Returns the limit as it is then, or -1.
static inline int64_t cposix_raise_descriptor_limit(int64_t wanted) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  if (limit.rlim_cur < (rlim_t)wanted) {
    limit.rlim_cur = limit.rlim_max < (rlim_t)wanted ? limit.rlim_max : (rlim_t)wanted;
    setrlimit(RLIMIT_NOFILE, &limit);
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
  }
  return limit.rlim_cur > INT32_MAX ? INT32_MAX : (int64_t)limit.rlim_cur;
}

static inline int cposix_identity(int fd, uint64_t *device, uint64_t *inode) {
  struct stat status;
  if (fstat(fd, &status) != 0) return -1;
  *device = status.st_dev;
  *inode = status.st_ino;
  return 0;
}

// -1 for what is no regular file.
static inline int64_t cposix_file_size(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? (int64_t)status.st_size : -1;
}

static inline int cposix_is_pipe(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

static inline int cposix_is_file_at(int fd, const char *path) {
  struct stat own, other;
  return fstat(fd, &own) == 0 && stat(path, &other) == 0 && S_ISREG(own.st_mode) && own.st_dev == other.st_dev &&
         own.st_ino == other.st_ino;
}

static inline int cposix_has_other_names(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && status.st_nlink > 1;
}

static inline int cposix_rename_into(const char *path, int directory, const char *name) {
  return renameat(AT_FDCWD, path, directory, name);
}

static inline int cposix_is_file_in(int fd, int directory, const char *name) {
  struct stat own, other;
  return fstat(fd, &own) == 0 && fstatat(directory, name, &other, AT_SYMLINK_NOFOLLOW) == 0 &&
         own.st_dev == other.st_dev && own.st_ino == other.st_ino;
}

static inline int64_t cposix_free_bytes(const char *path) {
  struct statvfs status;
  return statvfs(path, &status) == 0 ? (int64_t)(status.f_bavail * status.f_frsize) : -1;
}

static inline int64_t cposix_total_bytes(const char *path) {
  struct statvfs status;
  return statvfs(path, &status) == 0 ? (int64_t)(status.f_blocks * status.f_frsize) : -1;
}

// Through links.
static inline int cposix_file_identity(const char *path, uint64_t *device, uint64_t *inode) {
  struct stat status;
  if (stat(path, &status) != 0) return -1;
  *device = status.st_dev;
  *inode = status.st_ino;
  return 0;
}

// The name of a user in the passwd database. Returns its size, or -1 without one.
static inline int cposix_user_name(uint32_t id, char *name, size_t size) {
  struct passwd entry, *found = NULL;
  char text[16384];
  if (getpwuid_r((uid_t)id, &entry, text, sizeof text, &found) != 0 || found == NULL) return -1;
  size_t length = strlen(found->pw_name);
  if (length == 0 || length >= size) return -1;
  memcpy(name, found->pw_name, length + 1);
  return (int)length;
}

static inline const char *cposix_entry_name(const struct dirent *entry) { return entry->d_name; }

static inline int cposix_is_directory(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static inline int cposix_terminal_width(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

static inline int cposix_terminal_height(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_row : 0;
}

// Signals are for the threads that Swift made; ours sit in system calls that they would only interrupt. By SIGSYS alone each
// thread is asked something, as Swift's own are.
// Linux refuses names longer than 15 bytes.
static inline void cposix_prepare_this_thread(const char *name, int niceness) {
  // Linux has a niceness for each thread.
  if (niceness != 0) setpriority(PRIO_PROCESS, 0, niceness);
  sigset_t all;
  sigfillset(&all);
  sigdelset(&all, SIGSYS);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
  char cut[16];
  strncpy(cut, name, 15);
  cut[15] = 0;
  pthread_setname_np(pthread_self(), cut);
}

// Blocks from this size on are mapped one by one, and unmapped when they are freed. Fixing that fixes also from which
// size on the end of the heap is given back, at 128 KiB: taken and given back for every page, it costs a tenth of the time.
static inline void cposix_map_blocks_from(int bytes, int heap_end) {
  mallopt(M_MMAP_THRESHOLD, bytes);
  mallopt(M_TRIM_THRESHOLD, heap_end);
}

static inline void cposix_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }

// Waits for a descriptor (reading or writing) and for a second one to become readable; -1 leaves either out.
// Returns bits: 1 the first is ready or broken, 2 the second is; 0 after the time; -1 on error.
static inline int cposix_wait(int fd, int for_writing, int stop_fd, int milliseconds) {
  struct pollfd watched[2] = {{fd, for_writing ? POLLOUT : POLLIN, 0}, {stop_fd, POLLIN, 0}};
  int count = poll(watched, 2, milliseconds);
  if (count <= 0) return count;
  return (watched[0].revents ? 1 : 0) | (watched[1].revents ? 2 : 0);
}

static inline struct sockaddr_in cposix_loopback(uint16_t port) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

static inline int cposix_tcp_socket(void) { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0); }

// A port that is reusable can be taken while connections of an earlier run wait out their time, if that run took it so too.
static inline int cposix_bind_loopback(int fd, uint16_t port, int reusable) {
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reusable, sizeof reusable) != 0) return -1;
  struct sockaddr_in address = cposix_loopback(port);
  return bind(fd, (struct sockaddr *)&address, sizeof address);
}

static inline int cposix_connect_loopback(int fd, uint16_t port) {
  struct sockaddr_in address = cposix_loopback(port);
  return connect(fd, (struct sockaddr *)&address, sizeof address);
}

// The outcome of a connect that had to wait: 0 or an error code.
static inline int cposix_pending_error(int fd) {
  int code = 0;
  socklen_t size = sizeof code;
  return getsockopt(fd, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno;
}

static inline int cposix_bound_port(int fd) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  if (getsockname(fd, (struct sockaddr *)&address, &size) != 0) return -1;
  if (address.ss_family == AF_UNIX) return 0;
  return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                             : ((struct sockaddr_in *)&address)->sin_port);
}

// The address of a TCP socket's peer in two halves, IPv4 ones as RFC 4291 maps them; -1 for any other descriptor.
static inline int cposix_peer(int fd, uint64_t *high, uint64_t *low, uint16_t *port) {
  struct sockaddr_storage address;
  socklen_t size = sizeof address;
  uint8_t bytes[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (getpeername(fd, (struct sockaddr *)&address, &size) != 0) return -1;
  if (address.ss_family == AF_INET) {
    memcpy(bytes + 12, &((struct sockaddr_in *)&address)->sin_addr, 4);
    *port = ntohs(((struct sockaddr_in *)&address)->sin_port);
  } else if (address.ss_family == AF_INET6) {
    memcpy(bytes, &((struct sockaddr_in6 *)&address)->sin6_addr, 16);
    *port = ntohs(((struct sockaddr_in6 *)&address)->sin6_port);
  } else {
    return -1;
  }
  *high = *low = 0;
  for (int index = 0; index < 8; index++) {
    *high = *high << 8 | bytes[index];
    *low = *low << 8 | bytes[8 + index];
  }
  return 0;
}

// Bytes of a TCP socket that its peer has acknowledged, which stand behind what the C library's tcp_info has; 0 when the
// kernel does not tell.
static inline uint64_t cposix_acknowledged_bytes(int fd) {
  const int tcp_info = 11, place = 120;
  uint8_t information[256];
  socklen_t size = sizeof information;
  uint64_t bytes = 0;
  if (getsockopt(fd, IPPROTO_TCP, tcp_info, information, &size) != 0 || size < place + sizeof bytes) return 0;
  memcpy(&bytes, information + place, sizeof bytes);
  return bytes;
}

static inline int cposix_shut_down(int fd) { return shutdown(fd, SHUT_RDWR); }

// A TCP socket bound to an IPv4 or IPv6 address; EINVAL for other texts.
static inline int cposix_bound_tcp_socket(const char *text, uint16_t port) {
  struct sockaddr_in v4;
  struct sockaddr_in6 v6;
  memset(&v4, 0, sizeof v4);
  memset(&v6, 0, sizeof v6);
  v4.sin_family = AF_INET;
  v6.sin6_family = AF_INET6;
  v4.sin_port = v6.sin6_port = htons(port);
  const int is_v4 = inet_pton(AF_INET, text, &v4.sin_addr) == 1;
  if (!is_v4 && inet_pton(AF_INET6, text, &v6.sin6_addr) != 1) {
    errno = EINVAL;
    return -1;
  }
  const int fd = socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;
  if (fd < 0) return -1;
  if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
      (is_v4 || setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on) == 0) &&
      bind(fd, is_v4 ? (struct sockaddr *)&v4 : (struct sockaddr *)&v6, is_v4 ? sizeof v4 : sizeof v6) == 0)
    return fd;
  const int code = errno;
  close(fd);
  errno = code;
  return -1;
}

static inline int cposix_accept(int fd) { return accept4(fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK); }

// A peer that is gone gives EPIPE, never a signal.
static inline ssize_t cposix_send(int fd, const void *bytes, size_t count) {
  return send(fd, bytes, count, MSG_NOSIGNAL);
}

static inline int cposix_shutdown_writing(int fd) { return shutdown(fd, SHUT_WR); }

// The coming close becomes a reset, and what has not been sent yet is thrown away.
static inline int cposix_reset_on_close(int fd) {
  struct linger setting = {1, 0};
  return setsockopt(fd, SOL_SOCKET, SO_LINGER, &setting, sizeof setting);
}

// A path, or behind '@' a name in the abstract namespace. Returns the size of the address, or -1.
static inline int cposix_local_address(const char *name, struct sockaddr_un *address) {
  size_t length = strlen(name);
  if (length < 2 || (name[0] != '/' && name[0] != '@')) {
    errno = EINVAL;
    return -1;
  }
  if (length >= sizeof address->sun_path) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, name, length);
  if (name[0] == '@') address->sun_path[0] = 0;
  return (int)(offsetof(struct sockaddr_un, sun_path) + length + (name[0] == '/'));
}

static inline int cposix_local_stream_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

// 0 when nothing has the path, 1 for a socket of this user; -1 for anything else.
static inline int cposix_is_own_socket(const char *path) {
  struct stat status;
  if (lstat(path, &status) != 0) return errno == ENOENT ? 0 : -1;
  return S_ISSOCK(status.st_mode) && status.st_uid == geteuid() ? 1 : -1;
}

// Gives a listener of another process the flags of our own; EINVAL if it does not listen.
static inline int cposix_take_listener(int fd) {
  int type = 0, listens = 0;
  socklen_t size = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) != 0) return -1;
  if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0) return -1;
  if (type != SOCK_STREAM || !listens) {
    errno = EINVAL;
    return -1;
  }
  return fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) == 0 ? fd : -1;
}

// Small writes do not wait for the peer's acknowledgement of earlier ones, and a peer that acknowledges nothing for so
// long is gone. Accepted sockets have it from the one that listens. Does nothing to other sockets.
static inline void cposix_prepare_server_socket(int fd, unsigned int milliseconds) {
  const int tcp_nodelay = 1, tcp_user_timeout = 18, on = 1;
  setsockopt(fd, IPPROTO_TCP, tcp_nodelay, &on, sizeof on);
  setsockopt(fd, IPPROTO_TCP, tcp_user_timeout, &milliseconds, sizeof milliseconds);
}

static inline int cposix_datagram_socket(void) { return socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0); }

static inline int cposix_bind_local(int fd, const char *name) {
  struct sockaddr_un address;
  int size = cposix_local_address(name, &address);
  return size < 0 ? -1 : bind(fd, (struct sockaddr *)&address, (socklen_t)size);
}

// What is sent then waits a second at most for room at the receiver.
static inline int cposix_connect_local(int fd, const char *name) {
  struct sockaddr_un address;
  int size = cposix_local_address(name, &address);
  if (size < 0) return -1;
  struct timeval limit = {1, 0};
  if (setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit) != 0) return -1;
  return connect(fd, (struct sockaddr *)&address, (socklen_t)size);
}

static inline int cposix_event_counter(unsigned int start, int as_semaphore) {
  return eventfd(start, EFD_CLOEXEC | EFD_NONBLOCK | (as_semaphore ? EFD_SEMAPHORE : 0));
}

static inline int cposix_lock_now(int fd) { return flock(fd, LOCK_EX | LOCK_NB); }
static inline int cposix_share_lock_now(int fd) { return flock(fd, LOCK_SH | LOCK_NB); }

// What /proc/locks calls an open file. Returns the size of that, or -1.
static inline int cposix_lock_name(int fd, char *name, size_t size) {
  struct stat status;
  if (fstat(fd, &status) != 0) return -1;
  int length = snprintf(name, size, "%02x:%02x:%llu", major(status.st_dev), minor(status.st_dev),
                        (unsigned long long)status.st_ino);
  return length < (int)size ? length : -1;
}

static inline int cposix_make_private_directory(const char *path) { return mkdir(path, 0700); }

static inline int cposix_epoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int cposix_epoll_control(int epoll, int operation, int fd, uint32_t events, uint64_t id) {
  struct epoll_event event;
  memset(&event, 0, sizeof event);
  event.events = events;
  event.data.u64 = id;
  return epoll_ctl(epoll, operation, fd, &event);
}

static inline int cposix_epoll_remove(int epoll, int fd) {
  return cposix_epoll_control(epoll, EPOLL_CTL_DEL, fd, 0, 0);
}

// What a descriptor is ready for, or watched for: 1 reading, 2 writing, 4 the peer has finished writing, 8 it is broken, 16
// one event only.
struct cposix_event {
  uint64_t id;
  uint32_t what;
};

static inline int cposix_epoll_watch(int epoll, int fd, uint64_t id, uint32_t what, int is_new) {
  uint32_t events = (what & 1 ? EPOLLIN : 0) | (what & 2 ? EPOLLOUT : 0) | (what & 4 ? EPOLLRDHUP : 0) |
                    (what & 16 ? EPOLLONESHOT : 0);
  return cposix_epoll_control(epoll, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, fd, events, id);
}

// Waits until something is ready, and writes what that was.
static inline int cposix_epoll_wait(int epoll, struct cposix_event *found, int most, int milliseconds) {
  struct epoll_event events[64];
  int count = epoll_wait(epoll, events, most < 64 ? most : 64, milliseconds);
  for (int index = 0; index < count; index++) {
    uint32_t what = events[index].events;
    found[index].id = events[index].data.u64;
    found[index].what = (what & EPOLLIN ? 1 : 0) | (what & EPOLLOUT ? 2 : 0) | (what & EPOLLRDHUP ? 4 : 0) |
                        (what & (EPOLLERR | EPOLLHUP) ? 8 : 0);
  }
  return count;
}

// Written to by the handler alone: a write is all that a signal handler may safely do.
static int cposix_signal_pipe = -1;

static inline void cposix_pass_signal_on(int number) {
  int saved = errno;
  unsigned char byte = (unsigned char)number;
  ssize_t ignored = write(cposix_signal_pipe, &byte, 1);
  (void)ignored;
  errno = saved;
}

static int cposix_signal_reader = -1;

// Returns the end to read caught signals from, the same each time.
static inline int cposix_catch_signals_through_pipe(void) {
  int ends[2];
  if (cposix_signal_reader >= 0) return cposix_signal_reader;
  if (pipe(ends) != 0) return -1;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  cposix_signal_pipe = ends[1];
  return cposix_signal_reader = ends[0];
}

// What the parent had ignored, as shells do for background jobs and nohup for its child, stays ignored, unless always.
static inline int cposix_catch_signal(int number, int always) {
  struct sigaction action;
  if (!always && sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) return 0;
  memset(&action, 0, sizeof action);
  action.sa_handler = cposix_pass_signal_on;
  action.sa_flags = SA_RESTART;
  return sigaction(number, &action, NULL);
}

static inline void cposix_restore_signal(int number) { signal(number, SIG_DFL); }

extern char **environ;
static inline char **cposix_environment(void) { return environ; }

extern int pipe2(int ends[2], int flags);
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// Returns the writing end, which no other child inherits; a child's standard input is the reading end.
static inline int cposix_make_pipe(int *reading) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  *reading = ends[0];
  return ends[1];
}

// Our threads block signals, and ignored ones would stay ignored: a child starts with neither. A stream of -1 is shared
// with the child, and so is the environment when there are no variables. A child in a session of its own has no terminal.
static inline int cposix_spawn(int32_t *id, const char *path, char *const *words, char *const *variables,
                               const int *streams, int in_own_session) {
  // Declared by glibc only under _GNU_SOURCE.
  const short set_session = 0x80;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
    if (streams[stream] >= 0) posix_spawn_file_actions_adddup2(&actions, streams[stream], stream);
  }
  posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setflags(&attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
                             (in_own_session ? set_session : POSIX_SPAWN_SETPGROUP));
  pid_t child = 0;
  int code = posix_spawn(&child, path, &actions, &attributes, words, variables[0] == NULL ? environ : variables);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  *id = child;
  return code;
}

enum { CPOSIX_CHILD_ENDED, CPOSIX_CHILD_STOPPED, CPOSIX_CHILD_GOES_ON };

// Waits until the child ends, without reaping it, so that the id stays its own; or until it is stopped or goes on.
static inline int cposix_wait_for_change(int32_t id) {
  for (;;) {
    siginfo_t change = {0}, taken = {0};
    if (waitid(P_PID, (id_t)id, &change, WEXITED | WSTOPPED | WCONTINUED | WNOWAIT) != 0) {
      if (errno == EINTR) continue;
      return CPOSIX_CHILD_ENDED;
    }
    if (change.si_code != CLD_STOPPED && change.si_code != CLD_CONTINUED) return CPOSIX_CHILD_ENDED;
    waitid(P_PID, (id_t)id, &taken, WSTOPPED | WCONTINUED | WNOHANG);
    if (taken.si_code == CLD_STOPPED) return CPOSIX_CHILD_STOPPED;
    if (taken.si_code == CLD_CONTINUED) return CPOSIX_CHILD_GOES_ON;
  }
}

// The exit status, or the signal that killed it as a negative number.
static inline int cposix_reap(int32_t id) {
  int status = 0;
  while (waitpid(id, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

// A descriptor for a process, which cannot come to mean another one that has its id later.
static inline int cposix_open_process(int32_t id) { return (int)syscall(SYS_pidfd_open, id, 0); }
static inline int cposix_signal_process(int fd, int number) {
  return (int)syscall(SYS_pidfd_send_signal, fd, number, NULL, 0);
}
