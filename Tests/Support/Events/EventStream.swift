internal import AlmanacPOSIX
internal import Glibc

/// An open event stream, read by a curl process of its own so that a test can cut it at any moment.
///
/// The stream is cut when the last reference to this object is released.
public final class EventStream: Sendable {
    private let child: ChildProcess
    private let state = Monitor(State())

    fileprivate struct State {
        var head: [UInt8] = []
        var status: Int?
        var parser = StrictEventParser()
        var events: [SentEvent] = []
        var nextIndex = 0
        var problem: String?
        var hasEnded = false
    }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - url: the full URL.
    ///   - caFile: the certificate authorities to trust.
    public init(_ url: String, caFile: String, headers: [(String, String)] = [], options: [String] = []) throws {
        var ends: [Int32] = [0, 0]
        if unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) < 0 {
            throw SystemFailure.last
        }
        let input = try ScratchFile()
        let errors = try ScratchFile()
        let fields = headers.flatMap { ["-H", "\($0.0): \($0.1)"] }
        do {
            child = try ChildProcess.start(
                "curl", ["-sS", "-N", "-i", "--noproxy", "*", "--cacert", caFile] + fields + options + [url],
                descriptors: [input.descriptor, ends[1], errors.descriptor], group: .own)
        } catch {
            for end in ends { close(end) }
            throw error
        }
        close(ends[1])
        let (child, state, output) = (child, state, ends[0])
        _ = AlmanacPOSIX.Thread(name: "stream \(child.pid)") {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = unsafe read(output, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                if count <= 0 { break }
                state.update { $0.append(chunk[..<count]) }
            }
            close(output)
            child.waitForEnd()
            state.update {
                _ = child.wait()
                $0.hasEnded = true
            }
        }
    }

    deinit { cut() }

    /// Breaks the connection, like a device that loses its network.
    public func cut() {
        // The lock keeps the process from being reaped, so that its id cannot belong to another process.
        state.read { if !$0.hasEnded { _ = kill(child.pid, SIGKILL) } }
    }

    /// Returns the status of the response, 0 if the stream ended without one, or nil after the limit.
    public func status(within limit: Duration = .seconds(10)) -> Int? {
        state.wait(upTo: limit) { $0.status ?? ($0.hasEnded ? 0 : nil) }
    }

    /// Returns the next unread event, or nil if the stream ends or the limit passes first.
    public func next(within limit: Duration = .seconds(10)) throws -> SentEvent? {
        let event = state.wait(upTo: limit) { state -> SentEvent?? in
            if state.nextIndex < state.events.count {
                state.nextIndex += 1
                return .some(state.events[state.nextIndex - 1])
            }
            return state.hasEnded ? .some(nil) : nil
        }
        if let problem = state.read({ $0.problem }) { throw StrictEventParser.Malformed(description: problem) }
        return event ?? nil
    }

    /// Returns the next event of a type and skips the events before it.
    public func next(_ type: String, within limit: Duration = .seconds(10)) throws -> SentEvent? {
        let deadline = ContinuousClock.now + limit
        while let event = try next(within: max(.zero, deadline - .now)) {
            if event.type == type { return event }
        }
        return nil
    }

    /// Returns true if the stream ends within the limit.
    public func ends(within limit: Duration = .seconds(10)) -> Bool {
        state.wait(upTo: limit) { $0.hasEnded ? true : nil } ?? false
    }

    /// The header block, and the body of a response that is not a stream.
    public var text: String { state.read { String(decoding: $0.head, as: UTF8.self) } }
}

extension EventStream.State {
    fileprivate mutating func append(_ bytes: ArraySlice<UInt8>) {
        var unread = bytes
        if status != 200 {
            head += unread
            guard let end = head.firstRange(of: [13, 10, 13, 10]) else { return }
            // The status line is "HTTP/2 200" or "HTTP/1.1 200 OK".
            let words = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self).split(separator: " ")
            status = words.count > 1 ? Int(words[1]) : nil
            guard status == 200 else { return }
            unread = head[end.upperBound...]
            head = Array(head[..<end.upperBound])
        }
        do {
            events += try parser.parse(unread)
        } catch {
            problem = "\(error)"
        }
    }
}
