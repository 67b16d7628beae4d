internal import AlmanacHTTP
internal import AlmanacIdentity
internal import AlmanacJSON
internal import AlmanacTargeting

/// The calls that read and replace all flags as one document in flagd's format.
enum FlagDocumentEndpoints {
    /// Handles `GET /{environment}/flags.json`: returns the flag document to callers with the scope `config:read`.
    static func read(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        _ = try context.caller(of: request, with: .configRead)
        try request.target.query.allow("version", "at")
        if request.target.query["at"] != nil {
            let past = try HistoricalRead(request, context, true)
            let shared = past.entries.first { $0.kind == .flagSet }?.value
            var response = try past.answer(form: "-set", isForReaders: true) {
                let flags = past.entries.filter { $0.kind == .flag }.map { ($0.key, $0.value ?? []) }
                return try FlagDocument.text(flags: flags, shared: shared)
            }
            state(SharedFlagSettings(shared).fractional, in: &response)
            return response
        }
        let read = try ReadRequest(request, context)
        let flags = read.snapshot.flags.compiled(for: read.pin?.major)
        let tag = read.snapshot.flagsTag
        var response = try read.answer(ReadRequest.Metadata(part: tag, isForReaders: true)) {
            try flags.document.value {
                try FlagDocument.text(
                    flags: flags.rows.filter { $0.kind == .flag }.map { ($0.key, $0.value ?? []) },
                    shared: flags.rows.first { $0.kind == .flagSet }?.value)
            }
        }
        state(flags.set.fractional, in: &response)
        return response
    }

    /// Adds a header with the version of the split algorithm, which the format cannot express.
    private static func state(_ fractional: FractionalVersion, in response: inout Response) {
        response.headers.append(("Almanac-Fractional", fractional == .version2 ? "2" : "3"))
    }

    /// Handles `PUT /{environment}/flags.json`: replaces all flags in one release, or with `dry_run=true` forecasts it.
    /// Flags with invalid keys are skipped with `lenient=true` and renamed with `rename=true`.
    static func replace(_ request: Request, _: Captures, _ context: ConfigContext) throws -> Response {
        var intent = try WriteEndpoints.intent(request, context, about: .flags)
        let query = request.target.query
        try query.allow(["dry_run", "fractional", "lenient", "rename"] + ProposalEndpoints.parameters)
        let isTrial = try query.boolean("dry_run")
        intent.isLenient = try query.boolean("lenient")
        guard [nil, "2", "3"].contains(query["fractional"]) else {
            throw Problem(.invalidParameter, "'fractional' must be 2 or 3")
        }
        let fractional = query["fractional"].flatMap { Int($0) }
        try request.contains("application/json")
        let document = try FlagDocument(
            try ConfigBody.read(request, context.service),
            try query.boolean("rename") ? .rename : intent.isLenient ? .skip : .refuse)
        let writer = context.service.writer
        if try query.boolean("propose") {
            return try ProposalEndpoints.create(request, intent, context, keys: nil) { current, _, _ in
                try document.edits(fractional, replacing: current)
            }
        }
        if isTrial {
            let forecast = try writer.forecastFlags(document, fractional, intent)
            return ForecastEndpoints.answer(forecast, context, warnings: document.warnings)
        }
        let outcome = try writer.replaceFlags(by: document, fractional, intent)
        return WriteEndpoints.answer(outcome, context, warnings: document.warnings)
    }
}
