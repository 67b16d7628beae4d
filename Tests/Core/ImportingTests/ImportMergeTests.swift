import AlmanacTargeting
import Testing

@testable import AlmanacImporting

@Suite struct ImportMergeTests {
    private struct NoReference: SourceReference {
        let probes: [AttributeProbe] = []

        func answer(_ flag: String, _ attributes: [String: FlagValue], now: Int64) -> SourceAnswer { .none }
    }

    private static let plain = #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off"}"#

    /// Makes a project of definitions by their keys in the files.
    private func project(
        _ flags: KeyValuePairs<String, String>, rules: KeyValuePairs<String, String> = [:],
        entries: KeyValuePairs<String, String> = [:], cannot: [String] = []
    ) throws -> ImportedProject {
        var project = ImportedProject(attributes: AttributeTable(unit: "userId"), reference: NoReference())
        project.origin = ImportOrigin("unleash", environment: "production")
        let keys = KeyTable(flags.map(\.key) + entries.map(\.key))
        for (source, definition) in flags {
            let key = try #require(keys[source])
            project.flags.append(
                ImportedFlag(key: key, source: source, definition: try object(definition), description: "imported"))
            project.report.append(ReportLine(source: source, key: key, verdict: .exact, pointer: ""))
        }
        for (name, rule) in rules { project.sharedRules.append(FlagObject.Member(name, try FlagValue(json: rule))) }
        for (source, value) in entries {
            let key = try #require(keys[source])
            project.entries.append(FlagObject.Member(key, try FlagValue(json: value)))
            project.report.append(ReportLine(source: source, key: key, verdict: .exact, pointer: ""))
        }
        for source in cannot {
            project.report.append(ReportLine(source: source, key: nil, verdict: .cannot("no"), pointer: ""))
        }
        return project
    }

    private func object(_ json: String) throws -> FlagObject {
        guard case .object(let object) = try FlagValue(json: json) else { throw Missing() }
        return object
    }

    private struct Missing: Error {}

    /// Applies the changes of a merge.
    private func applied(_ merge: ImportMerge, to present: PresentConfig) throws -> PresentConfig {
        var present = present
        for change in merge.changes {
            switch (change.kind, change.value) {
            case (.flag, .object(let definition)):
                present.flags[change.key] = definition
                present.entries[change.key] = nil
            case (.flagSet, .object(let settings)): present.settings = settings
            case (.value, let value):
                present.entries[change.key] = value
                present.flags[change.key] = nil
            default: throw Missing()
            }
        }
        return present
    }

    /// The environment after the import of a flag `f` with this rule, and then with another one here; nil removes it.
    private func environment(_ imported: String?, then mine: String?) throws -> PresentConfig {
        let definition = try object(Self.plain)
        let first = try project(["f": Self.json(definition, imported)])
        var present = try applied(ImportMerge(first, into: PresentConfig()), to: PresentConfig())
        let stored = try #require(present.flags["f"])
        present.flags["f"] = stored.setting("targeting", try mine.map { try FlagValue(json: $0) })
        return present
    }

    private static func json(_ definition: FlagObject, _ rule: String?) throws -> String {
        FlagValue.object(definition.setting("targeting", try rule.map { try FlagValue(json: $0) })).json
    }

    private static let rules = [
        "a": #"{"if":[true,"on"]}"#, "b": #"{"if":[true,"off"]}"#, "c": #"{"if":[false,"on"]}"#,
    ]

    /// The last import, the environment and the files, each a rule or none, with the rule that remains.
    @Test(arguments: [
        ("a", "a", "a", "a"), ("a", "a", "b", "b"), ("a", "a", "", ""), ("a", "b", "a", "b"), ("a", "b", "b", "b"),
        ("a", "b", "c", "conflict"), ("a", "b", "", "conflict"), ("a", "", "a", ""), ("a", "", "b", "conflict"),
        ("a", "", "", ""), ("", "", "a", "a"), ("", "a", "", "a"), ("", "a", "b", "conflict"), ("", "a", "a", "a"),
    ])
    func `a part is taken from the side that changed it`(
        _ imported: String, _ mine: String, _ theirs: String, _ result: String
    ) throws {
        let present = try environment(Self.rules[imported], then: Self.rules[mine])
        let next = try project(["f": Self.json(try object(Self.plain), Self.rules[theirs])])
        let merge = ImportMerge(next, into: present)
        if result == "conflict" {
            #expect(merge.conflicts.map(\.part) == ["targeting"])
            #expect(merge.conflicts[0].mine == (try Self.rules[mine].map { try FlagValue(json: $0) }))
            #expect(merge.conflicts[0].theirs == (try Self.rules[theirs].map { try FlagValue(json: $0) }))
            #expect(!merge.changes.contains { $0.key == "f" })
            for side in ImportSide.allCases {
                let decided = ImportMerge(next, into: present) { $0 == "f" ? side : nil }
                let after = try applied(decided, to: present)
                let rule = Self.rules[side == .mine ? mine : theirs]
                #expect(after.flags["f"]?["targeting"] == (try rule.map { try FlagValue(json: $0) }))
                // The decision is part of the record, so the next import has no conflict.
                let again = ImportMerge(next, into: after)
                #expect(again.conflicts.isEmpty && again.changes.isEmpty)
            }
        } else {
            #expect(merge.conflicts.isEmpty)
            let after = try applied(merge, to: present)
            #expect(after.flags["f"]?["targeting"] == (try Self.rules[result].map { try FlagValue(json: $0) }))
            #expect(ImportMerge(next, into: after).changes.isEmpty)
        }
    }

