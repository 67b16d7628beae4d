/// What to ask a server for.
public struct WebRequest: Sendable {
    public var method: String
    public var address: WebAddress
    public var headers: [(name: String, value: String)]
    /// Nil sends none; an empty one is sent as such.
    public var body: [UInt8]?

    public init(
        _ method: String = "GET", _ address: WebAddress, headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil
    ) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }

    /// The lines of the header section as libcurl takes them, each with a zero byte at its end.
    ///
    /// - Throws: `.unsendable` for a method or header that would reach into the next line.
    func lines() throws(FetchFailure) -> [[UInt8]] {
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isWordByte) else { throw .unsendable("the method") }
        // Otherwise libcurl asks before it sends a large body, and waits a second for the answer.
        var lines = ["Expect:"]
        for (name, value) in headers {
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isWordByte), !value.utf8.contains(where: { $0 < 32 }) else {
                throw .unsendable("the header \(name)")
            }
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        return lines.map { Array($0.utf8) + [0] }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
