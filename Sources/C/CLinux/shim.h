#pragma once
// Functions of the C library that its Swift module leaves out. GNU extensions are redeclared here, with the signatures
// of their manual pages.
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timex.h>

int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);
int pipe2(int descriptors[2], int flags);
int pthread_setname_np(pthread_t thread, const char *name);

#ifndef F_SETPIPE_SZ
#define F_SETPIPE_SZ 1031
#endif
