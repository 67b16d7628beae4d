#pragma once
#include <curl/curl.h>
#include <dlfcn.h>
#include <stdint.h>

// curl_easy_setopt and curl_easy_getinfo take variable arguments, which Swift cannot call: one function for each type
// that an option or an answer has here.

// For CURLOPTTYPE_LONG: switches, sizes and times.
static inline CURLcode ccurl_set_long(CURL *handle, CURLoption option, long value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_OFF_T: the size of a body.
static inline CURLcode ccurl_set_size(CURL *handle, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_STRINGPOINT: texts, which libcurl copies.
static inline CURLcode ccurl_set_text(CURL *handle, CURLoption option, const char *value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_OBJECTPOINT and CURLOPTTYPE_CBPOINT: what libcurl only keeps the address of.
static inline CURLcode ccurl_set_pointer(CURL *handle, CURLoption option, void *value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLOPTTYPE_SLISTPOINT: lists of header lines.
static inline CURLcode ccurl_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return curl_easy_setopt(handle, option, value);
}

// What CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION are called with.
typedef size_t (*ccurl_sink)(char *bytes, size_t size, size_t count, void *context);

// For CURLOPTTYPE_FUNCTIONPOINT: where a header line or a part of a body goes.
static inline CURLcode ccurl_set_sink(CURL *handle, CURLoption option, ccurl_sink value) {
    return curl_easy_setopt(handle, option, value);
}

// For CURLINFO_LONG: the status, the number of redirects.
static inline CURLcode ccurl_get_long(CURL *handle, CURLINFO info, long *value) {
    return curl_easy_getinfo(handle, info, value);
}

// For CURLINFO_CERTINFO: what was read of the server's own certificate, "Name:value" lines; NULL without TLS.
static inline struct curl_slist *ccurl_first_certificate(CURL *handle) {
    struct curl_certinfo *info = NULL;
    CURLcode code = curl_easy_getinfo(handle, CURLINFO_CERTINFO, &info);
    return code == CURLE_OK && info && info->num_of_certs > 0 ? info->certinfo[0] : NULL;
}

// Why the transfer has ended that a message of curl_multi_info_read is about: a member of a union.
static inline CURLcode ccurl_outcome(const CURLMsg *message) {
    return message->data.result;
}

// OpenSSL cleans up when the process ends, while a thread of libcurl may still use it; the first call that starts OpenSSL
// decides that. By name, so that nobody needs OpenSSL's headers: a libcurl with another TLS library has no such function.
static inline void ccurl_keep_tls_at_exit(void) {
    // A null pointer is RTLD_DEFAULT in glibc: whatever the process has loaded. The option is OPENSSL_INIT_NO_ATEXIT.
    int (*start)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym((void *)0, "OPENSSL_init_crypto");
    if (start) start(0x00080000, (void *)0);
}
