import AlmanacJSON
import AlmanacProposals
import Testing

@Suite struct EditTests {
    private static let ada = ProposalAuthor(person: ReviewPerson(issuer: "i", subject: "ada"), name: "Ada")
    private static let ben = ProposalAuthor(person: ReviewPerson(issuer: "i", subject: "ben"), name: "Ben")

    private static let checkout = EntryState(
        value: [
            "state": "ENABLED", "variants": ["on": true, "off": false], "defaultVariant": "off",
            "targeting": ["if": [["===": [["var": "plan"], "gold"]], "on", "off"]],
            "metadata": ["owner": "shop", "a/b~c": 1],
        ], kind: .flag, description: "The new checkout")

    private func edits(
        _ before: EntryState?, _ after: EntryState?, by author: ProposalAuthor = ada
    ) -> [ProposalEdit] { ProposalEdit.edits(of: "checkout", from: before, to: after, by: author, round: 1) }

    private func changed(_ change: (inout EntryState) -> Void) -> EntryState {
        var state = Self.checkout
        change(&state)
        return state
    }

    private func object(_ state: EntryState, _ name: String, _ value: JSONValue) -> EntryState {
        var state = state
        state.value = .object((state.value.objectValue ?? JSONObject()).setting(name, value))
        return state
    }

    @Test(
        arguments: [
            "", "description", "kind", "state", "defaultVariant", "targeting", "variants/on", "metadata/a~1b~0c",
            "$evaluators/beta users", "fractional", "definition/$schema", "metadata/", "definition/variants",
            "variants/\u{301}accent",
        ]) func `a path is read as it is written`(text: String) throws
    {
        #expect(try #require(PartPath(text)).text == text)
    }

    @Test(
        arguments: [
            "variants", "variants/a/b", "variants/~2", "state/x", "definition/state", "definition", "other", "/",
        ])
    func `a text that is no path is refused`(text: String) { #expect(PartPath(text) == nil) }

    @Test func `a path has at most 1,024 bytes`() {
        let name = String(repeating: "é", count: 507)
        #expect(PartPath("variants/\(name)") != nil && PartPath("variants/\(name)é") == nil)
    }

    @Test func `only the changed parts of a flag are edits`() {
        let after = object(object(Self.checkout, "state", "DISABLED"), "variants", ["on": true, "slow": 1])
        #expect(edits(Self.checkout, after).map(\.path.text) == ["state", "variants/off", "variants/slow"])
        #expect(edits(Self.checkout, Self.checkout).isEmpty)
        #expect(edits(nil, Self.checkout).map(\.path.text) == ["", "description", "kind"])
        #expect(edits(Self.checkout, nil).map(\.path.text) == [""])
        let plain = EntryState(value: "x", description: "The new checkout")
        #expect(edits(Self.checkout, plain).map(\.path.text) == ["", "kind"])
    }

    @Test func `edits lead from each state to each other one, and back`() throws {
        let settings = EntryState(
            value: ["fractional": 3, "$evaluators": ["beta": ["in": ["@x", ["var": "email"]]]]], kind: .flagSet)
        let states: [EntryState?] = [
            nil, Self.checkout, object(Self.checkout, "state", "DISABLED"), EntryState(value: [1, 2]),
            EntryState(value: ["a": 1], description: "d"), changed { $0.description = "" },
            changed { $0.value = ["state": "ENABLED", "variants": ["on": true]] },
            changed { $0.value = ["state": "ENABLED", "variants": ["on": 1], "$schema": "https://example.com"] },
            settings, object(settings, "fractional", 2), object(settings, "metadata", ["x": 1]),
        ]
        for before in states {
            for after in states {
                let edits = edits(before, after)
                let there = EditResolution(edits, on: before.map { ["checkout": $0] } ?? [:])
                #expect(there.conflicts.isEmpty && there.dropped.isEmpty)
                if before == after {
                    #expect(there.entries.isEmpty)
                } else {
                    #expect(there.entries["checkout"] == after)
                }
                // The edits are done already where the new state is.
                let again = EditResolution(edits, on: after.map { ["checkout": $0] } ?? [:])
                #expect(again.conflicts.isEmpty && again.applied.isEmpty)
                #expect(again.dropped.count == edits.count)
            }
        }
    }

    @Test func `an edit of another part keeps what others changed meanwhile`() throws {
        let rename = edits(Self.checkout, changed { $0.description = "Checkout of 2027" })
        let switchedOff = object(Self.checkout, "state", "DISABLED")
        let resolution = EditResolution(rename, on: ["checkout": switchedOff])
        let state = try #require(resolution.entries["checkout"] ?? nil)
        #expect(state.value == switchedOff.value)
        #expect(state.description == "Checkout of 2027")
    }

    @Test func `a part that others changed otherwise is a conflict with all three values`() throws {
        let mine = edits(Self.checkout, object(Self.checkout, "defaultVariant", "on"))
        let theirs = object(Self.checkout, "defaultVariant", "slow")
        let resolution = EditResolution(mine, on: ["checkout": theirs])
        let conflict = try #require(resolution.conflicts.first)
        #expect(conflict.edit.before == "off" && conflict.edit.after == "on" && conflict.now == "slow")
        #expect(resolution.entries.isEmpty)
        // A flag that is gone has no part to change, also where the part is new.
        let added = edits(Self.checkout, object(Self.checkout, "metadata", ["owner": "shop", "a/b~c": 1, "new": 1]))
        #expect(EditResolution(added, on: [:]).conflicts.count == 1)
        #expect(EditResolution(added, on: ["checkout": EntryState(value: 1)]).conflicts.count == 1)
        let described = ProposalEdit(
            key: "gone", path: .description, before: nil, after: "New", author: Self.ada, round: 1)
        #expect(EditResolution([described], on: [:]).conflicts.count == 1)
        // A flag that somebody switched off is not removed unseen.
        let removal = edits(Self.checkout, nil)
        #expect(EditResolution(removal, on: ["checkout": theirs]).conflicts.count == 1)
    }

    @Test func `a rebase needs a choice for each conflict, and makes the chooser an author`() throws {
        let mine = edits(Self.checkout, object(object(Self.checkout, "defaultVariant", "on"), "state", "DISABLED"))
        let now = ["checkout": object(Self.checkout, "defaultVariant", "slow")]
        let path = try #require(PartPath("defaultVariant"))
        let unsettled = #expect(throws: Rebase.Unsettled.self) {
            try Rebase(mine, on: now, choices: [:], by: Self.ben, round: 2)
        }
        #expect(unsettled?.conflicts.count == 1)
        let kept = try Rebase(mine, on: now, choices: ["checkout": [path: .mine]], by: Self.ben, round: 2)
        #expect(kept.changesEdits)
        #expect(kept.edits.map(\.author) == [Self.ben, Self.ada])
        #expect(kept.edits.map(\.contributors) == [[Self.ben, Self.ada], [Self.ada]])
        #expect(kept.edits.map(\.round) == [2, 1])
        #expect(EditResolution(kept.edits, on: now).conflicts.isEmpty)
        let given = try Rebase(mine, on: now, choices: ["checkout": [path: .theirs]], by: Self.ben, round: 2)
        #expect(given.edits.map(\.path.text) == ["state"])
        let same = try Rebase(mine, on: ["checkout": Self.checkout], choices: [:], by: Self.ben, round: 2)
        #expect(!same.changesEdits && same.edits == mine)
    }

