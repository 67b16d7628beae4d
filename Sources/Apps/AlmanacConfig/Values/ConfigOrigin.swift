/// Where the values come from that an app sees.
public enum ConfigOrigin: String, Sendable {
    /// From the defaults that the app ships with.
    case bundled
    /// From the file that an earlier run left.
    case cached
    /// From the server, in this run.
    case fetched
}
