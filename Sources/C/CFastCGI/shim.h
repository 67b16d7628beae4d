#pragma once
#include <fcgiapp.h>

// Hands a connection that was accepted elsewhere to libfcgi, so that waiting for connections can be ended.
//
// FCGX_Accept_r (libfcgi 2.4.2) first finishes the request before, which closes the descriptor unless keepConnection is
// set, and then accepts only if there is no descriptor. keepConnection is set anew by each request's FCGI_BEGIN_REQUEST.
// With -1 as listening socket, FCGX_Accept_r returns an error, instead of waiting, once the connection has ended.
static inline void almanac_fcgx_adopt(FCGX_Request *request, int descriptor) {
    FCGX_InitRequest(request, -1, 0);
    request->ipcFd = descriptor;
    request->keepConnection = 1;
}
