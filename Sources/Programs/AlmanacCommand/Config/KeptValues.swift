internal import AlmanacClient
internal import AlmanacPOSIX

/// Keys of which builds that pin an older major keep another value.
enum KeptValues {
    /// The limit on listed keys.
    private static let named = 5

    /// Warns about builds that cannot take the new values of some keys.
    static func warn(of keys: [String], _ remote: RemoteEnvironment) {
        // A token that may only write can't read the majors.
        guard !keys.isEmpty, let all = try? remote.majors() else { return }
        var kept: [[Int64]: [String]] = [:]
        for key in keys {
            let majors = all.filter { $0.keeps(key) }.map(\.major)
            if !majors.isEmpty { kept[majors, default: []].append(key) }
        }
        for (majors, keys) in kept.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            Process.report("almanac: " + warning(of: keys, majors.map { "\($0)" }))
        }
    }

    static func warning(of keys: [String], _ majors: [String]) -> String {
        let builds = majors.count == 1 ? "major \(majors[0])" : "the majors \(majors.joined(separator: ", "))"
        let more = keys.count - named
        let names = keys.prefix(named).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        return "builds that pin \(builds) keep the old \(keys.count == 1 ? "value" : "values") of \(names)"
    }
}
