/// A hash function of splits. The two versions select different users, so a set keeps its version.
public enum FractionalVersion: Sendable {
    /// The hash of a text's UTF-8, as in flagd up to 2026.
    case version2
    /// The hash of any value's deterministic CBOR.
    case version3
}
