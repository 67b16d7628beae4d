internal import AlmanacCCurl

/// What libcurl keeps of transfers that run side by side: their connections, which later ones use again.
@safe final class MultiHandle: @unchecked Sendable {
    // Safe because the one thread of a transfer loop makes every call but `wake`, which may come from any
    // (curl_multi_wakeup(3)), and the pointer is freed with the last reference.
    private let pointer: UnsafeMutableRawPointer

    init() {
        libraryIsReady
        guard let pointer = unsafe curl_multi_init() else { fatalError("out of memory") }
        unsafe self.pointer = pointer
    }

    deinit {
        unsafe curl_multi_cleanup(pointer)
    }

    func add(_ handle: borrowing Handle) {
        unsafe Self.check(curl_multi_add_handle(pointer, handle.pointer))
    }

    func remove(_ handle: borrowing Handle) {
        unsafe Self.check(curl_multi_remove_handle(pointer, handle.pointer))
    }

    /// Does what can be done without waiting.
    func perform() {
        var running: Int32 = 0
        unsafe Self.check(curl_multi_perform(pointer, &running))
    }

    /// A transfer that has ended and was not told of before.
    func nextEnded() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
                continue
            }
            return unsafe (handle, ccurl_outcome(message))
        }
        return nil
    }

    /// Blocks until there is something to do.
    func wait() {
        // libcurl wakes earlier for its own timers.
        unsafe Self.check(curl_multi_poll(pointer, nil, 0, 3_600_000, nil))
    }

    /// Ends `wait`, or the next one.
    func wake() {
        unsafe Self.check(curl_multi_wakeup(pointer))
    }

    private static func check(_ code: CURLMcode) {
        precondition(code == CURLM_OK, "libcurl refuses what it is asked for: \(code.rawValue)")
    }
}