    @Test func `names that differ only in their bytes are different parts`() throws {
        let (composed, decomposed) = ("é", "e\u{301}")
        let before = object(Self.checkout, "metadata", .object(JSONObject([(composed, 1), (decomposed, 2)])))
        let after = object(Self.checkout, "metadata", .object(JSONObject([(composed, 3), (decomposed, 4)])))
        let both = edits(before, after)
        #expect(Set(both.map(\.path)).count == 2)
        #expect(EditResolution(both, on: ["checkout": before]).entries["checkout"] == after)
        #expect(
            EditResolution(edits(Self.checkout, after), on: ["checkout": Self.checkout]).entries["checkout"] == after)
        // A choice for one name settles no conflict of the other.
        let path = try #require(PartPath("metadata/" + composed))
        let now = object(Self.checkout, "metadata", .object(JSONObject([(composed, 5), (decomposed, 6)])))
        let unsettled = #expect(throws: Rebase.Unsettled.self) {
            try Rebase(both, on: ["checkout": now], choices: ["checkout": [path: .mine]], by: Self.ben, round: 2)
        }
        #expect(unsettled?.conflicts.map { Array($0.edit.path.text.utf8) } == [Array("metadata/e\u{301}".utf8)])
    }

    @Test func `a reordered list of edits takes back nothing that a colleague released`() {
        let mine = edits(Self.checkout, object(object(Self.checkout, "defaultVariant", "on"), "state", "DISABLED"))
        let now = changed { $0.description = "Released by a colleague" }
        let resolution = EditResolution(mine.reversed(), on: ["checkout": now])
        #expect(resolution.entries["checkout"]??.description == "Released by a colleague")
        #expect(resolution.applied == mine)
    }

    @Test func `2,000 parts of one flag and parts of 500 flags are resolved and rebased`() throws {
        func metadata(_ count: Int, _ value: JSONValue) -> JSONValue {
            .object(JSONObject((0..<count).map { ("name \($0)", value) }))
        }
        let many = edits(
            object(Self.checkout, "metadata", metadata(2000, 1)), object(Self.checkout, "metadata", metadata(2000, 2)))
        let now = object(Self.checkout, "metadata", metadata(2000, 3))
        #expect(many.count == 2000)
        let choices = ["checkout": Dictionary(uniqueKeysWithValues: many.map { ($0.path, Rebase.Choice.mine) })]
        let rebased = try Rebase(many, on: ["checkout": now], choices: choices, by: Self.ben, round: 2)
        let after = EditResolution(rebased.edits, on: ["checkout": now]).entries["checkout"]
        #expect(after == object(Self.checkout, "metadata", metadata(2000, 2)))

        let keys = (0..<500).map { "key.\($0)" }
        let present = Dictionary(uniqueKeysWithValues: keys.map { ($0, Self.checkout) })
        let each = keys.flatMap {
            ProposalEdit.edits(
                of: $0, from: Self.checkout, to: object(Self.checkout, "metadata", metadata(2, 1)), by: Self.ada,
                round: 1)
        }
        #expect(each.count == 2000)
        #expect(EditResolution(each, on: present).entries.count == 500)
    }
}
