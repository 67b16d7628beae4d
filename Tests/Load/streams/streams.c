// A client of thousands of event streams that measures the delay of changes: see --help.
#include "rounds.h"

#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

static void print_opening(struct crowd *crowd, double seconds) {
    printf("streams %d\n", crowd->options->streams);
    printf("opened %zu\nfailed %d\n", crowd->hellos.count, crowd->failed);
    tally_print("failure", &crowd->failures);
    printf("opening_seconds %.1f\n", seconds);
    print_numbers("hello", &crowd->hellos);
}

static void print_deliveries(const struct crowd *crowd, struct deliveries *deliveries) {
    if (crowd->options->rounds == 0) return;
    printf("rounds %d\n", crowd->options->rounds);
    printf("delivered %zu\nmissed %ld\n", deliveries->from_request.count, deliveries->missed);
    print_numbers("delivery", &deliveries->from_request);
    print_numbers("delivery_after_answer", &deliveries->from_answer);
    print_numbers("slowest_of_round", &deliveries->slowest);
    print_numbers("answer", &deliveries->answers);
    printf("own_processor_time_a_round %.1f\n", deliveries->processor_time / crowd->options->rounds);
}

static void print_end(const struct crowd *crowd) {
    printf("open %d\ndropped %d\n", crowd->open, crowd->dropped);
    tally_print("drop", &crowd->drops);
    if (crowd->options->stalled > 0) {
        printf("stalled_open %d\nstalled_closed %d\n", crowd->stalled, crowd->stalled_closed);
    }
    printf("pings %ld\nresyncs %ld\n", crowd->pings, crowd->resyncs);
}

// Prints the name of the step, and holds the streams until a line or the end of standard input.
static void step(struct crowd *crowd, const char *name) {
    if (!crowd->options->steps) return;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &crowd_input};
    char byte = 0;
    printf("step %s\n", name);
    fflush(stdout);
    if (epoll_ctl(crowd->poll, EPOLL_CTL_ADD, STDIN_FILENO, &event) != 0) err(1, "--steps needs a pipe or a terminal on standard input");
    while (byte != '\n') {
        crowd_turn(crowd, now() + 1e6);
        if (crowd->input_is_ready && read(STDIN_FILENO, &byte, 1) <= 0) break;
    }
    if (epoll_ctl(crowd->poll, EPOLL_CTL_DEL, STDIN_FILENO, &event) != 0) err(1, "epoll_ctl");
}

int main(int count, char **arguments) {
    struct options options = read_options(count, arguments);
    struct crowd crowd;
    struct deliveries deliveries = {0};
    // OpenSSL writes without MSG_NOSIGNAL.
    signal(SIGPIPE, SIG_IGN);
    crowd_prepare(&crowd, &options);
    double begin = now();
    crowd_open(&crowd);
    print_opening(&crowd, (now() - begin) / 1e3);
    step(&crowd, "opened");
    double end_of_idling = now() + options.idle;
    while (now() < end_of_idling) crowd_turn(&crowd, end_of_idling);
    run_rounds(&crowd, &deliveries);
    print_deliveries(&crowd, &deliveries);
    step(&crowd, "measured");
    if (crowd.stalled > 0) crowd_check_stalled(&crowd);
    print_end(&crowd);
    return crowd.failed > 0 || crowd.dropped > 0 || deliveries.missed > 0;
}
