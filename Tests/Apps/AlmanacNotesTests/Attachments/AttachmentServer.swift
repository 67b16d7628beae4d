import AlmanacNotes
import AlmanacTestSupport
import Foundation
import Synchronization

/// A scripted server with one account's attachments, whose answers a test can replace.
final class AttachmentServer: Sendable {
    struct State: Sendable {
        /// The numbers of bytes that were declared.
        var declared: [String: Int] = [:]
        /// The received bytes, by id and part: `<id> file`.
        var received: [String: [UInt8]] = [:]
        /// The entries of the list, in JSON.
        var entries: [String: String] = [:]
        var removed: [String] = []
        var revision = 0
        /// The first revision whose changes the list still has.
        var firstRevision = 0
    }

    typealias Answer = TransportResponse<ByteStream>

    private let state = Mutex(State())
    private let answer: @Sendable (TransportRequest, Int) async throws(TransportFailure) -> Answer?

    /// - Parameter answer: returns an answer in place of the server's, or nil; receives the number of earlier requests.
    init(
        _ answer: @escaping @Sendable (TransportRequest, Int) async throws(TransportFailure) -> Answer? = { _, _ in nil
        }
    ) { self.answer = answer }

    /// Returns the connection of a device.
    func transport() -> ScriptedTransport {
        ScriptedTransport { request, count throws(TransportFailure) in
            if let answer = try await self.answer(request, count) { return answer }
            return self.respond(to: request)
        }
    }

    func read<Result: Sendable>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

    func bytes(of id: String, _ part: String = "file") -> [UInt8]? { state.withLock { $0.received["\(id) \(part)"] } }

    private func respond(to request: TransportRequest) -> Answer {
        state.withLock { state in
            let path = URL(string: request.url)!.path
            guard path.contains("/attachments") else { return Self.notes(request, &state) }
            let id = path.hasSuffix("/attachments") ? nil : path.split(separator: "/").last.map(String.init)
            guard let id else { return Self.list(request, state) }
            if request.method == "DELETE" {
                state.revision += 1
                guard state.entries.removeValue(forKey: id) != nil else { return .text("", status: 404) }
                state.removed.append(id)
                return .text("", status: 204)
            }
            if state.removed.contains(id) { return .problem("attachment-removed", 410) }
            let key = "\(id) \(request.value("part") ?? "file")"
            switch request.method {
            case "PUT":
                let isNew = state.declared[id] == nil
                state.declared[id] = request.json["bytes"] as? Int
                if isNew { state.entries[id] = request.bodyText }
                return .text(#"{"offset": \#(state.received["\(id) file"]?.count ?? 0)}"#, status: isNew ? 201 : 200)
            case "PATCH":
                guard state.declared[id] != nil else { return .problem("attachment-not-here", 404) }
                let bytes = state.received[key] ?? []
                guard request.header("Upload-Offset") == "\(bytes.count)" else {
                    return .problem("wrong-offset", 409, [(name: "Upload-Offset", value: "\(bytes.count)")])
                }
                state.received[key] = bytes + (request.body ?? [])
                if key.hasSuffix("file"), state.received[key]?.count == state.declared[id] { state.revision += 1 }
                return .text(
                    "", status: 204, headers: [(name: "Upload-Offset", value: "\(state.received[key]!.count)")])
            default: return Self.piece(request, state.received[key])
            }
        }
    }

    private static func notes(_ request: TransportRequest, _ state: inout State) -> Answer {
        let cursor = #""revision": \#(state.revision), "cursor": "\#(state.revision).k3f9""#
        guard request.method == "POST" else {
            return .text(#"{\#(cursor), "order": [], "details": {}, "deleted": [], "more": false}"#)
        }
        state.revision += 1
        let ids = request.bodyText.matches(of: /"action_id":"([^"]+)"/).map { $0.output.1 }
        let results = ids.map { #"{"status": "applied", "action_id": "\#($0)", "revision": \#(state.revision)}"# }
        return .text(#"{"cursor": "\#(state.revision).k3f9", "results": [\#(results.joined(separator: ","))]}"#)
    }

    private static func list(_ request: TransportRequest, _ state: State) -> Answer {
        let since = request.value("since").flatMap { Int($0.prefix { $0 != "." }) }
        if let since, since < state.firstRevision { return .problem("resync", 410) }
        let entries = state.entries.filter { state.received["\($0.key) file"]?.count == state.declared[$0.key] }
            .map { id, entry in
                #"{"id": "\#(id)", "revision": 1, "created_at": "2026-01-01T09:00:00.000Z", \#(entry.dropFirst())"#
            }
        let removed = (since == nil ? [] : state.removed).map { "\"\($0)\"" }
        return .text(
            #"{"revision": \#(state.revision), "cursor": "\#(state.revision).k3f9", "more": false, "next": null, "#
                + #""attachments": [\#(entries.joined(separator: ","))], "#
                + #""removed": [\#(removed.joined(separator: ","))]}"#
        )
    }

    private static func piece(_ request: TransportRequest, _ bytes: [UInt8]?) -> Answer {
        guard let bytes else { return .problem("attachment-not-here", 404) }
        guard let range = request.header("Range")?.wholeMatch(of: /bytes=(\d+)-(\d+)/), let first = Int(range.output.1),
            let last = Int(range.output.2), first < bytes.count
        else { return Answer(status: 200, bytes: bytes) }
        let end = min(last, bytes.count - 1)
        return Answer(
            status: 206, headers: [(name: "Content-Range", value: "bytes \(first)-\(end)/\(bytes.count)")],
            bytes: Array(bytes[first...end]))
    }
}

/// A condition that is true once.
final class Once: Sendable {
    private let isUsed = Mutex(false)

    func isFirst() -> Bool {
        isUsed.withLock { isUsed in
            defer { isUsed = true }
            return !isUsed
        }
    }
}

extension TransportResponse<ByteStream> {
    static func problem(
        _ type: String, _ status: Int, _ headers: [(name: String, value: String)] = []
    ) -> TransportResponse<ByteStream> {
        .text(
            #"{"type": "urn:almanac:problem:\#(type)", "status": \#(status), "detail": "no"}"#, status: status,
            headers: headers)
    }
}

extension TransportRequest {
    fileprivate var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(body ?? []))) as? [String: Any] ?? [:]
    }
}

extension Folder {
    /// Writes a PNG file of 3 columns and 2 rows, whose image data are pseudo-random bytes.
    ///
    /// - Parameter count: the length of the file, at least 45 bytes.
    func picture(_ name: String, _ count: Int) throws -> (url: URL, bytes: [UInt8]) {
        var number: UInt32 = 1
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        bytes += [0, 0, 0, 13] + "IHDR".utf8 + [0, 0, 0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0, 0, 0, 0, 0]
        bytes += [24, 16, 8, 0].map { UInt8((count - 45) >> $0 & 0xFF) } + "IDAT".utf8
        while bytes.count < count {
            number = number &* 1_664_525 &+ 1_013_904_223
            bytes.append(UInt8(number >> 24))
        }
        return (URL(fileURLWithPath: try folder.write(name, bytes)), bytes)
    }
}
