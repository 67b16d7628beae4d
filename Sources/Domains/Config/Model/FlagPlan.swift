internal import AlmanacJSON
internal import AlmanacTargeting
internal import AlmanacTimestamps

extension ReleasePlan {
    /// Whether flags, or what they share, are another set after the release.
    var touchesFlags: Bool { changes.contains { $0.kind != .value || $0.kindBefore != nil } }
}

/// What a release makes of the flags, for clients without a pin and for those of each major.
struct FlagPlan {
    private let plan: ReleasePlan
    /// The rows that are no plain values, of all majors, before the release and after it.
    private let before: [Entry]
    private let after: [Entry]
    let changed: Set<String>
    /// What is wrong with the flags of clients without a pin after the release.
    private let faults: [DefinitionFault]
    /// The flags that those clients have after the release.
    let flagsAfter: FlagSet

    /// The flags that clients without a pin have before the release.
    var flagsBefore: FlagSet { FlagSource(Self.seen(before, by: nil)).compiled() }

    /// - Parameter rows: those that are no plain values, of all majors, tombstones included.
    init(_ plan: ReleasePlan, on rows: [Entry]) {
        self.plan = plan
        before = rows
        after = plan.flagRows(after: rows)
        changed = Set(plan.changes.map(\.key))
        let source = FlagSource(Self.seen(after, by: nil))
        flagsAfter = source.compiled()
        faults = DefinitionFault.all(of: source, flagsAfter, changed)
    }

    /// Refuses a release after which a flag could not be evaluated that could before, or that it changes.
    ///
    /// A flag that was broken already may still be switched off and on.
    func check() throws(ConfigRefusal) {
        guard !faults.isEmpty else { return }
        let switched = plan.changes.filter(\.onlySwitchesFlag).map(\.key)
        let known = Set(DefinitionFault.all(of: Self.seen(before, by: nil), changed))
        let refused = faults.filter { fault in
            !known.contains(fault) || changed.contains(fault.key) && !switched.contains(fault.key)
        }
        guard refused.isEmpty else { throw .invalidFlags(refused) }
    }

    /// The keys whose changes a major can't take, because a flag that it has would be broken: it knows other shared
    /// rules and other flags than the newest config. Empty where it can take all.
    func keysToKeep(in major: Int) -> Set<String> {
        let (old, new) = (Self.seen(before, by: major), Self.seen(after, by: major))
        guard !old.elementsEqual(new, by: { $0.isSameRow(as: $1) }) else { return [] }
        // Most majors have what clients without a pin have.
        guard !self.faults.isEmpty || !new.elementsEqual(Self.seen(after, by: nil), by: { $0 === $1 }) else {
            return []
        }
        let faults = DefinitionFault.all(of: new, changed)
        guard !faults.isEmpty else { return [] }
        let known = Set(DefinitionFault.all(of: old, changed))
        let broken = Set(faults.filter { !known.contains($0) }.map(\.key))
        guard !broken.isEmpty else { return [] }
        let rows = Dictionary(uniqueKeysWithValues: old.map { ($0.key, $0) })
        let received = Set(new.filter { row in rows[row.key]?.isSameRow(as: row) != true }.map(\.key))
        let causes = received.intersection(broken)
        // A flag may also be broken by what it refers to: then nothing of the release is for this major.
        return causes.isEmpty ? received : causes
    }

    private static func seen(_ rows: [Entry], by major: Int?) -> [Entry] {
        rows.filter { row in !row.isTombstone && (major.map { row.isSeen(by: $0) } ?? row.isNewest) }
    }
}

extension ReleasePlan {
    /// The rows that are no plain values as the release leaves them, sorted by key and majors.
    fileprivate func flagRows(after rows: [Entry]) -> [Entry] {
        let writes = Dictionary(uniqueKeysWithValues: (inserts + updates).map { ($0.key, $0) })
        let closed = Dictionary(uniqueKeysWithValues: closes)
        var after: [Entry] = []
        for row in rows {
            guard row.isNewest, writes[row.key] != nil else {
                after.append(row)
                continue
            }
            if let end = closed[row.key] { after.append(row.ending(at: end)) }
        }
        after += writes.values.filter { $0.kind != .value }.map { write in
            Entry(
                id: 0, key: write.key, kind: write.kind, firstMajor: write.firstMajor, endMajor: nil,
                value: write.value, description: "", revision: 0, updatedAt: Timestamp(milliseconds: 0))
        }
        return after.sorted { $0.precedes($1) }
    }
}

extension Change {
    /// Whether a flag is the same but for its state.
    fileprivate var onlySwitchesFlag: Bool {
        guard kind == .flag, kindBefore == nil, let before = before?.objectValue, let after = after?.objectValue else {
            return false
        }
        return before.removing("state") == after.removing("state")
    }
}

extension DefinitionFault {
    /// What is wrong with the flags of some rows.
    ///
    /// - Parameter changed: keys of flags that are broken also where what they refer to is at fault.
    fileprivate static func all(of rows: [Entry], _ changed: Set<String>) -> [DefinitionFault] {
        let source = FlagSource(rows)
        return all(of: source, source.compiled(), changed)
    }

    /// The same of flags that are compiled already.
    fileprivate static func all(
        of source: FlagSource, _ set: FlagSet, _ changed: Set<String>
    ) -> [DefinitionFault] {
        let unreadable = Set(source.unreadable.map(\.key))
        var faults = source.unreadable + source.shared.faults
        faults += set.faults.map(DefinitionFault.init).filter { !unreadable.contains($0.key) }
        var named = Set(faults.map(\.key))
        for flag in set.flags where changed.contains(flag.key) {
            guard let fault = flag.fault, named.insert(flag.key).inserted else { continue }
            faults.append(
                DefinitionFault(key: flag.key, path: "/targeting", message: "\(fault.message), at \(fault.path)"))
        }
        return faults
    }

    /// - Parameter fault: its path is one in the whole set.
    private init(_ fault: FlagFault) {
        let parts = fault.path.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
        message = fault.message
        // A key has no characters that a pointer would escape.
        if parts.count >= 2, parts[0] == "flags" {
            key = String(parts[1])
            path = parts.count > 2 ? "/" + parts[2] : ""
        } else {
            key = EntryKind.flagSetKey
            path = fault.path
        }
    }
}