    @Test func `parts that differ are merged together`() throws {
        let first = #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
        var present = try applied(
            ImportMerge(try project(["f": first + #""metadata":{"owner":"a","almanac.off":"off"}}"#]), into: .init()),
            to: .init())
        let mine = try #require(present.flags["f"]).setting("state", "DISABLED")
        present.flags["f"] = mine
        let next = try project([
            "f": #"{"state":"ENABLED","variants":{"on":true,"off":false,"new":true},"defaultVariant":"off","#
                + #""metadata":{"owner":"b","almanac.off":"off"},"targeting":{"if":[true,"new"]}}"#
        ])
        let merge = ImportMerge(next, into: present)
        #expect(merge.conflicts.isEmpty)
        let flag = try #require(try applied(merge, to: present).flags["f"])
        #expect(flag["state"] == "DISABLED" && flag["defaultVariant"] == "off")
        #expect(flag["variants"] == (try FlagValue(json: #"{"new":true,"on":true,"off":false}"#)))
        #expect(flag["targeting"] == (try FlagValue(json: #"{"if":[true,"new"]}"#)))
        guard case .object(let metadata)? = flag["metadata"] else { throw Missing() }
        #expect(metadata["owner"] == "b" && metadata["almanac.off"] == "off")
        #expect(metadata["almanac.source"] == "unleash/production/f")
        guard case .string(let parts)? = metadata["almanac.source.parts"] else { throw Missing() }
        #expect(parts.hasPrefix("defaultVariant=") && parts.contains(" variants/new=") && parts.utf8.count < 250)
    }

    @Test func `a flag of another origin is a conflict unless it is equal`() throws {
        let next = try project(["f": Self.plain, "g": Self.plain])
        var present = PresentConfig(flags: [
            "f": try object(Self.plain).setting("state", "DISABLED"), "g": try object(Self.plain),
        ])
        present.entries["h"] = "a value"
        let merge = ImportMerge(next, into: present)
        #expect(merge.conflicts.map(\.key) == ["f"] && merge.conflicts[0].part.isEmpty)
        #expect(merge.changes.map(\.key) == ["_flags", "g"])
        let mine = try applied(ImportMerge(next, into: present) { _ in .mine }, to: present)
        #expect(mine.flags["f"]?["state"] == "DISABLED")
        #expect(ImportMerge(next, into: mine).changes.isEmpty)
        let theirs = try applied(ImportMerge(next, into: present) { _ in .theirs }, to: present)
        #expect(theirs.flags["f"]?["state"] == "ENABLED")
        // A plain value never becomes a flag without a decision, nor a flag a value.
        #expect(ImportMerge(try project(["h": Self.plain]), into: present).conflicts.map(\.key) == ["h"])
        #expect(ImportMerge(try project([:], entries: ["g": "1"]), into: present).conflicts.map(\.key) == ["g"])
    }

    @Test func `flags that are gone or removed or no longer kept are named`() throws {
        let first = try project(["f": Self.plain, "g": Self.plain, "h": Self.plain, "i": Self.plain])
        var present = try applied(ImportMerge(first, into: .init()), to: .init())
        present.flags["h"] = nil
        present.flags["i"] = nil
        let changed = Self.plain.replacing("ENABLED", with: "DISABLED")
        let merge = ImportMerge(try project(["h": Self.plain, "i": changed], cannot: ["g"]), into: present)
        #expect(merge.gone.map(\.key) == ["f"] && merge.stale.map(\.key) == ["g"] && merge.removed.map(\.key) == ["h"])
        #expect(merge.conflicts.map(\.key) == ["i"] && merge.conflicts[0].mine == nil)
        #expect(!merge.changes.contains { ["f", "g", "h", "i"].contains($0.key) })
        let taken = try applied(
            ImportMerge(try project(["h": Self.plain, "i": changed]), into: present) { _ in .theirs }, to: present)
        #expect(taken.flags["i"] != nil && taken.flags["h"] == nil)
    }

    @Test func `flags keep the keys of the first import`() throws {
        let rule =
            #"{"state":"ENABLED","variants":{"on":true},"defaultVariant":null,"#
            + #""targeting":{"if":[{"==":[{"almanac.flag":"KEY"},"on"]},"on"]}}"#
        let first = try project(["new ui": Self.plain, "user": rule.replacing("KEY", with: "new-ui")])
        let present = try applied(ImportMerge(first, into: .init()), to: .init())
        #expect(present.flags.keys.sorted() == ["new-ui", "user"])
        // A new flag has the key that the changed name had, so the translation gives that one another key.
        let second = try project([
            "new-ui": Self.plain.replacing("ENABLED", with: "DISABLED"), "new ui": Self.plain,
            "user": rule.replacing("KEY", with: "new-ui-2"),
        ])
        let merge = ImportMerge(second, into: present)
        #expect(merge.project.flags.map(\.key) == ["new-ui-3", "new-ui", "user"])
        #expect(merge.conflicts.isEmpty && merge.changes.map(\.key) == ["_flags", "new-ui-3"])
        let after = try applied(merge, to: present)
        #expect(ImportMerge(second, into: after).changes.isEmpty)
        #expect(after.flagSet.faults.isEmpty)
    }

    @Test func `keys of equal characters and different bytes are different flags`() throws {
        let first = try project(["\u{E9}": Self.plain, "e\u{301}": Self.plain])
        let present = try applied(ImportMerge(first, into: .init()), to: .init())
        #expect(present.flags.count == 2)
        let again = ImportMerge(first, into: present)
        #expect(again.changes.isEmpty && Set(again.project.flags.map(\.key)).count == 2)
        #expect(ImportMerge(try project(["\u{E9}": Self.plain]), into: present).gone.map(\.key) == ["e-"])
    }

    @Test func `shared rules are merged, and never replace others of the same name`() throws {
        let flag =
            #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","#
            + #""targeting":{"if":[{"$ref":"beta"},"on"]}}"#
        var present = PresentConfig(settings: try object(#"{"fractional":2,"$evaluators":{"beta":{"!":[true]}}}"#))
        let first = try project(["f": flag], rules: ["beta": #"{"===":[{"var":"plan"},"beta"]}"#])
        present = try applied(ImportMerge(first, into: present), to: present)
        #expect(present.evaluators.members.map(\.name) == ["beta", "unleash-beta"])
        #expect(present.settings["fractional"] == 2)
        #expect(present.flags["f"]?["targeting"] == (try FlagValue(json: #"{"if":[{"$ref":"unleash-beta"},"on"]}"#)))
        #expect(ImportMerge(first, into: present).changes.isEmpty)
        // The rule changes there, and then here too.
        let second = try project(["f": flag], rules: ["beta": #"{"===":[{"var":"plan"},"pro"]}"#])
        let next = ImportMerge(second, into: present)
        #expect(next.changes.map(\.key) == ["_flags"] && next.conflicts.isEmpty)
        #expect(try applied(next, to: present).evaluators["unleash-beta"] == second.sharedRules[0].value)
        present.settings = present.settings.setting(
            "$evaluators", .object(present.evaluators.setting("unleash-beta", try FlagValue(json: #"{"!":[false]}"#))))
        let third = ImportMerge(second, into: present)
        #expect(third.conflicts.map(\.part) == ["$evaluators/unleash-beta"] && third.conflicts[0].key == "_flags")
        let taken = try applied(ImportMerge(second, into: present) { _ in .theirs }, to: present)
        #expect(taken.evaluators["unleash-beta"] == second.sharedRules[0].value)
        #expect(ImportMerge(second, into: taken).changes.isEmpty)
    }

    @Test func `plain entries are merged too`() throws {
        let first = try project([:], entries: ["theme": #""dark""#, "retry limit": "3", "gone": "1"])
        var present = try applied(ImportMerge(first, into: .init()), to: .init())
        #expect(present.entries.keys.sorted() == ["gone", "retry-limit", "theme"])
        #expect(ImportMerge(first, into: present).changes.isEmpty)
        present.entries["theme"] = "light"
        let second = ImportMerge(
            try project([:], entries: ["theme": #""dark""#, "retry limit": "4"]), into: present)
        #expect(second.changes.map(\.key) == ["_flags", "retry-limit"] && second.conflicts.isEmpty)
        #expect(second.gone.map(\.source) == ["gone"])
        let third = ImportMerge(try project([:], entries: ["theme": #""blue""#]), into: present)
        #expect(third.conflicts.map(\.key) == ["theme"])
    }

    @Test func `names of any characters survive in records`() throws {
        let odd =
            #"{"state":"ENABLED","variants":{"größe/a=b:c %":true,"e\u0301":true,"é":false},"defaultVariant":null}"#
        let first = try project(["a/b: c=%": odd])
        let present = try applied(ImportMerge(first, into: .init()), to: .init())
        #expect(ImportMerge(first, into: present).changes.isEmpty)
        let second = try project(["a/b: c=%": odd.replacing("true", with: "1").replacing("false", with: "0")])
        let merge = ImportMerge(second, into: present)
        #expect(merge.conflicts.isEmpty)
        #expect(DefinitionParts(try #require(try applied(merge, to: present).flags["a-b--c--"])).paths.count == 5)
    }

    @Test func `numbers that the server writes in another way are unchanged`() throws {
        let first = try project([
            "f": #"{"state":"ENABLED","variants":{"a":1e3,"b":-0.0,"c":1.50},"defaultVariant":"a"}"#
        ])
        var present = try applied(ImportMerge(first, into: .init()), to: .init())
        let stored = try FlagValue(json: #"{"b":0.0,"a":1000,"c":1.50}"#)
        present.flags["f"] = try #require(present.flags["f"]).setting("variants", stored)
        #expect(ImportMerge(first, into: present).changes.isEmpty)
        let changed = try project([
            "f": #"{"state":"ENABLED","variants":{"a":2e3,"b":-0.0,"c":1.50},"defaultVariant":"a"}"#
        ])
        #expect(ImportMerge(changed, into: present).conflicts.isEmpty)
    }

    @Test func `flags with faults are left out with all that depend on them`() throws {
        func flag(_ rule: String) -> String {
            #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","targeting":\#(rule)}"#
        }
        let project = try project(
            [
                "good": flag(#"{"if":[{"$ref":"used"},"on"]}"#), "broken": flag(#"{"if":[{"unknown":1},"on"]}"#),
                "after": flag(#"{"if":[{"==":[{"almanac.flag":"broken"},"on"]},"on"]}"#),
                "later": flag(#"{"if":[{"$ref":"outer"},"on"]}"#),
                "lost": flag(#"{"if":[{"==":[{"almanac.flag":"missing"},"on"]},"on"]}"#),
                "cycle": flag(#"{"if":[{"==":[{"almanac.flag":"cycle"},"on"]},"on"]}"#),
            ],
            rules: [
                "used": #"{"!":[true]}"#, "inner/~": #"{"==":[{"almanac.flag":"after"},"on"]}"#,
                "outer": #"{"!":[{"$ref":"inner/~"}]}"#, "unused": #"{"!":[false]}"#,
            ]
        ).withoutFaults()
        #expect(project.flags.map(\.key) == ["good"] && project.sharedRules.map(\.name) == ["used"])
        var reasons: [String: String] = [:]
        for case let line in project.report {
            if case .cannot(let reason) = line.verdict { reasons[line.source] = reason }
        }
        #expect(reasons["broken"] == "its translation has a fault at /targeting/if/0/unknown: unknown operator")
        #expect(reasons["after"] == "it depends on broken, which cannot be kept")
        #expect(
            reasons["later"] == "the shared rule outer cannot be kept: it depends on after, which cannot be kept")
        #expect(reasons["lost"] == "it depends on missing, which cannot be kept")
        #expect(reasons["cycle"]?.contains("cycle") == true)
    }

    @Test func `what is larger than the limits is left out`() throws {
        let ids = (0..<100).map { #""user-\#($0)""# }.joined(separator: ",")
        func flag(_ rule: String) -> String {
            #"{"state":"ENABLED","variants":{"on":true,"off":false},"defaultVariant":"off","targeting":\#(rule)}"#
        }
        let project = try project(
            [
                "big": flag(#"{"if":[{"in":[{"var":"id"},[\#(ids)]]},"on"]}"#),
                "f": flag(#"{"if":[{"$ref":"large"},"on"]}"#), "g": flag(#"{"if":[{"$ref":"small"},"on"]}"#),
            ],
            rules: ["large": #"{"in":[{"var":"id"},[\#(ids)]]}"#, "small": #"{"!":[true]}"#],
            entries: ["long": #""\#(String(repeating: "x", count: 1000))""#, "short": "1"])
        let limited = project.limited(to: ImportLimits(valueBytes: 1000, settingsBytes: 500))
        #expect(limited.flags.map(\.key) == ["g"] && limited.entries.map(\.name) == ["short"])
        #expect(limited.sharedRules.map(\.name) == ["small"])
        #expect(project.limited(to: ImportLimits()).flags.count == 3)
    }

    @Test func `a file of another system is named`() throws {
        let file = SourceFile(name: "flags.json", content: try FlagValue(json: #"{"feature_states":[],"project":{}}"#))
        for system in SourceSystem.allCases where system != .flagsmith {
            let failure = #expect(throws: ImportFailure.self) { try system.project([file], environment: nil) }
            #expect(failure?.description.contains("flags.json looks like a file of Flagsmith (flagsmith)") == true)
        }
    }
}
