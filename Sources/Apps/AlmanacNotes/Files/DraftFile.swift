internal import AlmanacClientRuntime

/// A file that is being written from its beginning to its end, and its hash.
struct DraftFile: ~Copyable {
    let file: OpenFile
    /// The number of bytes so far.
    private(set) var count: Int64 = 0
    private var hash = SHA2()
    /// The last bytes, which are not in the file yet.
    private var pending: [UInt8] = []

    private static let pendingLimit = 64 << 10

    /// Creates the file, which must be missing.
    init(_ path: String) throws(FileFailure) { file = try OpenFile(writing: path) }

    /// Appends bytes.
    mutating func put(_ bytes: some Collection<UInt8>) throws(FileFailure) {
        pending += bytes
        count += Int64(bytes.count)
        if pending.count >= Self.pendingLimit { try flush() }
    }

    /// Appends a range of another file. The part of the range after the file's end is ignored.
    mutating func keep(_ range: Range<Int64>, of source: FileWindow) throws(FileFailure) {
        var at = range.lowerBound
        while case let part = try source.part(at, range.upperBound), !part.isEmpty {
            try put(part)
            at += Int64(part.count)
        }
    }

    /// Writes all bytes. Returns the length and hash.
    mutating func finish() throws(FileFailure) -> AttachmentRecord.Content {
        try flush()
        return AttachmentRecord.Content(bytes: count, sha256: hash.digest.hexadecimal)
    }

    private mutating func flush() throws(FileFailure) {
        try file.write(pending, at: count - Int64(pending.count))
        hash.add(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
