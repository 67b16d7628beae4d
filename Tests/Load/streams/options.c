#include "options.h"

#include <err.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: streams [OPTION]... HOST:PORT PATH\n"
    "\n"
    "Opens streams of events and waits for the hello of each; then changes the config in rounds, and waits for the event\n"
    "of each change on every stream. Prints names and values, times in milliseconds.\n"
    "\n"
    "--streams N         how many (1000)\n"
    "--opening N         how many at the same time at most (64)\n"
    "--per-address N     how many from one address of 127.0.1.1 and up, when HOST is on loopback (90)\n"
    "--tls FILE          over TLS, with the certificates of authorities that are trusted\n"
    "--token FILE        bearer tokens, one a line, which the streams take in turn\n"
    "--rounds N          changes of the config (20)\n"
    "--config PATH       where it is: /development/config\n"
    "--write-token FILE  the bearer token that may change it\n"
    "--keys N            how many keys each change touches, all of which its event has to name (1)\n"
    "--interval MS       between the rounds (100)\n"
    "--stalled N         streams that read nothing after their hello, with small buffers (0)\n"
    "--idle SECONDS      hold the streams for that long before the rounds (0)\n"
    "--timeout SECONDS   for a stream to open, and for a change to reach all (10)\n"
    "--steps             wait for a line on standard input after opening, and after the rounds\n";

static double number(const char *name, const char *text, double min, double max) {
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end != 0 || !(value >= min && value <= max)) {
        errx(2, "--%s must be a number from %.0f to %.0f, not \"%s\"", name, min, max, text);
    }
    return value;
}

static int whole_number(const char *name, const char *text, int min, int max) {
    double value = number(name, text, min, max);
    if (value != (int)value) errx(2, "--%s must be a whole number, not \"%s\"", name, text);
    return (int)value;
}

static char **read_lines(const char *path, int *count) {
    FILE *file = fopen(path, "r");
    if (!file) err(1, "%s", path);
    char **lines = NULL, *line = NULL;
    size_t size = 0;
    *count = 0;
    while (getline(&line, &size, file) > 0) {
        line[strcspn(line, "\r\n")] = 0;
        if (*line == 0) continue;
        lines = realloc(lines, (size_t)(*count + 1) * sizeof *lines);
        if (!lines || !(lines[(*count)++] = strdup(line))) err(1, "%s", path);
    }
    if (ferror(file)) err(1, "%s", path);
    free(line);
    fclose(file);
    if (*count == 0) errx(1, "%s has no token", path);
    return lines;
}

static void read_target(struct options *options, char *target) {
    char *colon = strrchr(target, ':');
    if (!colon || colon == target || colon[1] == 0) errx(2, "\"%s\" is not a host and a port, as in localhost:8443", target);
    *colon = 0;
    options->host = target;
    options->port = colon + 1;
}

static void check(const struct options *options) {
    if (options->path[0] != '/') errx(2, "the path must begin with /, as in /development/events");
    if (options->stalled >= options->streams) errx(2, "--stalled must be less than --streams");
    if (options->rounds > 0 && (!options->config || !options->write_token)) {
        errx(2, "--rounds needs --config and --write-token: who changes what");
    }
}

struct options read_options(int count, char **arguments) {
    static const struct option names[] = {
        {"streams", 1, NULL, 's'}, {"opening", 1, NULL, 'o'}, {"per-address", 1, NULL, 'a'}, {"tls", 1, NULL, 't'},
        {"token", 1, NULL, 'b'}, {"rounds", 1, NULL, 'r'}, {"config", 1, NULL, 'c'}, {"write-token", 1, NULL, 'w'},
        {"keys", 1, NULL, 'k'}, {"interval", 1, NULL, 'n'}, {"stalled", 1, NULL, 'l'}, {"idle", 1, NULL, 'i'},
        {"timeout", 1, NULL, 'e'}, {"steps", 0, NULL, 'p'}, {"help", 0, NULL, 'h'}, {0}};
    struct options options = {.streams = 1000, .opening = 64, .per_address = 90, .rounds = 20, .keys = 1,
        .interval = 100, .timeout = 10000};
    int option, lines;
    while ((option = getopt_long(count, arguments, "h", names, NULL)) != -1) {
        switch (option) {
        case 's': options.streams = whole_number("streams", optarg, 1, 1000000); break;
        case 'o': options.opening = whole_number("opening", optarg, 1, 100000); break;
        case 'a': options.per_address = whole_number("per-address", optarg, 1, 20000); break;
        case 't': options.certificates = optarg; break;
        case 'b': options.tokens = read_lines(optarg, &options.token_count); break;
        case 'r': options.rounds = whole_number("rounds", optarg, 0, 10000); break;
        case 'c': options.config = optarg; break;
        case 'w': options.write_token = read_lines(optarg, &lines)[0]; break;
        case 'k': options.keys = whole_number("keys", optarg, 1, 1000); break;
        case 'n': options.interval = number("interval", optarg, 0, 3600e3); break;
        case 'l': options.stalled = whole_number("stalled", optarg, 0, 1000000); break;
        case 'i': options.idle = 1e3 * number("idle", optarg, 0, 86400); break;
        case 'e': options.timeout = 1e3 * number("timeout", optarg, 1, 3600); break;
        case 'p': options.steps = true; break;
        case 'h': fputs(usage, stdout); exit(0);
        default: fputs(usage, stderr); exit(2);
        }
    }
    if (count - optind != 2) {
        fputs(usage, stderr);
        exit(2);
    }
    read_target(&options, arguments[optind]);
    options.path = arguments[optind + 1];
    check(&options);
    return options;
}
