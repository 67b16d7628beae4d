internal import AlmanacClient

extension ConfigForecast {
    /// The most reasons, and keys, that are named.
    private static let named = 3

    /// The version and why, and what builds go on seeing that pin an older one; nothing where nothing would change.
    var text: String {
        guard !reasons.isEmpty else { return "" }
        var text = "version \(version), now \(currentVersion): \(Self.list(reasons))\n"
        for (major, keys) in keeps {
            text += "builds that pin major \(major) keep what was: \(Self.list(keys))\n"
        }
        return text
    }

    private static func list(_ words: [String]) -> String {
        let more = words.count - named
        return words.prefix(named).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
