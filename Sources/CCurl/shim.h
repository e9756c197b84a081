#pragma once
#include <arpa/inet.h>
#include <curl/curl.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// The type checks of curl's header turn these into macros, which Swift cannot import.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

// The macro does not import.
static inline const curl_version_info_data *halyard_curl_facts(void) {
  return curl_version_info(CURLVERSION_NOW);
}

static inline CURLcode halyard_set_long(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode halyard_set_string(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}

static inline CURLcode halyard_set_error_buffer(CURL *handle, char *buffer) {
  return curl_easy_setopt(handle, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode halyard_set_header_list(CURL *handle, struct curl_slist *list) {
  return curl_easy_setopt(handle, CURLOPT_HTTPHEADER, list);
}

static inline CURLcode halyard_set_tag(CURL *handle, size_t tag) {
  return curl_easy_setopt(handle, CURLOPT_PRIVATE, (void *)tag);
}

static inline CURLcode halyard_get_tag(CURL *handle, size_t *tag) {
  char *pointer = NULL;
  CURLcode code = curl_easy_getinfo(handle, CURLINFO_PRIVATE, &pointer);
  *tag = (size_t)pointer;
  return code;
}

static inline CURLcode halyard_get_long(CURL *handle, CURLINFO info, long *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode halyard_get_offset(CURL *handle, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(handle, info, value);
}

static inline CURLcode halyard_get_list(CURL *handle, CURLINFO info, struct curl_slist **list) {
  return curl_easy_getinfo(handle, info, list);
}

typedef size_t (*halyard_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*halyard_request_callback)(void *context, char *remote, char *local, int remote_port, int local_port);

static inline CURLcode halyard_set_socket_callback(CURL *handle, curl_opensocket_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
}

static inline CURLcode halyard_set_body_callback(CURL *handle, halyard_data_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_WRITEDATA, context);
}

static inline CURLcode halyard_set_header_callback(CURL *handle, halyard_data_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_HEADERDATA, context);
}

static inline CURLcode halyard_set_tls_callback(CURL *handle, curl_ssl_ctx_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_SSL_CTX_DATA, context);
}

static inline CURLcode halyard_set_request_callback(CURL *handle, halyard_request_callback callback, void *context) {
  CURLcode code = curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
  return code != CURLE_OK ? code : curl_easy_setopt(handle, CURLOPT_PREREQDATA, context);
}

static const curl_socket_t halyard_no_socket = CURL_SOCKET_BAD;
static const int halyard_refuse_request = CURL_PREREQFUNC_ABORT;
static const int halyard_allow_request = CURL_PREREQFUNC_OK;

// From netdb.h, where they stand behind _GNU_SOURCE.
static const int halyard_no_data = -5;
static const int halyard_no_address_family = -9;
static const int halyard_numeric_host = NI_NUMERICHOST;

// Threads of this kind take no signals; SIGPIPE of a TLS write to a closed socket stays pending.
static inline int halyard_open_socket(const struct curl_sockaddr *address, int *error) {
  int opened = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  *error = opened < 0 ? errno : 0;
  return opened;
}

// The port of an IPv4 or IPv6 address; 0 for any other family.
static inline uint16_t halyard_port(const void *bytes, size_t size) {
  const struct sockaddr *address = bytes;
  if (address->sa_family == AF_INET && size >= sizeof(struct sockaddr_in))
    return ntohs(((const struct sockaddr_in *)bytes)->sin_port);
  if (address->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6))
    return ntohs(((const struct sockaddr_in6 *)bytes)->sin6_port);
  return 0;
}

static inline uint16_t halyard_dialled_port(const struct curl_sockaddr *address) {
  return halyard_port(&address->addr, address->addrlen);
}

