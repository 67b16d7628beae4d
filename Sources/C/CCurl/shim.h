#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

// Swift cannot call curl_easy_setopt and curl_easy_getinfo, which have variable arguments, so each type gets a
// function.

// Sets an option of CURLOPTTYPE_LONG: a switch, size or time.
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// Sets an option of CURLOPTTYPE_OFF_T: the size of a body.
static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// Sets an option of CURLOPTTYPE_STRINGPOINT: a text, which libcurl copies.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// Sets an option of CURLOPTTYPE_OBJECTPOINT or CURLOPTTYPE_CBPOINT: a pointer, whose target libcurl does not copy.
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// Sets an option of CURLOPTTYPE_SLISTPOINT: a list of header lines.
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// The callback type of CURLOPT_WRITEFUNCTION, CURLOPT_HEADERFUNCTION and CURLOPT_READFUNCTION.
typedef size_t (*ccurl_callback)(char *bytes, size_t size, size_t count, void *context);

// Sets an option of CURLOPTTYPE_FUNCTIONPOINT: the receiver of header lines or of the body, or the source of a body.
static inline CURLcode ccurl_set_callback(CURL *handle, CURLoption option, ccurl_callback value) {
    return curl_easy_setopt(handle, option, value);
}

// Sets the callback that opens the socket of each connection, and its context.
static inline CURLcode ccurl_set_socket_opener(CURL *handle, curl_opensocket_callback opener, void *context) {
    CURLcode code = curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, context);
    return code == CURLE_OK ? curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, opener) : code;
}

// Copies the IP address to which a socket will connect, in network order, and returns its size: 4, 16, or 0 for others.
static inline int ccurl_copy_address(const struct curl_sockaddr *address, uint8_t bytes[16]) {
    const struct sockaddr *target = &address->addr;
    switch (address->family) {
    case AF_INET:
        memcpy(bytes, &((const struct sockaddr_in *)(const void *)target)->sin_addr, 4);
        return 4;
    case AF_INET6:
        memcpy(bytes, &((const struct sockaddr_in6 *)(const void *)target)->sin6_addr, 16);
        return 16;
    default:
        return 0;
    }
}

// Opens a socket as libcurl does by default.
static inline curl_socket_t ccurl_open_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

// Reads information of CURLINFO_LONG: the status or the number of redirects.
static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

// Reads CURLINFO_CERTINFO: "Name:value" lines of the server's own certificate, or NULL without TLS.
static inline struct curl_slist *ccurl_first_certificate(CURL *handle) {
    struct curl_certinfo *info = NULL;
    CURLcode code = curl_easy_getinfo(handle, CURLINFO_CERTINFO, &info);
    return code == CURLE_OK && info && info->num_of_certs > 0 ? info->certinfo[0] : NULL;
}

// Returns the result of the transfer in a message of curl_multi_info_read, which is a member of a union.
static inline CURLcode ccurl_outcome(const CURLMsg *message) {
    return message->data.result;
}

// Disables OpenSSL's clean-up at exit, because a libcurl thread may still use OpenSSL then. The first call that
// initialises OpenSSL decides about the clean-up. The function is found by name, so no OpenSSL headers are needed, and
// another TLS library has no such function.
static inline void ccurl_keep_tls_at_exit(void) {
    // A null pointer is RTLD_DEFAULT in glibc: all loaded libraries. The option is OPENSSL_INIT_NO_ATEXIT.
    int (*start)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym((void *)0, "OPENSSL_init_crypto");
    if (start) start(0x00080000, (void *)0);
}
