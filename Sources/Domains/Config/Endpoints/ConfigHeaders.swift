internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacRevisions
internal import AlmanacTimestamps

enum ConfigHeaders {
    /// Returns the headers that describe a state: its revision, cursor, version and time.
    static func fields(of head: Head) -> [(name: String, value: String)] {
        [
            ("Almanac-Revision", "\(head.revision)"), ("Almanac-Cursor", "\(head.cursor)"),
            ("Almanac-Version", "\(head.version)"), ("Last-Modified", head.updatedAt.httpDate),
        ]
    }

    /// Returns the `Almanac-Message` header of a write, or an empty text if the header is absent.
    static func message(_ request: Request) throws(Problem) -> String {
        guard let message = request.headers["Almanac-Message"] else { return "" }
        guard ReleaseMessage.isValid(message) else {
            throw Problem(.invalidHeader, "Almanac-Message must be \(ReleaseMessage.form)")
        }
        try WrittenSecret.refuse(in: message, of: "Almanac-Message", .invalidHeader)
        return message
    }

    /// Parses the `Almanac-Min-Revision` header of a read: the oldest revision that the response may show.
    static func minRevision(_ request: Request) throws(Problem) -> Cursor? {
        guard let text = request.headers["Almanac-Min-Revision"] else { return nil }
        guard let cursor = Cursor(text) else {
            throw Problem(.invalidHeader, "Almanac-Min-Revision must be a revision, such as 43")
        }
        return cursor
    }
}

extension FieldLines {
    /// Adds the headers of a snapshot's state, which are encoded once per snapshot.
    static func += (lines: inout FieldLines, snapshot: Snapshot) {
        lines.append(lines: snapshot.announcement.value { FieldLines(ConfigHeaders.fields(of: snapshot.head)).bytes })
    }
}

extension Precondition {
    /// Parses `If-Match`, `If-None-Match` and `If-Unmodified-Since`, but skips `*`, a condition on a single entry.
    init(_ headers: Headers) throws(Problem) {
        func tags(_ name: String) throws(Problem) -> [String]? {
            guard case .listed(let tags) = try headers.entityTags(name) else { return nil }
            return tags
        }
        self.init(
            tags: try tags("If-Match"), otherTags: try tags("If-None-Match") ?? [],
            unmodifiedSince: try headers.unmodifiedSince())
    }
}

extension PinnedVersion {
    static func requested(_ query: Query) throws(Problem) -> PinnedVersion? {
        guard let text = query["version"] else { return nil }
        guard let version = PinnedVersion(text) else {
            throw Problem(.invalidVersion, "'version' must be a major version such as 2, or 2.3, or 2.3.1")
        }
        return version
    }
}