// Both ports of a connected socket and its peer's address as text; 0 when it is none.
static inline int halyard_socket_name(int number, uint16_t *local, uint16_t *remote, char *text, socklen_t size) {
  struct sockaddr_storage own, peer;
  socklen_t own_size = sizeof(own), peer_size = sizeof(peer);
  if (getsockname(number, (struct sockaddr *)&own, &own_size) != 0) return 0;
  if (getpeername(number, (struct sockaddr *)&peer, &peer_size) != 0) return 0;
  *local = halyard_port(&own, own_size);
  *remote = halyard_port(&peer, peer_size);
  const void *bytes = NULL;
  if (peer.ss_family == AF_INET) bytes = &((const struct sockaddr_in *)(const void *)&peer)->sin_addr;
  if (peer.ss_family == AF_INET6) bytes = &((const struct sockaddr_in6 *)(const void *)&peer)->sin6_addr;
  return bytes != NULL && inet_ntop(peer.ss_family, bytes, text, size) != NULL;
}

// Bytes that a TCP socket has received since it was connected; -1 when it is none. The kernel's ABI fixes where they
// stand in its `tcp_info`; the C library's own definition of that ends before them.
static inline int64_t halyard_received_bytes(int number) {
  const int tcp_info = 11;
  const size_t place = 128;
  uint64_t information[32] = {0}, received = 0;
  socklen_t size = sizeof(information);
  if (getsockopt(number, IPPROTO_TCP, tcp_info, information, &size) != 0) return -1;
  if (size < place + sizeof(received)) return -1;
  memcpy(&received, (const char *)information + place, sizeof(received));
  return (int64_t)received;
}

// 1 when this process or the whole system has no descriptor left.
static inline int halyard_lacks_descriptors(void) {
  int opened = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (opened < 0) return errno == EMFILE || errno == ENFILE;
  close(opened);
  return 0;
}

// 1 for errors of this machine's own means, which say nothing about the peer.
static inline int halyard_is_own_shortage(long error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM || error == EADDRNOTAVAIL;
}

static inline const char *halyard_authority_file(void) { return curl_version_info(CURLVERSION_NOW)->cainfo; }

// 1 when libcurl was built with a file of trusted authorities and that file can be read.
static inline int halyard_has_authority_file(void) {
  const char *path = halyard_authority_file();
  return path != NULL && access(path, R_OK) == 0;
}

// Answers the connection that libcurl has just made to the listener in `context`, with what is no TLS.
static inline CURLcode halyard_answer_handshake(CURL *handle, void *tls, void *context) {
  int peer = accept(*(const int *)context, NULL, NULL);
  if (peer < 0) return CURLE_ABORTED_BY_CALLBACK;
  send(peer, "no TLS", 6, MSG_NOSIGNAL);
  close(peer);
  return CURLE_OK;
}

// libcurl reads a file of authorities only when a handshake is answered, so it begins one with a listener of its own
// on loopback: CURLE_SSL_CACERT_BADFILE when it cannot load the file, and another failure when it can.
static inline CURLcode halyard_try_authorities(CURL *handle, const char *path) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof(address);
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0) return CURLE_COULDNT_CONNECT;
  CURLcode code = CURLE_COULDNT_CONNECT;
  if (bind(listener, (struct sockaddr *)&address, size) == 0 && listen(listener, 1) == 0 &&
      getsockname(listener, (struct sockaddr *)&address, &size) == 0) {
    curl_easy_setopt(handle, CURLOPT_URL, "https://127.0.0.1/");
    curl_easy_setopt(handle, CURLOPT_PORT, (long)ntohs(address.sin_port));
    curl_easy_setopt(handle, CURLOPT_PROXY, "");
    curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(handle, CURLOPT_CAINFO, path);
    curl_easy_setopt(handle, CURLOPT_CAPATH, NULL);
    curl_easy_setopt(handle, CURLOPT_SSL_CTX_FUNCTION, halyard_answer_handshake);
    curl_easy_setopt(handle, CURLOPT_SSL_CTX_DATA, &listener);
    curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, 5000L);
    code = curl_easy_perform(handle);
  }
  close(listener);
  return code;
}

