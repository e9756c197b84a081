#pragma once
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <zmq.h>

// A draft option in the header, and a stable one in the library since 4.3.0.
#ifndef ZMQ_ZAP_ENFORCE_DOMAIN
#define ZMQ_ZAP_ENFORCE_DOMAIN 93
#endif

static inline void *czmq_terminate(void *context) {
  while (zmq_ctx_term(context) != 0 && zmq_errno() == EINTR) continue;
  return NULL;
}

// Waits until the last socket has let go, so it has a thread of its own. Without one the context stays: it is the
// process's end, or near it.
static inline void czmq_terminate_in_background(void *context) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, czmq_terminate, context) == 0) pthread_detach(thread);
}
