// Callers of a server that send prepared requests: see usage.
//
// The program prints each response as a line "NAME NUMBER DUE LATENCY STATUS REVISION BYTES": the number of the
// request from 0 on, its due time and its latency after that, both in milliseconds, and the status. Without a
// response, a word in place of the status gives the reason.
#include "exchange.h"
#include "numbers.h"
#include "requests.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

static const char usage[] =
    "usage: callers HOST:PORT SECONDS PATIENCE CALLERS...\n"
    "\n"
    "SECONDS    for which requests are begun\n"
    "PATIENCE   seconds until a request counts as unanswered; 0 leaves all requests at the end, whatever they wait for\n"
    "CALLERS    NAME=COUNT/PAUSE=FILE   that many at once, each with its next request so many ms after an answer\n"
    "           NAME@INTERVAL=FILE      a request every so many ms, answered or not\n"
    "\n"
    "Each kind of callers has a loopback address of its own, and sends the requests in FILE one after the other.\n";

struct kind;

struct call {
    struct exchange exchange; // the first member, because epoll's data points here
    struct kind *kind;
    size_t number;
    double due; // after the call has ended: the due time of the next one
};

struct kind {
    const char *name;
    struct requests requests;
    struct in_addr source;
    struct call **calls; // one per caller, or one per request in flight
    size_t count;
    size_t begun;
    double pause;
    double interval; // 0 for callers with a pause
};

struct callers {
    struct target target;
    struct kind *kinds;
    int kind_count, poll;
    double start, end, patience;
};

static void add_call(struct kind *kind, double due) {
    struct call *call = calloc(1, sizeof *call);
    kind->calls = realloc(kind->calls, (kind->count + 1) * sizeof *kind->calls);
    if (!call || !kind->calls) err(1, "no memory");
    *call = (struct call){.kind = kind, .due = due};
    kind->calls[kind->count++] = call;
}

static struct kind read_kind(char *text, int index) {
    struct kind kind = {.name = text, .source = {htonl(0x7f000201u + (unsigned)index)}};
    char *sign = strpbrk(text, "=@"), *file = sign ? strchr(sign + 1, '=') : NULL;
    unsigned count = 0;
    if (!file) errx(2, "\"%s\" is neither NAME=COUNT/PAUSE=FILE nor NAME@INTERVAL=FILE", text);
    int fields = *sign == '=' ? sscanf(sign, "=%u/%lf=", &count, &kind.pause) - 1 : sscanf(sign, "@%lf=", &kind.interval);
    if (fields != 1 || kind.pause < 0 || kind.interval < 0) errx(2, "\"%s\" has no numbers", text);
    *sign = 0;
    kind.requests = read_requests(file + 1);
    for (unsigned number = 0; number < count; number++) add_call(&kind, 0);
    return kind;
}

static struct callers read_arguments(int count, char **arguments) {
    if (count < 5) {
        fputs(usage, stderr);
        exit(2);
    }
    char *port = strrchr(arguments[1], ':');
    if (!port) errx(2, "\"%s\" is not a host and a port", arguments[1]);
    *port = 0;
    struct callers callers = {.target = find_target(arguments[1], port + 1, NULL), .kind_count = count - 4};
    callers.end = 1e3 * atof(arguments[2]);
    callers.patience = 1e3 * atof(arguments[3]);
    callers.kinds = calloc((size_t)callers.kind_count, sizeof *callers.kinds);
    callers.poll = epoll_create1(EPOLL_CLOEXEC);
    if (!callers.kinds || callers.poll < 0) err(1, "no memory");
    for (int index = 0; index < callers.kind_count; index++) {
        struct kind *kind = &callers.kinds[index];
        *kind = read_kind(arguments[4 + index], index);
        for (size_t number = 0; number < kind->count; number++) kind->calls[number]->kind = kind;
    }
    callers.start = now();
    callers.end += callers.start;
    return callers;
}

