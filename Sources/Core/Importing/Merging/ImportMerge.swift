public import AlmanacTargeting

/// The changes by which an import brings an environment up to date: a three-way merge of the parts of each flag, of
/// shared rules and of plain entries. Only what changed in the files since the last import is taken.
public struct ImportMerge: Sendable {
    /// The project with the keys and the names of shared rules that it has in the environment.
    public let project: ImportedProject
    /// The changes, sorted by key.
    public let changes: [Change]
    /// The parts that both the files and the environment changed since the last import.
    public let conflicts: [Conflict]
    /// The flags and entries of earlier imports that the files no longer have. They stay.
    public let gone: [Leftover]
    /// The flags and entries of earlier imports that can no longer be kept. They stay as they are.
    public let stale: [Leftover]
    /// The flags and entries of earlier imports that were removed here, and did not change in the files since. They
    /// stay removed.
    public let removed: [Leftover]
    /// The number of flags and entries of the project that stay as they are.
    public let unchanged: Int

    /// A new or changed entry.
    public struct Change: Sendable {
        public let key: String
        public let kind: Kind
        public let value: FlagValue
        /// The description of a new entry.
        public let description: String?

        /// The kind of an entry.
        public enum Kind: String, Sendable {
            case value, flag
            case flagSet = "flag-set"
        }
    }

    /// A part with two values.
    public struct Conflict: Sendable {
        public let key: String
        /// The key in the files.
        public let source: String
        /// The part as a JSON pointer without the first slash, such as `variants/on`; empty for a whole entry.
        public let part: String
        /// The value in the environment; nil if it was removed.
        public let mine: FlagValue?
        /// The value in the files; nil if it was removed.
        public let theirs: FlagValue?
    }

    /// A flag or an entry of an earlier import.
    public struct Leftover: Sendable {
        public let key: String
        /// The key in the files.
        public let source: String
    }

    /// The key of the settings and rules that all flags share.
    public static let settingsKey = "_flags"

    /// - Parameters:
    ///   - take: Returns the side that wins all conflicts of a key; nil if none does, so that they are reported.
    public init(_ project: ImportedProject, into present: PresentConfig, take: (String) -> ImportSide? = { _ in nil }) {
        let old = present.record(of: project.origin)
        var names = KnownNames(project.origin, present, old)
        let project = names.renaming(project, besides: present)
        let sources = project.sources
        var merging = EntryMerging(present: present, origin: project.origin, old: old)
        for flag in project.flags { merging.merge(flag, take) }
        for entry in project.entries { merging.merge(entry, source: sources[entry.name] ?? entry.name, take) }
        for rule in project.sharedRules { merging.merge(rule: rule, names.sourceRule(of: rule.name), take) }
        merging.writeSettings()
        (gone, stale) = names.leftovers(project, in: present)
        removed = merging.removed
        self.project = project
        changes = merging.changes.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        conflicts = merging.conflicts
        let touched = Set(changes.map(\.key) + conflicts.map(\.key))
        unchanged = (project.flags.map(\.key) + project.entries.map(\.name)).count { !touched.contains($0) }
    }
}

/// A side of a conflict.
public enum ImportSide: String, Sendable, CaseIterable {
    /// The files.
    case theirs
    /// The environment.
    case mine
}
