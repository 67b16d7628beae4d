/// How a split finds somebody's place. The two put different people on each side, so a set keeps the one it has.
public enum FractionalVersion: Sendable {
    /// Over the UTF-8 of a text, as flagd does up to 2026.
    case version2
    /// Over the deterministic CBOR of any value.
    case version3
}
