internal import AlmanacClient
internal import AlmanacJSON

/// The command `almanac config import`.
enum ConfigImport {
    static let command = Command(
        name: "config import", summary: "Set many values from a JSON object, all in one release.",
        operands: [Operand(name: "FILE", isOptional: true, completion: .file)],
        options: [
            Option(name: "--prune", help: "also remove the keys that the object lacks"),
            Option(
                name: "--nested",
                help: "the object is nested, as 'almanac config export --nested' prints it: names joined by dots are "
                    + "keys; an object stays one value if its key exists and has an object"),
            Option(name: "--flat", help: "the object is not nested, although it looks nested"),
            .dryRun, ConfigChange.retry, .propose, .message, .json,
        ] + Option.server,
        details: """
            The object has a member for each key, as 'almanac config export' prints it. Without FILE, or with -,
            it is read from standard input. Keys that the object lacks stay as they are, unless --prune is
            given. An object that looks nested is refused without --nested or --flat, because its keys would be
            wrong. Flags stay as they are; use 'almanac flags import' for flags. An import is one request; if it
            is too large, it is refused with the limit.
            """,
        example: """
            $ almanac config import config.json --dry-run
            ~ app.theme: "light" -> "dark"
            + app.timeout: 30
            $ almanac config export -e development | almanac config import -e staging --prune
            """
    ) { arguments in
        let path = arguments.optional("FILE") ?? "-"
        let place = path == "-" ? "standard input" : path
        let (isNested, isFlat) = (arguments.has("--nested"), arguments.has("--flat"))
        if isNested, isFlat { throw UsageFailure("--nested and --flat exclude each other") }
        var values = try values(try InputFile.read(path), place)
        let remote = try arguments.remote(writes: !arguments.has(Option.dryRun.name))
        let state = try remote.wholeState()
        let known = state.plainValues
        if isNested {
            values = try NestedConfig.flattened(values, known: known, place)
        } else if !isFlat, let name = NestedConfig.suspicion(values, known: known) {
            throw CommandFailure(
                description: "\(place): this looks like the nested form: '\(name)' is an object, but not a key of the "
                    + "config; give --nested to join its names with dots, or --flat to make '\(name)' a key")
        }
        try checkFlags(values, state, place)
        let difference = ConfigDifference(from: known, to: values, keepsMissingKeys: !arguments.has("--prune"))
        return try ConfigChange(difference, tag: state.tag).make(remote, arguments)
    }

    /// Throws if a value's key is a flag, because the import would make it a plain value.
    static func checkFlags(_ values: JSONObject, _ state: ConfigState, _ place: String) throws {
        guard let flag = values.members.first(where: { state.kinds[$0.name] != nil }) else { return }
        throw CommandFailure(
            description: "\(place): '\(flag.name)' is a flag; leave it out, and change it with "
                + "'almanac flags set' or 'almanac flags import'")
    }

    /// Parses an object with a value per key.
    static func values(_ bytes: [UInt8], _ place: String) throws -> JSONObject {
        var limits = JSONLimits()
        limits.bytes = 64 << 20
        limits.depth = 512
        let document: JSONValue
        do { document = try JSONValue(parsing: bytes, limits: limits) } catch {
            throw CommandFailure(description: "\(place): \(error)")
        }
        guard let values = document.objectValue else {
            throw CommandFailure(description: "\(place): expected a JSON object with a member for each key")
        }
        for member in values.members {
            do { try Arguments.checkKey(member.name) } catch {
                throw CommandFailure(description: "\(place): \(error)")
            }
            if member.value.type == .null {
                throw CommandFailure(
                    description:
                        "\(place): '\(member.name)' is null, which is not a value; leave it out, and remove the key "
                        + "with 'almanac config unset' or --prune")
            }
        }
        return values
    }
}
