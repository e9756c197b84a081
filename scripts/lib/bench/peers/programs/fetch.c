// What libcurl takes by itself: fetches a list of links with it and epoll in one thread, lets it follow redirects, and reads
// nothing of what comes.
// usage: fetch LINKS ROWS CONCURRENCY TIMEOUT-SECONDS
#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

static CURLM *multi;
static FILE *links, *rows;
static int poller;
static long timeout = -1;

static void require(int holds, const char *what) {
    if (holds) return;
    perror(what);
    exit(1);
}

static size_t discard(char *bytes, size_t size, size_t count, void *context) {
    (void)bytes, (void)context;
    return size * count;
}

static int socket_changed(CURL *transfer, curl_socket_t socket, int what, void *context, void *known) {
    (void)transfer, (void)context;
    struct epoll_event event = {.data.fd = socket};
    if (what == CURL_POLL_REMOVE) {
        epoll_ctl(poller, EPOLL_CTL_DEL, socket, NULL);
        return 0;
    }
    if (what & CURL_POLL_IN) event.events |= EPOLLIN;
    if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
    if (!known || epoll_ctl(poller, EPOLL_CTL_MOD, socket, &event) != 0) epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
    curl_multi_assign(multi, socket, &poller);
    return 0;
}

static int timer_changed(CURLM *of, long milliseconds, void *context) {
    (void)of, (void)context;
    timeout = milliseconds;
    return 0;
}

// Starts the next link on a handle that is free; ends the handle when there is none.
static int start(CURL *transfer) {
    char *line = NULL;
    size_t size = 0;
    ssize_t length = getline(&line, &size, links);
    if (length <= 0) {
        free(line);
        curl_easy_cleanup(transfer);
        return 0;
    }
    line[strcspn(line, "\n")] = 0;
    curl_easy_setopt(transfer, CURLOPT_PRIVATE, line);
    curl_easy_setopt(transfer, CURLOPT_URL, line);
    curl_multi_add_handle(multi, transfer);
    return 1;
}

static void report(CURL *transfer, CURLcode code) {
    char *link, *final;
    long status;
    curl_easy_getinfo(transfer, CURLINFO_PRIVATE, &link);
    if (code == CURLE_OK) {
        curl_easy_getinfo(transfer, CURLINFO_EFFECTIVE_URL, &final);
        curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
        fprintf(rows, "{\"link\":\"%s\",\"final\":\"%s\",\"status\":%ld}\n", link, final, status);
    } else {
        const char *failure = code == CURLE_TOO_MANY_REDIRECTS ? "loop" : code == CURLE_OPERATION_TIMEDOUT ? "dead" : "other";
        fprintf(rows, "{\"link\":\"%s\",\"failure\":\"%s\",\"message\":\"%s\"}\n", link, failure, curl_easy_strerror(code));
    }
    free(link);
}

static int take_finished(void) {
    int left, started = 0, ended = 0;
    CURLMsg *message;
    while ((message = curl_multi_info_read(multi, &left))) {
        CURL *transfer = message->easy_handle;
        CURLcode code = message->data.result;
        curl_multi_remove_handle(multi, transfer);
        report(transfer, code);
        ended++;
        started += start(transfer);
    }
    return ended - started;
}

static CURL *new_transfer(struct curl_slist *headers, long seconds) {
    CURL *transfer = curl_easy_init();
    curl_easy_setopt(transfer, CURLOPT_TIMEOUT, seconds);
    curl_easy_setopt(transfer, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(transfer, CURLOPT_MAXREDIRS, 20L);
    curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, discard);
    curl_easy_setopt(transfer, CURLOPT_NOSIGNAL, 1L);
    // As a header of ours, so that libcurl does not decompress.
    curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, headers);
    return transfer;
}

int main(int count, char **words) {
    require(count == 5, "usage: fetch LINKS ROWS CONCURRENCY TIMEOUT-SECONDS");
    require((links = fopen(words[1], "r")) != NULL, words[1]);
    require((rows = fopen(words[2], "w")) != NULL, words[2]);
    int concurrency = atoi(words[3]), running = 0, handles;
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);

    curl_global_init(CURL_GLOBAL_DEFAULT);
    require((poller = epoll_create1(EPOLL_CLOEXEC)) >= 0, "epoll_create1");
    multi = curl_multi_init();
    curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket_changed);
    curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer_changed);
    curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, 4L * concurrency);
    struct curl_slist *headers = curl_slist_append(NULL, "Accept-Encoding: gzip");
    for (int number = 0; number < concurrency; number++) running += start(new_transfer(headers, atol(words[4])));

    struct epoll_event events[256];
    while (running > 0) {
        int ready = epoll_wait(poller, events, 256, timeout < 0 ? 1000 : (int)timeout);
        // Without events the timer has run out; with some, libcurl sees for itself that it has.
        if (ready <= 0 || timeout == 0) curl_multi_socket_action(multi, CURL_SOCKET_TIMEOUT, 0, &handles);
        for (int number = 0; number < ready; number++) {
            int happened = (events[number].events & (EPOLLIN | EPOLLHUP | EPOLLERR) ? CURL_CSELECT_IN : 0) |
                (events[number].events & EPOLLOUT ? CURL_CSELECT_OUT : 0);
            curl_multi_socket_action(multi, events[number].data.fd, happened, &handles);
        }
        running -= take_finished();
    }
    curl_multi_cleanup(multi);
    curl_slist_free_all(headers);
    require(fclose(rows) == 0, words[2]);
    return 0;
}
