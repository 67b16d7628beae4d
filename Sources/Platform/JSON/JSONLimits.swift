/// How much of a text is accepted before anything is allocated for it.
public struct JSONLimits: Sendable {
    /// The longest text, in bytes.
    public var bytes: Int = 4 << 20

    /// How many arrays and objects may stand inside each other; the outermost counts as one.
    public var depth: Int = 64

    public init() {}
}
