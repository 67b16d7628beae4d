internal import AlmanacJSON

/// A requested change of the config, independent of the config's current state.
enum ConfigWrite {
    /// A new entry, for a key that has none.
    case create(EntryEdit)
    /// An entry to create or replace.
    case put(EntryEdit, where: Presence = .any)
    case remove(_ key: String)
    /// A JSON Merge Patch over the object form (RFC 7396): many keys in one release.
    case merge(JSONObject)
    /// Whole entries: many keys in one release, including values that a merge patch cannot express.
    case replace([EntryReplacement])
    /// A new state for a flag whose definition stays otherwise unchanged.
    case switchFlag(_ key: String, FlagState)

    /// The condition of a write on the existence of the entry.
    enum Presence {
        case any, absent, present
    }

    /// The keys that the write may change.
    var keys: [String] {
        switch self {
        case .create(let edit), .put(let edit, _): [edit.key]
        case .remove(let key): [key]
        case .merge(let patch): patch.members.map(\.name)
        case .replace(let replacements): replacements.map(\.key)
        case .switchFlag(let key, _): [key]
        }
    }

    /// Returns the edits that the write causes.
    ///
    /// - Parameter current: The existing entries of the write's keys.
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
                return EntryEdit(key: member.name, value: (before ?? .null).merging(member.value), description: nil)
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

/// The state of a flag, as written in the flag's definition.
public enum FlagState: String, Sendable {
    case enabled = "ENABLED"
    case disabled = "DISABLED"
}

/// A write that sets an entry's value, its description or both, or removes the entry.
struct EntryReplacement: Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case removed
        /// - Parameter description: Nil keeps the current description.
        /// - Parameter kind: Nil keeps the current kind.
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
            return EntryEdit(key: key, value: try JSONValue(parsing: value, limits: .stored), description: description)
        }
    }
}

/// The state that a write gives to one entry.
struct EntryEdit: Equatable, Sendable {
    let key: String
    /// The new value; nil removes the key.
    let value: JSONValue?
    /// The new description; nil keeps the current description.
    let description: String?
    /// The new kind; nil keeps the current kind.
    var kind: EntryKind?
}
