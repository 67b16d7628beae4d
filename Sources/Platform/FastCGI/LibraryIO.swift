internal import AlmanacPOSIX
internal import Glibc

/// The bytes that libfcgi reads on the calling thread, in place of a connection's.
///
/// libfcgi trusts the lengths that it reads: some abort the process, others overflow a buffer. It therefore receives
/// only bytes that have been validated.
@unsafe struct LibraryInput {
    private var rest: UnsafeRawBufferPointer

    /// Calls libfcgi, which reads these bytes and then the end of its input.
    static func provide<Result>(_ bytes: UnsafeRawBufferPointer, _ call: () -> Result) -> Result {
        // Safe because the bytes outlive this call, and nothing reads them afterwards.
        var input = unsafe LibraryInput(rest: bytes)
        return unsafe current.set(to: &input, during: call)
    }

    fileprivate mutating func take(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
        let count = unsafe min(buffer.count, rest.count)
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: rest.prefix(count)))
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
        return count
    }

    /// The pointer to the input of the thread's call.
    fileprivate static let current = ThreadPointer()
}

/// The bytes of a long response that libfcgi has written and that have not been sent. libfcgi writes 8 KiB at a time,
/// and each of these parts alone would wake the web server.
struct LibraryOutput {
    private var bytes: [UInt8] = []
    private var isEnding = false

    /// The number of bytes that are kept at most.
    private static let maxBytes = 256 << 10

    var isEmpty: Bool { bytes.isEmpty }

    /// Calls libfcgi, and keeps what it writes.
    ///
    /// - Parameters:
    ///   - count: The number of bytes that the call is given.
    ///   - isEnding: True to send everything with the next part, which is the last one.
    mutating func collect<Result>(_ count: Int = 0, isEnding: Bool = false, _ call: () -> Result) -> Result {
        self.isEnding = isEnding
        // libfcgi adds a header of 8 bytes to each 8 KiB.
        if bytes.isEmpty { bytes.reserveCapacity(min(count + count / 512 + 1024, Self.maxBytes)) }
        return Self.current.set(to: &self, during: call)
    }

    /// Returns false if the bytes could not be sent.
    fileprivate mutating func write(_ part: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        unsafe bytes += part
        if !isEnding, bytes.count <= Self.maxBytes { return true }
        defer { bytes = [] }
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { unsafe send($0, to: descriptor) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    /// The pointer to the output of the thread's call.
    fileprivate static let current = ThreadPointer()
}

/// Sends bytes, and waits if the web server does not take any. Returns the number of bytes, or -1 with an error in
/// `errno`.
private func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int {
    while true {
        // Safe because send reads only the given number of bytes.
        let sent = unsafe send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        if sent >= 0 || errno != EAGAIN { return sent }
        guard Poll.writable(descriptor, upTo: FastCGIConnection.timeout) else { return -1 }
    }
}

// libfcgi reads and writes by the functions `OS_Read` and `OS_Write` (`fcgios.h`). A program's own functions of these
// names replace the library's, because Debian's libfcgi calls them through the dynamic linker.

/// Reads for libfcgi.
///
/// - Returns: The number of bytes; 0 at the end of the input; -1 if the call is not within `LibraryInput.provide`.
@c(OS_Read)
package func readForLibrary(_: Int32, _ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int32 {
    guard let input = unsafe LibraryInput.current.value?.assumingMemoryBound(to: LibraryInput.self) else {
        errno = EBADF
        return -1
    }
    return unsafe Int32(input.pointee.take(UnsafeMutableRawBufferPointer(start: buffer, count: count)))
}

/// Writes for libfcgi.
///
/// - Returns: The number of bytes, or -1 with an error in `errno`.
@c(OS_Write)
package func writeForLibrary(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int32 {
    let part = unsafe UnsafeRawBufferPointer(start: buffer, count: count)
    guard let output = unsafe LibraryOutput.current.value?.assumingMemoryBound(to: LibraryOutput.self) else {
        return unsafe Int32(send(part, to: descriptor))
    }
    return unsafe output.pointee.write(part, to: descriptor) ? Int32(count) : -1
}
