// The program to compare almanac-worker with: the minimum that a libfcgi program needs to send the same bytes.
//
//     baseline THREADS FOLDER...
//
// It accepts connections from descriptor 0, as almanac-worker does. Each thread handles its own request, keeps the
// connection open if nginx asks for it, and reads the request body. A folder is one response: `uri`, `etag` (empty to
// ignore If-None-Match), `head` (CGI headers with the empty line) and `body`. The first match is sent.
#include <err.h>
#include <fcgiapp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes; // ends with a zero byte that is not counted
    int count;
};

struct answer {
    struct text uri, etag, head, body;
};

static struct answer *answers;
static int answer_count;

static struct text read_text(const char *folder, const char *name) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file) err(1, "%s", path);
    struct text text = {malloc(1 << 24), 0};
    if (!text.bytes) err(1, "%s", path);
    text.count = (int)fread(text.bytes, 1, (1 << 24) - 1, file);
    if (ferror(file) || !feof(file)) errx(1, "%s cannot be read or is larger than 16 MiB", path);
    fclose(file);
    text.bytes = realloc(text.bytes, (size_t)text.count + 1);
    text.bytes[text.count] = 0;
    return text;
}

static const struct answer *answer_for(FCGX_ParamArray parameters) {
    const char *uri = FCGX_GetParam("REQUEST_URI", parameters);
    const char *etag = FCGX_GetParam("HTTP_IF_NONE_MATCH", parameters);
    for (int index = 0; uri && index < answer_count; index++) {
        const struct answer *answer = &answers[index];
        if (strcmp(uri, answer->uri.bytes) != 0) continue;
        if (answer->etag.count == 0 || (etag && strcmp(etag, answer->etag.bytes) == 0)) return answer;
    }
    return NULL;
}

// Reads the request body, as the worker has to.
static void read_body(FCGX_Request *request) {
    static _Thread_local char bytes[1 << 16];
    const char *length = FCGX_GetParam("CONTENT_LENGTH", request->envp);
    if (!length || !*length) return;
    while (FCGX_GetStr(bytes, sizeof bytes, request->in) == sizeof bytes) {
    }
}

static void *serve(void *unused) {
    FCGX_Request request;
    if (FCGX_InitRequest(&request, 0, 0) != 0) errx(1, "FCGX_InitRequest");
    while (FCGX_Accept_r(&request) == 0) {
        read_body(&request);
        const struct answer *answer = answer_for(request.envp);
        if (answer) {
            FCGX_PutStr(answer->head.bytes, answer->head.count, request.out);
            FCGX_PutStr(answer->body.bytes, answer->body.count, request.out);
        } else {
            FCGX_PutS("Status: 404 Not Found\r\nContent-Length: 0\r\n\r\n", request.out);
        }
        FCGX_Finish_r(&request);
    }
    return unused;
}

int main(int count, char **arguments) {
    int threads = count > 2 ? atoi(arguments[1]) : 0;
    if (threads < 1) errx(2, "usage: baseline THREADS FOLDER...");
    answer_count = count - 2;
    answers = calloc((size_t)answer_count, sizeof *answers);
    for (int index = 0; index < answer_count; index++) {
        const char *folder = arguments[2 + index];
        answers[index] = (struct answer){
            read_text(folder, "uri"), read_text(folder, "etag"), read_text(folder, "head"), read_text(folder, "body")};
    }
    if (FCGX_Init() != 0) errx(1, "FCGX_Init");
    for (int index = 1; index < threads; index++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, serve, NULL) != 0) errx(1, "pthread_create");
    }
    serve(NULL);
    return 1;
}
