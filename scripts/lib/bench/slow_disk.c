// Makes every fsync take as many milliseconds longer as SLOW_DISK says. To be preloaded.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static int slowly(const char *name, int file) {
  usleep(1000 * atoi(getenv("SLOW_DISK")));
  int (*call)(int) = dlsym(RTLD_NEXT, name);
  return call(file);
}

int fsync(int file) { return slowly("fsync", file); }
int fdatasync(int file) { return slowly("fdatasync", file); }
