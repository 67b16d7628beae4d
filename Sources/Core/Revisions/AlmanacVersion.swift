/// The release of Almanac that this was built from.
public enum AlmanacVersion {
    /// A semantic version. What it promises is in `deploy/VERSIONS.md`.
    public static let current = "1.0.0"
}
