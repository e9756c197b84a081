// Two networks of their own with a cable between them that takes MILLISECONDS each way, for kernels without netem.
// Packets pass as large as the kernel hands them over, so that a page costs a few copies. Prints the numbers of the
// two networks' files, and ends when its standard input does; the networks end with it.
// usage: delay MILLISECONDS
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST = 65536 + 64, CAPACITY = 256 << 20, AT_ONCE = 64 };

// What is on its way in one direction: a ring of packets, each whole, with the time when it arrives.
struct packet { uint64_t due; uint32_t length; };
struct cable { int from, to; char *ring; size_t head, tail, end; int empty; };

static void require(int holds, const char *what) {
    if (holds) return;
    perror(what);
    exit(1);
}

static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// A network with one device; returns the device, and the network's file in `network`.
static int make_network(int *network) {
    require(unshare(CLONE_NEWNET) == 0, "unshare");
    require((*network = open("/proc/self/ns/net", O_RDONLY)) >= 0, "/proc/self/ns/net");
    int device = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
    require(device >= 0, "/dev/net/tun");
    struct ifreq request = {.ifr_flags = IFF_TUN | IFF_NO_PI | IFF_VNET_HDR};
    strcpy(request.ifr_name, "cable");
    require(ioctl(device, TUNSETIFF, &request) == 0, "TUNSETIFF");
    require(ioctl(device, TUNSETOFFLOAD, TUN_F_CSUM | TUN_F_TSO4) == 0, "TUNSETOFFLOAD");
    return device;
}

static struct cable new_cable(int from, int to) {
    struct cable cable = {.from = from, .to = to, .ring = malloc(CAPACITY), .empty = 1};
    require(cable.ring != NULL, "malloc");
    return cable;
}

// Whether there is room for the next packet, and where: at the tail, or at the start of the ring.
static int room(struct cable *cable, size_t *place) {
    size_t needed = sizeof(struct packet) + LARGEST;
    if (cable->empty) cable->head = cable->tail = 0;
    *place = cable->tail;
    if (!cable->empty && cable->tail <= cable->head) return cable->head - cable->tail >= needed;
    if (CAPACITY - cable->tail >= needed) return 1;
    *place = 0;
    return cable->head >= needed;
}

static void take(struct cable *cable, uint64_t delay) {
    for (int count = 0; count < AT_ONCE; count++) {
        size_t place;
        if (!room(cable, &place)) return;
        ssize_t length = read(cable->from, cable->ring + place + sizeof(struct packet), LARGEST);
        if (length <= 0) return;
        struct packet packet = {now() + delay, (uint32_t)length};
        memcpy(cable->ring + place, &packet, sizeof packet);
        // Only now is it sure that the packets before it end where the tail was.
        if (place != cable->tail) cable->end = cable->tail;
        cable->tail = place + ((sizeof packet + (size_t)length + 15) & ~(size_t)15);
        cable->empty = 0;
    }
}

// Hands over what has arrived; returns when the next packet will, or 0.
static uint64_t deliver(struct cable *cable) {
    struct packet packet;
    while (!cable->empty) {
        if (cable->head > cable->tail && cable->head == cable->end) cable->head = 0;
        memcpy(&packet, cable->ring + cable->head, sizeof packet);
        if (packet.due > now()) return packet.due;
        // A packet that the kernel refuses is lost, as on any cable.
        ssize_t written = write(cable->to, cable->ring + cable->head + sizeof packet, packet.length);
        (void)written;
        cable->head += (sizeof packet + packet.length + 15) & ~(size_t)15;
        cable->empty = cable->head == cable->tail;
    }
    return 0;
}

int main(int count, char **words) {
    require(count == 2, "usage: delay MILLISECONDS");
    uint64_t delay = strtoull(words[1], NULL, 10) * 1000000;
    int near_network, far_network;
    int near = make_network(&near_network), far = make_network(&far_network);
    // A cable does not wait for its turn; where that is not allowed, it is as busy as the machine.
    struct sched_param first = {.sched_priority = 1};
    (void)sched_setscheduler(0, SCHED_FIFO, &first);
    struct cable there = new_cable(near, far), back = new_cable(far, near);
    printf("%d %d\n", near_network, far_network);
    fflush(stdout);
    for (;;) {
        uint64_t first = deliver(&there), second = deliver(&back);
        uint64_t next = !first || (second && second < first) ? second : first, time = now();
        uint64_t wait = next > time ? next - time : 0;
        struct timespec pause = {(time_t)(wait / 1000000000), (long)(wait % 1000000000)};
        struct pollfd ready[3] = {{near, POLLIN, 0}, {far, POLLIN, 0}, {STDIN_FILENO, POLLIN, 0}};
        require(ppoll(ready, 3, next ? &pause : NULL, NULL) >= 0, "ppoll");
        if (ready[0].revents) take(&there, delay);
        if (ready[1].revents) take(&back, delay);
        if (ready[2].revents) return 0;
    }
}
