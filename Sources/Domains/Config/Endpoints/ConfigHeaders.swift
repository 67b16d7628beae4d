internal import AlmanacForms
internal import AlmanacHTTP
internal import AlmanacRevisions
internal import AlmanacTimestamps

/// The header fields of config answers and requests.
enum ConfigHeaders {
    /// The headers by which every response names the state that it shows.
    static func fields(of head: Head) -> [(name: String, value: String)] {
        [
            ("Almanac-Revision", "\(head.revision)"),
            ("Almanac-Cursor", "\(head.cursor)"),
            ("Almanac-Version", "\(head.version)"),
            ("Last-Modified", head.updatedAt.httpDate),
        ]
    }

    /// The `Almanac-Message` header of a write, for the history; empty when it is not sent.
    static func message(_ request: Request) throws(Problem) -> String {
        guard let message = request.headers["Almanac-Message"] else { return "" }
        guard ReleaseMessage.isValid(message) else {
            throw Problem(.invalidHeader, "Almanac-Message must be \(ReleaseMessage.form)")
        }
        return message
    }

    /// The `Almanac-Min-Revision` header of a read: the least that will do.
    static func leastRevision(_ request: Request) throws(Problem) -> Cursor? {
        guard let text = request.headers["Almanac-Min-Revision"] else { return nil }
        guard let cursor = Cursor(text) else {
            throw Problem(.invalidHeader, "Almanac-Min-Revision must be a revision, such as 43")
        }
        return cursor
    }
}

extension FieldLines {
    /// Adds what every answer says of a snapshot's state, as it was put into lines for the first of them.
    static func += (lines: inout FieldLines, snapshot: Snapshot) {
        lines.append(lines: snapshot.announcement.value { FieldLines(ConfigHeaders.fields(of: snapshot.head)).bytes })
    }
}

extension Precondition {
    /// The conditions of the headers `If-Match`, `If-None-Match` and `If-Unmodified-Since`; a star is a condition on
    /// one entry.
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
    /// The query parameter `version`, nil when it is not given.
    static func requested(_ query: Query) throws(Problem) -> PinnedVersion? {
        guard let text = query["version"] else { return nil }
        guard let version = PinnedVersion(text) else {
            throw Problem(.invalidVersion, "'version' must be a major version such as 2, or 2.3, or 2.3.1")
        }
        return version
    }
}
