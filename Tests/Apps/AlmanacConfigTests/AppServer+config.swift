import AlmanacTestSupport

extension AppServer.Connection {
    /// Sends a config in Almanac's format.
    func config(_ cursor: String, _ body: String, _ headers: [String] = [], version: String = "1.0.0") {
        let revision = cursor.prefix { $0 != "." }
        let own = ["Almanac-Cursor: \(cursor)", "Almanac-Revision: \(revision)", "Almanac-Version: \(version)"]
        answer("200 OK", own + ["Content-Type: application/json"] + headers, body)
    }
}
