internal import AlmanacCCurl
internal import AlmanacCOpenSSL

/// Starts libcurl, once in the process and before the first handle of any kind (curl_global_init(3)).
let libraryIsReady: Void = {
    // A thread may still carry exchanges while the process ends, so OpenSSL must not clean up before it. Who starts OpenSSL
    // first decides that.
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    let code = curl_global_init(Int(CURL_GLOBAL_SSL))
    precondition(code == CURLE_OK, "libcurl did not start")
}()
