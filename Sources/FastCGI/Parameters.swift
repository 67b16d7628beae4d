/// The parameters of one request: CGI variables (RFC 3875 §4.1) and what else the web server was told to pass.
///
/// Bytes that are no UTF-8 arrive as U+FFFD.
public struct Parameters: Sendable {
    /// In the order sent.
    public let pairs: [(name: String, value: String)]

    init(_ pairs: [(name: String, value: String)]) {
        self.pairs = pairs
    }

    /// The first parameter of that name.
    public subscript(_ name: String) -> String? {
        pairs.first { $0.name == name }?.value
    }
}
