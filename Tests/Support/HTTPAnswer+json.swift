public import AlmanacJSON

extension HTTPAnswer {
    /// The body as JSON, up to 1 GiB of it: a test may ask for more than a server takes.
    public func json() throws(JSONFailure) -> JSONValue {
        var limits = JSONLimits()
        limits.bytes = 1 << 30
        return try JSONValue(parsing: body, limits: limits)
    }
}