typedef void (*halyard_message_callback)(int is_sent, int version, int type, const void *bytes, size_t size, void *tls, void *context);
typedef long (*halyard_bio_callback)(void *bio, int operation, const char *bytes, size_t size, int a, long b, int result, size_t *done);

// Functions of the OpenSSL of this process, which is the one that libcurl uses; its headers need not be here.
struct halyard_openssl {
  int is_whole;
  int (*is_finished)(const void *tls);
  void *(*reading_bio)(const void *tls);
  uint64_t (*bytes_read)(void *bio);
  void (*clear_flags)(void *bio, int flags);
  void (*set_flags)(void *bio, int flags);
  void (*watch_bio)(void *bio, halyard_bio_callback callback);
  void (*set_note)(void *bio, char *note);
  char *(*note)(const void *bio);
  void (*watch_context)(void *context, halyard_message_callback callback);
  void (*watch)(void *tls, halyard_message_callback callback);
  void (*new_error)(void);
  void (*set_error)(int library, int reason, const char *format, ...);
  long (*control_context)(void *context, int command, long number, void *pointer);
  uint64_t (*set_options)(void *context, uint64_t options);
};

// All of them, or none where libcurl uses another library or an older one. Swift emits no variables of a header but those
// of its functions.
static inline struct halyard_openssl *halyard_openssl(void) {
  static struct halyard_openssl found;
  return &found;
}

static inline void halyard_find_openssl(void) {
  const char *name = curl_version_info(CURLVERSION_NOW)->ssl_version;
  if (name == NULL || strncmp(name, "OpenSSL/", 8) != 0) return;
  struct halyard_openssl *found = halyard_openssl();
  void *everywhere = NULL;
  *(void **)&found->is_finished = dlsym(everywhere, "SSL_is_init_finished");
  *(void **)&found->reading_bio = dlsym(everywhere, "SSL_get_rbio");
  *(void **)&found->bytes_read = dlsym(everywhere, "BIO_number_read");
  *(void **)&found->clear_flags = dlsym(everywhere, "BIO_clear_flags");
  *(void **)&found->set_flags = dlsym(everywhere, "BIO_set_flags");
  *(void **)&found->watch_bio = dlsym(everywhere, "BIO_set_callback_ex");
  *(void **)&found->set_note = dlsym(everywhere, "BIO_set_callback_arg");
  *(void **)&found->note = dlsym(everywhere, "BIO_get_callback_arg");
  *(void **)&found->watch_context = dlsym(everywhere, "SSL_CTX_set_msg_callback");
  *(void **)&found->watch = dlsym(everywhere, "SSL_set_msg_callback");
  *(void **)&found->new_error = dlsym(everywhere, "ERR_new");
  *(void **)&found->set_error = dlsym(everywhere, "ERR_set_error");
  *(void **)&found->control_context = dlsym(everywhere, "SSL_CTX_ctrl");
  *(void **)&found->set_options = dlsym(everywhere, "SSL_CTX_set_options");
  found->is_whole = found->is_finished != NULL && found->reading_bio != NULL && found->bytes_read != NULL &&
                    found->clear_flags != NULL && found->set_flags != NULL && found->watch_bio != NULL &&
                    found->set_note != NULL && found->note != NULL && found->watch_context != NULL &&
                    found->watch != NULL && found->new_error != NULL && found->set_error != NULL &&
                    found->control_context != NULL && found->set_options != NULL;
}

// The number of this thread's `curl_multi_perform`. To be used from one file of Swift, never inlined elsewhere: each file
// emits anew what it calls of a header, with a copy of the variables that stand in the functions.
static inline uint32_t *halyard_turn(void) {
  static _Thread_local uint32_t turn;
  return &turn;
}

static inline void halyard_begin_turn(void) { *halyard_turn() += 1; }

