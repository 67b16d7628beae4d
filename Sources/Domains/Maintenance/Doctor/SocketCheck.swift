internal import AlmanacPOSIX

/// The check that a process listens on a Unix socket and speaks FastCGI.
enum SocketCheck {
    static func finding(_ path: String) -> Finding {
        do {
            let connection = try LocalConnection(path)
            try connection.send(FastCGIProbe.bytes)
            let answer = try connection.receive(upTo: .seconds(5))
            guard let answer, answer.count >= 8, answer[0] == 1 else {
                let what =
                    answer == nil ? "no response within 5 s" : "the process behind the socket does not speak FastCGI"
                return .failed(
                    "socket", path, what,
                    advice: "check the log of the process behind the socket, and restart the process")
            }
            return .good("socket", path, "is open and responds")
        } catch {
            if error.isNotPermitted {
                return .skipped(
                    "socket", path, "this user cannot open the socket", advice: "run almanac doctor as root")
            }
            return .failed(
                "socket", path, "\(error)",
                advice: "check that the process behind the socket is running and listens there")
        }
    }
}

/// The request `GET /-/live` in the form that a web server sends.
enum FastCGIProbe {
    static var bytes: [UInt8] {
        let parameters = [
            ("REQUEST_METHOD", "GET"), ("REQUEST_URI", "/-/live"), ("CONTENT_LENGTH", "0"), ("REQUEST_ID", "doctor"),
        ]
        let pairs = parameters.flatMap { (name, value) -> [UInt8] in
            [UInt8(name.utf8.count), UInt8(value.utf8.count)] + Array(name.utf8) + Array(value.utf8)
        }
        // The records: begin a request as responder, its parameters, the end of the parameters, an empty body.
        return record(1, [0, 1, 0, 0, 0, 0, 0, 0]) + record(4, pairs) + record(4, []) + record(5, [])
    }

    /// - Parameter content: at most 255 bytes.
    private static func record(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
        [1, type, 0, 1, 0, UInt8(content.count), 0, 0] + content
    }
}
