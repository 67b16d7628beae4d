internal import Glibc

extension ChildProcess {
    /// Runs a program to its end, without input, and keeps what it says.
    ///
    /// - Returns: its exit status, and standard output and error, as one text in the order written.
    public static func output(
        of program: String, _ arguments: [String], variables: [String: String] = [:]
    ) throws(SystemFailure) -> (status: Int32, text: String) {
        let (input, output) = (try DraftFile.unnamed(), try DraftFile.unnamed())
        let child = try start(
            program, arguments, variables: variables,
            descriptors: [input.descriptor, output.descriptor, output.descriptor])
        let status = child.wait()
        return (status, String(decoding: output.contents(limit: 1 << 20), as: UTF8.self))
    }

    /// Runs a program to its end and hands over its standard output line by line, each with its end.
    ///
    /// - Parameter descriptors: those from 3 on that the program is handed besides.
    /// - Returns: its exit status, and its standard error.
    public static func lines(
        of program: String, _ arguments: [String], variables: [String: String] = [:], descriptors: [Int32] = [],
        _ body: (ArraySlice<UInt8>) throws -> Void
    ) throws -> (status: Int32, errors: String) {
        let (input, errors) = (try DraftFile.unnamed(), try DraftFile.unnamed())
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw SystemFailure.last }
        let (source, sink) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(source) }
        let child: ChildProcess
        do {
            defer { close(sink) }
            child = try start(
                program, arguments, variables: variables,
                descriptors: [input.descriptor, sink, errors.descriptor] + descriptors)
        }
        let result = Result { try Self.split(source, body) }
        // Closed early, the program ends with a broken pipe instead of waiting for a reader.
        if case .failure = result { kill(child.pid, SIGTERM) }
        let status = child.wait()
        try result.get()
        return (status, String(decoding: errors.contents(limit: 1 << 20), as: UTF8.self))
    }

    private static func split(_ descriptor: Int32, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
        var rest: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = unsafe read(descriptor, &chunk, chunk.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw SystemFailure.last
            }
            if count == 0 { break }
            var part = chunk[..<count]
            while let end = part.firstIndex(of: 10) {
                if rest.isEmpty {
                    try body(part[...end])
                } else {
                    rest += part[...end]
                    try body(rest[...])
                    rest.removeAll(keepingCapacity: true)
                }
                part = part[(end + 1)...]
            }
            rest += part
        }
        if !rest.isEmpty { try body(rest[...]) }
    }
}
