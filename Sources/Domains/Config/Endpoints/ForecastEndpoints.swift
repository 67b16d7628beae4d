internal import AlmanacHTTP
internal import AlmanacJSON

/// The responses to writes with `dry_run=true`.
enum ForecastEndpoints {
    /// Returns the forecast of a release: version, reason, changes, and the effect on clients of each major.
    ///
    /// - Parameter more: Warnings that come first.
    static func answer(_ forecast: Forecast, _ context: ConfigContext, warnings more: [String] = []) -> Response {
        let head = forecast.head
        var response = Response.uncached(
            JSONWriter.object { writer in
                members(of: forecast, context, warnings: more, in: &writer)
                writer.member("unmet", value: .array(forecast.unmet.map(\.json)))
            })
        response.headers += ConfigHeaders.fields(of: head)
        response.headers.append(("ETag", "\"\(head.cursor)\""))
        return response
    }

    /// Writes the members of a forecast into an open object.
    static func members(
        of forecast: Forecast, _ context: ConfigContext, warnings more: [String] = [], in writer: inout JSONWriter
    ) {
        let (head, plan) = (forecast.head, forecast.plan)
        writer.member("revision", head.revision)
        writer.member("cursor", "\(head.cursor)")
        writer.member("version", "\(plan.version)")
        writer.member("current_version", "\(head.version)")
        writer.member("bump", plan.bump?.name ?? "none")
        writer.member("changes", array: { writer in for change in plan.changes { writer.change(change) } })
        writer.member("majors", array: { writer in for major in forecast.majors { writer.major(major) } })
        writer.member("warnings", more + warnings(forecast, context))
    }

    /// Returns warnings about overlapping keys, and about contexts that would get another variant.
    private static func warnings(_ forecast: Forecast, _ context: ConfigContext) -> [String] {
        let head = forecast.head
        // If the refresh fails, the warnings come from the cached entries.
        try? context.service.refresh(atLeast: head.revision, in: head.lineage)
        let snapshot = context.service.store.current.snapshot
        return snapshot.applying(forecast.rows, head: head, majors: snapshot.majors)
            .overlaps(of: forecast.rows.map(\.key)).prefix(WriteEndpoints.maxWarnings).map(\.warning)
            + (forecast.flags?.warnings(now: context.service.now() / 1000) ?? [])
    }
}

extension JSONWriter {
    fileprivate mutating func change(_ change: Change) {
        object { writer in
            writer.members(key: change.key, change.kind)
            writer.member("bump", change.bump.name)
            writer.reason(change.reason)
            if let kind = change.kindBefore { writer.member("kind_before", kind.rawValue) }
            if let before = change.before { writer.member("before", value: before) }
            if let after = change.after { writer.member("after", value: after) }
            if change.after != nil { writer.member("description", change.description) }
            if let before = change.descriptionBefore, !before.utf8.elementsEqual(change.description.utf8) {
                writer.member("description_before", before)
            }
        }
    }

    private mutating func reason(_ reason: ChangeReason) {
        switch reason {
        case .added: member("reason", "added")
        case .removed: member("reason", "removed")
        case .valueChanged: member("reason", "value-changed")
        case .descriptionChanged: member("reason", "description-changed")
        case .retyped(let from, let to):
            member("reason", "retyped")
            types(from, to)
        case .kindChanged(let from, let to):
            member("reason", "retyped")
            member("from", from.rawValue)
            member("to", to.rawValue)
        case .memberRemoved(let path):
            member("reason", "member-removed")
            pointer(path)
        case .memberAdded(let path):
            member("reason", "member-added")
            pointer(path)
        case .memberRetyped(let path, let from, let to):
            member("reason", "member-retyped")
            pointer(path)
            types(from, to)
        }
    }

    private mutating func types(_ from: JSONType, _ to: JSONType) {
        member("from", from.rawValue)
        member("to", to.rawValue)
    }

    /// Writes the path of a member inside its value as a JSON Pointer (RFC 6901).
    private mutating func pointer(_ path: [String]) {
        // A tilde before a combining mark is no `Character` of its own, so the loop reads scalars.
        var pointer = ""
        for name in path {
            pointer.unicodeScalars.append("/")
            for scalar in name.unicodeScalars {
                switch scalar {
                case "~": pointer += "~0"
                case "/": pointer += "~1"
                default: pointer.unicodeScalars.append(scalar)
                }
            }
        }
        member("path", pointer)
    }

    fileprivate mutating func major(_ forecast: MajorForecast) {
        object { writer in
            writer.member("major", Int64(forecast.major))
            writer.member(
                "keeps",
                array: { writer in
                    for kept in forecast.keptEntries {
                        writer.object { writer in
                            writer.member("key", kept.key)
                            writer.member("value", value: kept.value)
                            if let reason = kept.reason { writer.member("reason", reason) }
                        }
                    }
                })
            writer.member("receives", forecast.receivedKeys)
            writer.member(
                "withheld",
                array: { writer in
                    for flag in forecast.withheldFlags {
                        writer.object { writer in
                            writer.member("key", flag.key)
                            writer.member("reason", flag.reason)
                        }
                    }
                })
        }
    }
}
