import AlmanacJSON

@testable import AlmanacConfigDomain

/// A model of the view that the API contract promises to each major, made of dictionaries only.
///
/// Within a major no key is removed or retyped. Each major gets every value that it can take, and each new key.
struct MajorsModel {
    private(set) var version = (major: 0, minor: 0, patch: 0)
    /// The values that each major sees.
    private(set) var majors: [Int: [String: JSONValue]] = [:]
    private var descriptions: [String: String] = [:]

    /// The view of the newest major, empty before the first release.
    var newest: [String: JSONValue] { values(of: version.major) }

    func values(of major: Int) -> [String: JSONValue] { majors[major] ?? [:] }

    /// Makes a release.
    ///
    /// - Returns: `true` if the edits change anything.
    mutating func release(_ edits: [EntryEdit]) -> Bool {
        let changes = edits.filter { edit in
            let description = edit.value == nil ? "" : edit.description ?? descriptions[edit.key] ?? ""
            return newest[edit.key] != edit.value || description != descriptions[edit.key] ?? ""
        }
        guard !changes.isEmpty else { return false }
        let breaks = changes.contains { edit in
            newest[edit.key].map { !Self.isCompatible($0, edit.value) } ?? false
        }
        advance(breaks: breaks, adds: changes.contains { newest[$0.key] == nil || addsMembers($0) })
        for change in changes {
            descriptions[change.key] = change.value == nil ? nil : change.description ?? descriptions[change.key]
            for (major, values) in majors {
                let canTakeIt = values[change.key].map { Self.isCompatible($0, change.value) } ?? true
                if major == version.major || canTakeIt { majors[major]?[change.key] = change.value }
            }
        }
        return true
    }

    private mutating func advance(breaks: Bool, adds: Bool) {
        if version.major == 0 {
            version = (1, 0, 0)
            majors[1] = [:]
        } else if breaks {
            version = (version.major + 1, 0, 0)
            // The new major starts with the newest values, and the release's changes are added to them.
            majors[version.major] = majors[version.major - 1]
        } else if adds {
            version = (version.major, version.minor + 1, 0)
        } else {
            version.patch += 1
        }
    }

    private static func isCompatible(_ before: JSONValue, _ after: JSONValue?) -> Bool {
        guard let after else { return false }
        let types = paths(after)
        return paths(before).allSatisfy { path, type in types[path] == type }
    }

    private func addsMembers(_ edit: EntryEdit) -> Bool {
        guard let before = newest[edit.key], let after = edit.value else { return false }
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
