internal import AlmanacHTTP
internal import AlmanacTimestamps

/// The header fields of config answers.
enum ConfigHeaders {
    /// What every answer says of the state that it shows.
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
        guard message.utf8.count <= 1024, !message.unicodeScalars.contains(where: { $0.value < 32 || $0 == "\u{FFFD}" })
        else {
            throw Problem(.invalidHeader, "Almanac-Message must be at most 1024 bytes of UTF-8 text in one line")
        }
        return message
    }
}
