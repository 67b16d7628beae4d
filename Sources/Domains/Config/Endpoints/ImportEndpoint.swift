internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacImporting
internal import AlmanacJSON
internal import AlmanacTargeting

/// The call that translates files of another flag system, and merges them with the present flags.
enum ImportEndpoint {
    /// Handles `POST /{environment}/imports/{system}`: returns the report and the changes, for a release or a proposal.
    /// Nothing is written.
    static func translate(_ request: Request, _ captures: Captures, _ context: ConfigContext) throws -> Response {
        guard let caller = try context.caller(of: request) else { throw Authenticator.tokenNeeded }
        if caller.has(.configPropose) { try caller.needs(.configRead) } else { _ = try caller.needsChangeableKeys() }
        try request.target.query.allow("from")
        try request.accepts("application/json")
        guard let system = SourceSystem(rawValue: captures["system"]) else {
            let known = SourceSystem.allCases.map(\.rawValue).joined(separator: ", ")
            let name = captures["system"].prefix(40)
            throw Problem(.notFound, "there is no importer for '\(name)'; expected one of \(known)")
        }
        let limits = context.service.settings.limits
        let body = try ImportBody(request, for: system, limits.json)
        let project: ImportedProject
        do throws(ImportFailure) {
            project = try system.project(body.files, environment: request.target.query["from"])
        } catch {
            throw Problem(.invalidValue, "the file \(error)")
        }
        let limited = project.limited(to: ImportLimits(valueBytes: limits.valueBytes, settingsBytes: limits.valueBytes))
        let snapshot = context.service.store.current.snapshot
        let merge = ImportMerge(limited, into: PresentConfig(snapshot.view(of: nil).live)) { body.sides[$0] }
        var response = Response.uncached(JSONWriter.object { $0.members(of: merge) })
        response.headers += snapshot
        return response
    }
}

extension PresentConfig {
    /// - Parameter entries: The live entries.
    fileprivate init(_ entries: [Entry]) {
        var flags: [String: FlagObject] = [:]
        var values: [String: FlagValue] = [:]
        var settings = FlagObject()
        for entry in entries {
            let value = try? FlagValue(stored: entry.value ?? [])
            switch (entry.kind, value) {
            case (.flag, .object(let definition)?): flags[entry.key] = definition
            case (.flagSet, .object(let object)?): settings = object
            case (_, let value?): values[entry.key] = value
            case (_, nil): values[entry.key] = .null
            }
        }
        self.init(flags: flags, entries: values, settings: settings)
    }
}

extension JSONWriter {
    fileprivate mutating func members(of merge: ImportMerge) {
        member("report", array: { writer in for line in merge.project.report { writer.line(line) } })
        member(
            "renamed",
            array: { writer in
                for (source, attribute) in merge.project.attributes.renamed {
                    writer.object { writer in
                        writer.member("source", source)
                        writer.member("attribute", attribute)
                    }
                }
            })
        member(
            "changes",
            array: { writer in
                for change in merge.changes {
                    writer.object { writer in
                        writer.member("key", change.key)
                        writer.member("kind", change.kind.rawValue)
                        writer.member("value", raw: change.value.json)
                        if let description = change.description { writer.member("description", description) }
                    }
                }
            })
        member(
            "conflicts",
            array: { writer in
                for conflict in merge.conflicts {
                    writer.object { writer in
                        writer.member("key", conflict.key)
                        writer.member("source", conflict.source)
                        writer.member("part", conflict.part)
                        writer.member("before", raw: conflict.mine?.json ?? "null")
                        writer.member("after", raw: conflict.theirs?.json ?? "null")
                    }
                }
            })
        member("gone", merge.gone.map(\.key))
        member("stale", merge.stale.map(\.key))
        member("removed", merge.removed.map(\.key))
        member("unchanged", Int64(merge.unchanged))
    }

    private mutating func line(_ line: ReportLine) {
        object { writer in
            writer.member("source", line.source)
            writer.member("key", value: line.key.map { .string($0) } ?? .null)
            writer.member("verdict", line.verdict.name)
            switch line.verdict {
            case .exact: break
            case .differs(let when): writer.member("when", when)
            case .cannot(let reason): writer.member("reason", reason)
            }
            writer.member("pointer", line.pointer)
        }
    }
}
