internal import AlmanacClient

extension ConfigForecast {
    /// The limit on listed reasons and keys.
    private static let named = 3

    /// The new version with its reasons, and the keys that older majors still see; empty if nothing changes.
    var text: String {
        guard !reasons.isEmpty else { return "" }
        var text = "version \(version), now \(currentVersion): \(Self.list(reasons))\n"
        for (major, keys) in keeps {
            text += "builds that pin major \(major) keep what was: \(Self.list(keys))\n"
        }
        for (major, flags) in withheld {
            let reasons = Self.list(flags.map(\.reason))
            text += "builds that pin major \(major) do not get \(Self.list(flags.map(\.key))): \(reasons)\n"
        }
        return text
    }

    private static func list(_ words: [String]) -> String {
        let more = words.count - named
        return words.prefix(named).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
    }
}
