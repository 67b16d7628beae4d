/// An answer that has arrived as a whole.
public struct WholeAnswer: Sendable {
    public let status: Int
    public let headers: [(name: String, value: String)]
    public let body: [UInt8]
}