// Says that nothing has come, once a connection has read its share of a turn: frames of HTTP/2 that carry nothing end no
// transfer, and libcurl reads on as long as some come. A note of 64 bits is the turn and what had been read before it.
static inline long halyard_pace_reading(void *bio, int operation, const char *bytes, size_t size, int a, long b, int result, size_t *done) {
  const int reading = 2, retry_reading = 9;
  const uint32_t most_bytes = 128 << 10;
  if (operation != reading) return result;
  const struct halyard_openssl *openssl = halyard_openssl();
  uint64_t turn = *halyard_turn(), note = (uint64_t)(uintptr_t)openssl->note(bio);
  uint32_t read = (uint32_t)openssl->bytes_read(bio);
  if (note >> 32 != turn) {
    openssl->set_note(bio, (char *)(uintptr_t)(turn << 32 | read));
    return result;
  }
  if (read - (uint32_t)note < most_bytes) return result;
  openssl->set_flags(bio, retry_reading);
  return -1;
}

// Refuses to read; all else goes on.
static inline long halyard_refuse_reading(void *bio, int operation, const char *bytes, size_t size, int a, long b, int result, size_t *done) {
  const int reading = 2, retry_flags = 15;
  if (operation != reading) return result;
  halyard_openssl()->clear_flags(bio, retry_flags);
  return -1;
}

// Called for each record of a handshake. OpenSSL reads on as long as something comes, and returns to no caller that could end it.
static inline void halyard_count_handshake(int is_sent, int version, int type, const void *bytes, size_t size, void *tls, void *context) {
  const int record_header = 256, tls_library = 20, excessive_size = 152;
  // Real handshakes take less than some 64 KiB.
  const uint64_t most_bytes = 256 << 10;
  if (is_sent || type != record_header) return;
  const struct halyard_openssl *openssl = halyard_openssl();
  void *bio = openssl->reading_bio(tls);
  if (openssl->is_finished(tls)) {
    openssl->watch(tls, NULL);
    if (bio != NULL) openssl->watch_bio(bio, halyard_pace_reading);
    return;
  }
  if (bio == NULL || openssl->bytes_read(bio) <= most_bytes) return;
  openssl->watch(tls, NULL);
  openssl->watch_bio(bio, halyard_refuse_reading);
  openssl->new_error();
  openssl->set_error(tls_library, excessive_size, NULL);
}

// Bounds what the peer may send in the handshakes of an SSL_CTX, where it can be bounded. Afterwards each message that is
// no data lets the caller look at its limits, there is no second handshake, and each turn reads a bounded share.
static inline void halyard_bound_handshakes(void *context) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  const int clear_mode = 78, auto_retry = 4;
  const uint64_t no_renegotiation = UINT64_C(1) << 30;
  pthread_once(&once, halyard_find_openssl);
  const struct halyard_openssl *openssl = halyard_openssl();
  if (!openssl->is_whole) return;
  openssl->control_context(context, clear_mode, auto_retry, NULL);
  openssl->set_options(context, no_renegotiation);
  openssl->watch_context(context, halyard_count_handshake);
}

// Writes the textual form of an IPv4 or IPv6 address; 0 for any other family.
static inline int halyard_address_text(const struct curl_sockaddr *address, char *text, socklen_t size) {
  const void *bytes = NULL;
  if (address->family == AF_INET && address->addrlen >= sizeof(struct sockaddr_in))
    bytes = &((const struct sockaddr_in *)(const void *)&address->addr)->sin_addr;
  if (address->family == AF_INET6 && address->addrlen >= sizeof(struct sockaddr_in6))
    bytes = &((const struct sockaddr_in6 *)(const void *)&address->addr)->sin6_addr;
  return bytes != NULL && inet_ntop(address->family, bytes, text, size) != NULL;
}

static inline CURLMcode halyard_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

// 1 and the finished handle with its code, or 0 when nothing has finished.
static inline int halyard_next_finished(CURLM *multi, CURL **handle, CURLcode *code) {
  int left = 0;
  for (;;) {
    CURLMsg *message = curl_multi_info_read(multi, &left);
    if (message == NULL) return 0;
    if (message->msg != CURLMSG_DONE) continue;
    *handle = message->easy_handle;
    *code = message->data.result;
    return 1;
  }
}
