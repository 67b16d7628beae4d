public import AlmanacJSON

extension Limits {
    /// The bounds of a request's body as JSON.
    public var json: JSONLimits {
        var limits = JSONLimits()
        limits.bytes = bodyBytes
        limits.depth = depth
        return limits
    }
}
