internal import AlmanacJSON

/// A change that a writer asks for, whatever the config holds.
enum ConfigWrite {
    /// A new entry.
    case create(EntryEdit)
    /// A new entry, or another value for the one there is.
    case put(EntryEdit, where: Presence = .any)
    case remove(_ key: String)
    /// A JSON Merge Patch over the object form (RFC 7396): many keys in one release.
    case merge(JSONObject)
    /// Whole entries: many keys in one release, values that a merge patch can't write among them.
    case replace([EntryReplacement])
    /// A flag switched off or on, whatever else it is.
    case switchFlag(_ key: String, FlagState)

    /// Whether an entry has to be there for a write.
    enum Presence {
        case any, absent, present
    }

    /// The keys that it may change.
    var keys: [String] {
        switch self {
        case .create(let edit), .put(let edit, _): [edit.key]
        case .remove(let key): [key]
        case .merge(let patch): patch.members.map(\.name)
        case .replace(let replacements): replacements.map(\.key)
        case .switchFlag(let key, _): [key]
        }
    }

    /// The edits that it comes to.
    ///
    /// - Parameter current: the entries of those keys that are there.
    func edits(of current: [String: Entry], at head: Head) throws -> [EntryEdit] {
        switch self {
        case .create(let edit):
            guard current[edit.key] == nil else { throw ConfigRefusal.entryExists(edit.key, in: head) }
            return [edit]
        case .put(let edit, let presence):
            switch (presence, current[edit.key] != nil) {
            case (.absent, true): throw ConfigRefusal.wouldReplace(edit.key, in: head)
            case (.present, false): throw ConfigRefusal.wouldCreate(edit.key, in: head)
            default: return [edit]
            }
        case .remove(let key):
            guard current[key] != nil else { throw ConfigRefusal.entryNotFound(key, in: head) }
            return [EntryEdit(key: key, value: nil, description: nil)]
        case .merge(let patch):
            return try patch.members.map { member in
                guard member.value != .null else { return EntryEdit(key: member.name, value: nil, description: nil) }
                let before = try current[member.name]?.value.map { try JSONValue(parsing: $0, limits: .stored) }
                return EntryEdit(
                    key: member.name, value: (before ?? .null).merging(member.value), description: nil)
            }
        case .replace(let replacements): return try replacements.map { try $0.edit(of: current[$0.key], at: head) }
        case .switchFlag(let key, let state):
            guard let entry = current[key], entry.kind == .flag, let value = entry.value else {
                throw ConfigRefusal.flagNotFound(key, in: head)
            }
            let patch = JSONObject([("state", .string(state.rawValue))])
            let before = try JSONValue(parsing: value, limits: .stored)
            return [EntryEdit(key: key, value: before.merging(.object(patch)), description: nil)]
        }
    }
}

/// Whether a flag is switched on, as its definition says.
public enum FlagState: String, Sendable {
    case enabled = "ENABLED"
    case disabled = "DISABLED"
}

/// What a writer wants an entry to become whatever its value is: another value, another description, both, or gone.
struct EntryReplacement: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case removed
        /// - Parameter description: nil keeps the one there is.
        /// - Parameter kind: nil keeps that, too.
        case value(JSONValue, description: String?, kind: EntryKind? = nil)
        case description(String)
    }

    let key: String
    let content: Content

    fileprivate func edit(of entry: Entry?, at head: Head) throws -> EntryEdit {
        switch content {
        case .removed: return EntryEdit(key: key, value: nil, description: nil)
        case .value(let value, let description, let kind):
            return EntryEdit(key: key, value: value, description: description, kind: kind)
        case .description(let description):
            guard let value = entry?.value else { throw ConfigRefusal.entryNotFound(key, in: head) }
            return EntryEdit(
                key: key, value: try JSONValue(parsing: value, limits: .stored), description: description)
        }
    }
}

/// The state that a writer wants one entry to have.
struct EntryEdit: Equatable, Sendable {
    let key: String
    /// Nil removes the key.
    let value: JSONValue?
    /// Nil keeps the description there is.
    let description: String?
    /// Nil keeps the kind there is.
    var kind: EntryKind?
}
