internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacJSON

/// `PUT /{environment}/appearance`: sets how the console shows the environment, for administrators.
enum AppearanceEndpoint {
    static func set(_ request: Request, _: Captures, _ context: IdentityContext) throws -> Response {
        let caller = try context.administrator(of: request)
        try request.target.query.allow()
        try request.accepts("application/json")
        try request.contains("application/json")
        let object = try request.json(context.settings.limits.json).members(["color", "caution"])
        try context.appearance.set(color: color(object), needsCaution: caution(object), by: caller.author)
        return .uncached(JSONWriter.object { $0.members(of: context.appearance.current) })
    }

    private static func color(_ object: JSONObject) throws(Problem) -> String? {
        if object["color"] == .null { return nil }
        guard let color = object["color"]?.stringValue, Appearance.isColor(color) else {
            throw Problem(
                .invalidValue,
                "'color' must have the form \"#1d7a46\", or be null for the colour of the environments file")
        }
        return color
    }

    private static func caution(_ object: JSONObject) throws(Problem) -> Bool? {
        if object["caution"] == .null { return nil }
        guard let caution = object["caution"]?.boolValue else {
            throw Problem(
                .invalidValue, "'caution' must be true or false, or null for the value of the environments file")
        }
        return caution
    }
}

extension JSONWriter {
    mutating func members(of appearance: Appearance) {
        member("color", value: appearance.color.map { .string($0) } ?? .null)
        member("caution", appearance.needsCaution)
    }
}
