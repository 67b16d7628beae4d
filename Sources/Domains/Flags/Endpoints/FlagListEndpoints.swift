internal import AlmanacConfigDomain
internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacTargeting

enum FlagListEndpoints {
    /// Handles `GET /{environment}/flags`: lists the flags with their variants and the time of their last use.
    static func list(_ request: Request, _: Captures, _ context: FlagsContext) throws -> Response {
        let read = try context.definitions(request)
        try context.uses.recordNow()
        let uses = try context.uses.all()
        let authors = try context.config.service.authors(of: read.flags.details.map(\.revision))
        let set = read.flags.set
        var faults: [String: FlagFault] = [:]
        for fault in set.faults where faults[fault.flagKey] == nil { faults[fault.flagKey] = fault }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(
                "flags",
                array: { writer in
                    for (flag, detail) in zip(set.flags, read.flags.details) {
                        writer.object { writer in
                            writer.member("key", flag.key)
                            writer.member("description", detail.description)
                            writer.member("type", value: flag.valueType.map { .string($0) } ?? .null)
                            writer.member("state", read.flags.state(of: flag).rawValue)
                            writer.member(
                                "default_variant",
                                value: flag.defaultVariant.map { .string(flag.variants[$0].name) } ?? .null)
                            writer.variants(of: flag, uses[flag.key] ?? [:])
                            writer.member("public", detail.isPublic)
                            writer.member("reads_time", flag.readsTime)
                            writer.member("depends_on", flag.dependencies.map { set.flags[$0].key })
                            writer.fault(flag.fault ?? faults[flag.key])
                            let last = (uses[flag.key] ?? [:]).values.map(\.lastAt)
                            writer.member("last_evaluated_at", value: last.max().map { .string("\($0)") } ?? .null)
                            let life = FlagLife(
                                of: flag, updatedAt: detail.updatedAt, lastUses: last, now: context.milliseconds)
                            writer.member("life", life.rawValue)
                            writer.member("updated_at", "\(detail.updatedAt)")
                            writer.member(
                                "updated_by", value: authors[detail.revision].map { .string($0.text) } ?? .null)
                            writer.member(
                                "updated_by_name",
                                value: authors[detail.revision]?.name(by: context.authenticator) ?? .null)
                            writer.member("revision", detail.revision)
                        }
                    }
                })
            writer.member("fractional", Int64(set.fractional == .version2 ? 2 : 3))
        }
        var response = Response.uncached(writer.flush())
        read.addHeaders(to: &response)
        return response
    }

    /// Handles `GET /{environment}/flags/{key}/evaluations`: counts a flag's evaluations by hour and by day.
    static func evaluations(_ request: Request, _ captures: Captures, _ context: FlagsContext) throws -> Response {
        let read = try context.definitions(request)
        let key = captures["key"]
        guard read.flags.set.index(of: key) != nil else { throw FlagsRefusal.flagNotFound(key: key) }
        try context.uses.recordNow()
        let periods = try context.uses.periods(of: key)
        let bytes = JSONWriter.object { writer in
            writer.member("key", key)
            writer.periods("hours", periods.hours)
            writer.periods("days", periods.days)
        }
        var response = Response.uncached(bytes)
        read.addHeaders(to: &response)
        return response
    }

    /// Handles `GET /{environment}/openfeature/v0/manifest`: lists the flags for generators of typed accessors
    /// (OpenFeature's command line, api/v0/sync.yaml 0.1.0).
    static func manifest(_ request: Request, _: Captures, _ context: FlagsContext) throws -> Response {
        let read = try context.definitions(request)
        let bytes = JSONWriter.object { writer in
            writer.member(
                "flags",
                array: { writer in
                    for (flag, detail) in zip(read.flags.set.flags, read.flags.details) {
                        guard let type = flag.manifestType else { continue }
                        writer.object { writer in
                            writer.member("key", flag.key)
                            writer.member("type", type)
                            if !detail.description.isEmpty { writer.member("description", detail.description) }
                            // The format requires a default value; without a default variant, the app decides.
                            let value = flag.defaultVariant.map { flag.variants[$0].value.json }
                            writer.member("defaultValue", raw: value ?? Flag.neutralValue(of: type))
                        }
                    }
                })
        }
        var response = Response.uncached(bytes)
        response.headers.append(("X-Manifest-Capabilities", "read"))
        read.addHeaders(to: &response)
        return response
    }
}

extension FlagsContext {
    /// Returns the flags for a caller who may read definitions.
    func definitions(_ request: Request) throws -> FlagsRead {
        try mayReadDefinitions(request)
        try request.target.query.allow("version")
        try request.accepts("application/json")
        return try FlagsRead(request, config)
    }
}

extension FlagFault {
    /// The key of the flag with the fault; empty for a fault in the shared settings.
    var flagKey: String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count > 2 && parts[1] == "flags" ? String(parts[2]) : ""
    }

    /// The path of the fault inside the flag's definition.
    var pathInFlag: String {
        let parts = path.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return flagKey.isEmpty ? path : parts.count > 3 ? "/" + parts[3] : ""
    }
}

extension JSONWriter {
    /// Writes a fault as the member `fault`, or null if there is none.
    mutating func fault(_ fault: FlagFault?) {
        guard let fault else { return member("fault", value: .null) }
        member("fault", object: { $0.members(of: fault) })
    }

    /// Writes the faults of a flag as the member `faults`, in the form that a refused write has.
    mutating func faults(of key: String, in set: FlagSet) {
        member(
            "faults",
            array: { writer in
                for fault in set.faults where fault.flagKey == key {
                    writer.object { writer in
                        writer.member("key", key)
                        writer.members(of: fault)
                    }
                }
            })
    }

    fileprivate mutating func members(of fault: FlagFault) {
        member("path", fault.pathInFlag)
        member("message", fault.message)
    }

    fileprivate mutating func periods(_ name: String, _ periods: [FlagUses.Period]) {
        member(
            name,
            array: { writer in
                for period in periods {
                    writer.object { writer in
                        writer.member("start", "\(period.start)")
                        writer.member("variant", value: period.variant.isEmpty ? .null : .string(period.variant))
                        writer.member("evaluations", period.evaluations)
                    }
                }
            })
    }

    fileprivate mutating func variants(of flag: Flag, _ uses: [String: FlagUses.Stored]) {
        member(
            "variants",
            array: { writer in
                for variant in flag.variants {
                    writer.object { writer in
                        writer.member("name", variant.name)
                        writer.member("value", raw: variant.value.json)
                        let use = uses[variant.name]
                        writer.member("last_evaluated_at", value: use.map { .string("\($0.lastAt)") } ?? .null)
                        writer.member("evaluations", use?.count ?? 0)
                    }
                }
            })
    }
}

extension Flag {
    /// The type of the values; nil for a flag without variants.
    fileprivate var valueType: String? {
        switch variants.first?.value {
        case .bool?: "boolean"
        case .string?: "string"
        case .number?: "number"
        case .object?: "object"
        default: nil
        }
    }

    /// The name of the type in OpenFeature's tools.
    fileprivate var manifestType: String? {
        guard valueType == "number" else { return valueType }
        let isWhole = variants.allSatisfy {
            if case .number(let number) = $0.value { number.isWrittenAsInteger } else { false }
        }
        return isWhole ? "integer" : "float"
    }

    fileprivate static func neutralValue(of type: String) -> String {
        switch type {
        case "boolean": "false"
        case "string": "\"\""
        case "object": "{}"
        default: "0"
        }
    }
}
