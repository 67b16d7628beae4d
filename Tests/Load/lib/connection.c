#include "connection.h"

#include <err.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/x509_vfy.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static SSL_CTX *make_tls(const char *certificates) {
    SSL_CTX *tls = SSL_CTX_new(TLS_client_method());
    if (!tls || !SSL_CTX_load_verify_locations(tls, certificates, NULL)) errx(1, "no certificates can be read from %s", certificates);
    SSL_CTX_set_verify(tls, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_mode(tls, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    // Read ahead: one system call per record instead of two leaves more processor time for the measured server.
    SSL_CTX_set_read_ahead(tls, 1);
    SSL_CTX_set_session_cache_mode(tls, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_alpn_protos(tls, (const unsigned char *)"\x08http/1.1", 9);
    return tls;
}

struct target find_target(const char *host, const char *port, const char *certificates) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found;
    int failure = getaddrinfo(host, port, &hints, &found);
    if (failure) errx(1, "%s:%s: %s", host, port, gai_strerror(failure));
    struct target target = {.name = host, .tls = certificates ? make_tls(certificates) : NULL};
    memcpy(&target.address, found->ai_addr, sizeof target.address);
    freeaddrinfo(found);
    return target;
}

static void set(int descriptor, int level, int name, int value) {
    if (setsockopt(descriptor, level, name, &value, sizeof value) != 0) err(1, "setsockopt");
}

static bool begin_tls(struct connection *connection, const struct target *target) {
    connection->tls = SSL_new(target->tls);
    if (!connection->tls || !SSL_set_fd(connection->tls, connection->descriptor) ||
        !SSL_set_tlsext_host_name(connection->tls, target->name) || !SSL_set1_host(connection->tls, target->name)) {
        errx(1, "no memory for TLS");
    }
    SSL_set_connect_state(connection->tls);
    return true;
}

bool connection_begin(struct connection *connection, const struct target *target, const struct in_addr *source, bool small_buffers) {
    *connection = (struct connection){.descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
    if (connection->descriptor < 0) err(1, "socket");
    set(connection->descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
    if (small_buffers) {
        // Small segments also keep the server's buffer small, because the kernel sizes the buffer by them.
        set(connection->descriptor, SOL_SOCKET, SO_RCVBUF, 4096);
        set(connection->descriptor, IPPROTO_TCP, TCP_MAXSEG, 536);
    }
    if (source) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = *source};
        set(connection->descriptor, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, 1);
        if (bind(connection->descriptor, (struct sockaddr *)&address, sizeof address) != 0) err(1, "bind");
    }
    if (connect(connection->descriptor, (const struct sockaddr *)&target->address, sizeof target->address) != 0 &&
        errno != EINPROGRESS) {
        connection->failure = strerror(errno);
        return false;
    }
    return target->tls ? begin_tls(connection, target) : true;
}

static enum progress tls_failure(struct connection *connection, int result) {
    switch (SSL_get_error(connection->tls, result)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE: return progress_wait;
    case SSL_ERROR_ZERO_RETURN: connection->failure = "closed by the server"; break;
    case SSL_ERROR_SYSCALL: connection->failure = errno ? strerror(errno) : "closed by the server"; break;
    default:
        if (SSL_get_verify_result(connection->tls) != X509_V_OK) {
            connection->failure = X509_verify_cert_error_string(SSL_get_verify_result(connection->tls));
        } else {
            const char *reason = ERR_reason_error_string(ERR_peek_error());
            connection->failure = reason ? reason : "TLS failed";
        }
    }
    return progress_failed;
}

enum progress connection_continue(struct connection *connection) {
    if (!connection->connected) {
        int failure = 0;
        socklen_t size = sizeof failure;
        if (getsockopt(connection->descriptor, SOL_SOCKET, SO_ERROR, &failure, &size) != 0) err(1, "getsockopt");
        if (failure) {
            connection->failure = strerror(failure);
            return progress_failed;
        }
        connection->connected = true;
    }
    if (!connection->tls) return progress_done;
    ERR_clear_error();
    errno = 0;
    int result = SSL_do_handshake(connection->tls);
    return result == 1 ? progress_done : tls_failure(connection, result);
}

static long moved(struct connection *connection, long result) {
    if (result > 0) return result;
    if (connection->tls) return tls_failure(connection, (int)result) == progress_wait ? 0 : -1;
    if (result < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    connection->failure = result == 0 ? "closed by the server" : strerror(errno);
    return -1;
}

long connection_read(struct connection *connection, char *bytes, int capacity) {
    if (!connection->tls) return moved(connection, recv(connection->descriptor, bytes, (size_t)capacity, 0));
    ERR_clear_error();
    errno = 0;
    return moved(connection, SSL_read(connection->tls, bytes, capacity));
}

long connection_write(struct connection *connection, const char *bytes, int count) {
    if (!connection->tls) return moved(connection, send(connection->descriptor, bytes, (size_t)count, MSG_NOSIGNAL));
    ERR_clear_error();
    errno = 0;
    return moved(connection, SSL_write(connection->tls, bytes, count));
}

bool connection_has_more(const struct connection *connection) {
    return connection->tls && SSL_has_pending(connection->tls);
}

void connection_close(struct connection *connection) {
    if (connection->tls) SSL_free(connection->tls);
    if (connection->descriptor >= 0) close(connection->descriptor);
    *connection = (struct connection){.descriptor = -1, .failure = connection->failure};
}