static void end_call(struct callers *callers, struct call *call, const char *failure) {
    const struct http *http = &call->exchange.http;
    double time = now();
    char status[16];
    snprintf(status, sizeof status, "%d", http->status);
    printf("%s %zu %.1f %.1f %s %lld %llu\n", call->kind->name, call->number, call->due - callers->start, time - call->due,
        failure ? failure : status, http->revision, call->exchange.received);
    exchange_end(&call->exchange);
    call->due = time + call->kind->pause;
}

static void begin_call(struct callers *callers, struct call *call, double due) {
    struct kind *kind = call->kind;
    call->due = due;
    call->number = kind->begun++;
    size_t place = call->number % kind->requests.count;
    if (!exchange_begin(&call->exchange, callers->poll, &callers->target, &kind->source, kind->requests.list[place].bytes,
            kind->requests.list[place].size)) {
        end_call(callers, call, exchange_failure(&call->exchange));
    }
}

static struct call *idle_call(struct kind *kind) {
    for (size_t number = 0; number < kind->count; number++) {
        if (!kind->calls[number]->exchange.under_way) return kind->calls[number];
    }
    add_call(kind, 0);
    return kind->calls[kind->count - 1];
}

// Begins the due requests, and returns the time at which the next one is due.
static double begin_calls(struct callers *callers) {
    double time = now(), next = callers->end;
    for (int index = 0; index < callers->kind_count; index++) {
        struct kind *kind = &callers->kinds[index];
        if (kind->interval > 0) {
            double due;
            // Stagger the kinds, so that they don't all begin at the same moment.
            while ((due = callers->start + ((double)kind->begun + (double)index / callers->kind_count) * kind->interval) <= time) {
                begin_call(callers, idle_call(kind), due);
            }
            if (due < next) next = due;
            continue;
        }
        for (size_t number = 0; number < kind->count; number++) {
            struct call *call = kind->calls[number];
            if (call->exchange.under_way) continue;
            if (call->due <= time) begin_call(callers, call, time);
            if (!call->exchange.under_way && call->due < next) next = call->due;
        }
    }
    return next;
}

static size_t end_late_calls(struct callers *callers) {
    double time = now();
    size_t under_way = 0;
    for (int index = 0; index < callers->kind_count; index++) {
        struct kind *kind = &callers->kinds[index];
        for (size_t number = 0; number < kind->count; number++) {
            struct call *call = kind->calls[number];
            if (!call->exchange.under_way) continue;
            bool is_over = callers->patience > 0 ? time - call->due >= callers->patience : time >= callers->end;
            if (is_over) end_call(callers, call, "unanswered");
            else under_way++;
        }
    }
    return under_way;
}

static void turn(struct callers *callers, double until) {
    struct epoll_event ready[256];
    double wait = until - now();
    // Round the time up: a wait of 0 ms would be repeated until the millisecond has passed.
    int count = epoll_wait(callers->poll, ready, sizeof ready / sizeof *ready, wait > 0 ? (int)wait + 1 : 0);
    if (count < 0 && errno != EINTR) err(1, "epoll_wait");
    for (int index = 0; index < count; index++) {
        struct call *call = ready[index].data.ptr;
        switch (exchange_continue(&call->exchange, callers->poll)) {
        case progress_done: end_call(callers, call, NULL); break;
        case progress_failed: end_call(callers, call, exchange_failure(&call->exchange)); break;
        case progress_wait: break;
        }
    }
}

int main(int count, char **arguments) {
    static char output[1 << 16];
    signal(SIGPIPE, SIG_IGN);
    struct rlimit files;
    getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    setvbuf(stdout, output, _IOFBF, sizeof output);
    struct callers callers = read_arguments(count, arguments);
    double look = now();
    size_t under_way = 1;
    while (now() < callers.end || under_way > 0) {
        double next = now() < callers.end ? begin_calls(&callers) : now() + 250;
        turn(&callers, next < look ? next : look);
        if (now() < look && now() < callers.end) continue;
        under_way = end_late_calls(&callers);
        look = now() + 250;
    }
    printf("# processor time %.0f of %.0f ms\n", own_processor_time(), now() - callers.start);
    return fflush(stdout) == 0 ? 0 : 1;
}
