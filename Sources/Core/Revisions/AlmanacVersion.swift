/// The version of Almanac that this program was built from.
public enum AlmanacVersion {
    /// A semantic version; see `deploy/VERSIONS.md` for its guarantees.
    public static let current = "1.0.0"
}
