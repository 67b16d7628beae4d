internal import AlmanacTransport

/// What libcurl hands over of one answer, as far as there is room for it.
final class Transfer: AnswerSink {
    private(set) var headers = HeaderFields()
    private(set) var body: [UInt8] = []
    private(set) var isTooLarge = false
    /// Whether the receiver of a stream would not go on.
    private(set) var hasEnough = false
    private var room: Int
    private let receiver: (([UInt8]) -> Bool)?
    private var isStreaming = false

    /// - Parameters:
    ///   - limit: how much may arrive, headers and body together, in bytes.
    ///   - receive: is given the body of an answer with the status 200, part by part, instead of it being kept; the
    ///     limit does not hold for it.
    init(limit: Int, receive: (([UInt8]) -> Bool)? = nil) {
        room = limit
        receiver = receive
    }

    override func receive(headerLine line: [UInt8]) -> Bool {
        guard hasRoom(for: line) else { return false }
        if line.starts(with: "HTTP/".utf8) {
            isStreaming = receiver != nil && Self.status(ofLine: line) == 200
        }
        headers.add(line: line)
        return true
    }

    override func receive(body part: [UInt8]) -> Bool {
        if isStreaming, let receiver {
            hasEnough = !receiver(part)
            return !hasEnough
        }
        guard hasRoom(for: part) else { return false }
        body += part
        return true
    }

    /// The number in `HTTP/1.1 200 OK`.
    private static func status(ofLine line: [UInt8]) -> Int? {
        let words = line.split(separator: UInt8(ascii: " "))
        return words.count > 1 ? Int(String(decoding: words[1].prefix(3), as: UTF8.self)) : nil
    }

    private func hasRoom(for bytes: [UInt8]) -> Bool {
        room -= bytes.count
        if room < 0 { isTooLarge = true }
        return !isTooLarge
    }
}
