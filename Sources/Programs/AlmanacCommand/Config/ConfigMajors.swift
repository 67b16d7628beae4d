internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands `almanac config majors` and `retire`.
enum ConfigMajors {
    static let list = Command(
        name: "config majors",
        summary: "List the major versions, the keys that each one keeps or lacks, and their last use.",
        options: [.json] + Option.server,
        details: """
            Builds that pin a major keep seeing the old values of keys that newer majors removed or retyped. A
            major that no build requests any more can be retired: 'almanac config retire'. Requires a token with
            the scope config:read.
            """,
        example: """
            $ almanac config majors
            major  version  state    last requested            keeps     lacks
            1      1.4.0    served   2026-01-01T09:00:00.000Z  app.code  wide-layout
            2      2.3.1    current  2026-01-02T09:00:00.000Z
            """
    ) { arguments in
        let majors = try arguments.remote().majorDocuments()
        if arguments.wantsJSON {
            try Output.json(majors)
        } else {
            let header = ["major", "version", "state", "last requested", "keeps", "lacks"]
            let style = OutputStyle.ofOutput
            try Process.output(TextTable.text(header, majors.map { row($0, style) }, style))
        }
        return .success
    }

    private static func row(_ major: JSONObject, _ style: OutputStyle) -> [String] {
        let isRetired = major["retired_at"]?.stringValue != nil
        return [
            major["major"]?.description ?? "", major["version"]?.stringValue ?? "",
            isRetired ? "retired" : major["current"] == true ? "current" : "served",
            style.time(major["last_asked_at"]?.stringValue ?? "never"),
            ConfigHistory.shortened(major["keeps"]?.arrayValue?.compactMap(\.stringValue) ?? []),
            ConfigHistory.shortened(
                major["lacks"]?.arrayValue?.compactMap { $0.objectValue?["key"]?.stringValue } ?? []),
        ]
    }

    static let retire = Command(
        name: "config retire", summary: "Retire a major version that no build uses any more.",
        operands: [Operand(name: "MAJOR")], options: [.yes, .message, .json] + Option.server,
        details: """
            The server no longer serves the major, and drops the values that only this major had. This cannot be
            undone, so the command asks first. The newest major cannot be retired. Requires a token with the
            scope admin.
            """,
        example: """
            $ almanac config retire 1 --message 'no build of 2024 is left'
            Major 1 of production was last requested at 2026-01-01T09:00:00.000Z, and keeps app.code.
            Retire it permanently? [y/N] y
            major 1 retired: revision 45, version 3.0.0
            """
    ) { arguments in
        let major = arguments.operand("MAJOR")
        guard major.wholeMatch(of: /0|[1-9][0-9]{0,8}/) != nil else {
            throw UsageFailure("'\(major)' is not a valid major version; expected a whole number, such as 1")
        }
        let message = try arguments.message()
        let confirmation = try Confirmation(arguments, "permanently retires major \(major)")
        let remote = try arguments.remote(writes: true)
        let known = try remote.majorDocuments().first { $0["major"]?.description == major }
        guard confirmation.isGiven((known.map { state($0, remote.name) } ?? "") + "Retire it permanently?") else {
            return .failed
        }
        return try remote.retire(major: major, message: message).report(as: "major \(major) retired", arguments)
    }

    /// Describes the values that a major's end removes, and the time of its last use.
    private static func state(_ major: JSONObject, _ environment: String) -> String {
        let keeps = ConfigHistory.shortened(major["keeps"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        let asked = major["last_asked_at"]?.stringValue.map { "was last requested at \($0)" } ?? "was never requested"
        return "Major \(major["major"]?.description ?? "") of \(environment) \(asked), "
            + "and keeps \(keeps.isEmpty ? "nothing" : keeps).\n"
    }
}
