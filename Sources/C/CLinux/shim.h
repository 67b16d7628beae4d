#pragma once
// Calls of the C library that its Swift module leaves out: GNU extensions are declared here once more, as
// signal-safe and public as in their manual pages.
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pthread_setname_np(pthread_t thread, const char *name);
