internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands that begin with `almanac flags`.
enum FlagCommands {
    static let all = [
        FlagReading.list, FlagReading.get, FlagWriting.set, FlagTesting.explain, FlagTesting.sample,
        FlagSwitching.enable, FlagSwitching.disable, FlagRamping.command, FlagResplitting.command, FlagSets.export,
        FlagSets.importSet, FlagGenerating.command,
    ]

    /// Does something with a flag. If no flag has the name, the error suggests a similar one.
    static func with<Result>(
        _ key: String, _ remote: RemoteEnvironment, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let failure as CallFailure where failure.kind == .notFound {
            let keys = (try? remote.wholeState())?.flagKeys ?? []
            if keys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) { throw failure }
            throw failure.described(
                as: "there is no flag '\(key)' in '\(remote.name)'" + Suggestion.text(for: key, among: keys))
        }
    }

    /// Parses a JSON object that is given on the command line or in a file.
    static func object(_ word: String, _ name: String) throws -> JSONObject {
        let isText = word.utf8.first { ![9, 10, 13, 32].contains($0) } == UInt8(ascii: "{")
        let place = isText ? name : word == "-" ? "standard input" : word
        var limits = JSONLimits()
        limits.bytes = 64 << 20
        limits.depth = 512
        let value: JSONValue
        do {
            value = try JSONValue(parsing: isText ? Array(word.utf8) : InputFile.read(word), limits: limits)
        } catch let failure as JSONFailure {
            throw CommandFailure(description: "\(place): \(failure)")
        }
        guard let object = value.objectValue else {
            throw CommandFailure(description: "\(place): expected a JSON object")
        }
        return object
    }
}

extension Operand {
    static let flag = Operand(name: "KEY", completion: .flags)
}

extension Option {
    static let context = Option(
        name: "--context", value: "JSON",
        help: "the evaluation context: an object such as '{\"targetingKey\": \"u1\", \"plan\": \"pro\"}', or a file",
        completion: .file)
    static let draft = Option(
        name: "--definition", value: "FILE",
        help: "use this definition instead of the stored one: a file, or the object itself", completion: .file)
    static let time = Option(
        name: "--time", value: "TIME", help: "evaluate for this time, such as 2026-12-01T09:00:00Z; default: now")
}

extension Confirmation {
    /// Asks for confirmation if the server marks the environment for caution, or doesn't say.
    ///
    /// - Parameter what: the change, worded to follow "this".
    static func isGiven(
        _ what: String, _ question: String, _ remote: RemoteEnvironment, _ arguments: Arguments
    ) throws -> Bool {
        if arguments.has(Option.yes.name) || arguments.has(Option.dryRun.name) { return true }
        guard try remote.needsCaution() != false else { return true }
        return try Confirmation(arguments, "\(what) in '\(remote.name)'").isGiven(question)
    }
}
