import AlmanacJSON

@testable import AlmanacConfigDomain

/// A model of the view that the API contract promises to each major, made of dictionaries only.
///
/// Within a major no key is removed or retyped. Compatible values stay live; a value that broke later stays at its
/// last compatible state.
struct MajorsModel {
    /// The value of a key in one major.
    struct Seen {
        var value: JSONValue
        /// True while this major accepts the newest value of the key.
        var isLive: Bool
    }

    private(set) var version = (major: 0, minor: 0, patch: 0)
    private(set) var majors: [Int: [String: Seen]] = [:]
    private var descriptions: [String: String] = [:]

    /// The view of the newest major, empty before the first release.
    var newest: [String: Seen] { majors[version.major] ?? [:] }

    func values(of major: Int) -> [String: JSONValue] { majors[major]?.mapValues(\.value) ?? [:] }

    /// Makes a release.
    ///
    /// - Returns: `true` if the edits change anything.
    mutating func release(_ edits: [EntryEdit]) -> Bool {
        let changes = edits.filter { edit in
            let before = newest[edit.key]?.value
            let description = edit.value == nil ? "" : edit.description ?? descriptions[edit.key] ?? ""
            return before != edit.value || description != descriptions[edit.key] ?? ""
        }
        guard !changes.isEmpty else { return false }
        let breaks = changes.filter { newest[$0.key] != nil && !isCompatible($0) }
        let adds = changes.contains { newest[$0.key] == nil || addsMembers($0) }
        advance(breaks: !breaks.isEmpty, adds: adds)
        for broken in breaks {
            for major in majors.keys where major < version.major { majors[major]?[broken.key]?.isLive = false }
            majors[version.major]?[broken.key] = nil
        }
        for change in changes {
            descriptions[change.key] = change.value == nil ? nil : change.description ?? descriptions[change.key]
            guard let value = change.value else { continue }
            for major in majors.keys where majors[major]?[change.key]?.isLive == true {
                majors[major]?[change.key]?.value = value
            }
            majors[version.major]?[change.key] = Seen(value: value, isLive: true)
        }
        return true
    }

    private mutating func advance(breaks: Bool, adds: Bool) {
        if version.major == 0 {
            version = (1, 0, 0)
            majors[1] = [:]
        } else if breaks {
            version = (version.major + 1, 0, 0)
            // The new major starts with all live values, and the release's changes are added to them.
            majors[version.major] = majors[version.major - 1]?.filter { $0.value.isLive }
        } else if adds {
            version = (version.major, version.minor + 1, 0)
        } else {
            version.patch += 1
        }
    }

    private func isCompatible(_ edit: EntryEdit) -> Bool {
        guard let before = newest[edit.key]?.value else { return true }
        guard let after = edit.value else { return false }
        return Self.paths(before).allSatisfy { path, type in Self.paths(after)[path] == type }
    }

    private func addsMembers(_ edit: EntryEdit) -> Bool {
        guard let before = newest[edit.key]?.value, let after = edit.value else { return false }
        return !Set(Self.paths(after).keys).subtracting(Self.paths(before).keys).isEmpty
    }

    /// Returns the type at each path whose removal counts like a key's: the value itself, and each member of its
    /// objects.
    private static func paths(_ value: JSONValue, at path: [String] = []) -> [[String]: JSONType] {
        var paths = [path: value.type]
        for member in value.objectValue?.members ?? [] {
            paths.merge(Self.paths(member.value, at: path + [member.name])) { $1 }
        }
        return paths
    }
}
