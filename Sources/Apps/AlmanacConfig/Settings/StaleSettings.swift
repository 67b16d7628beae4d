/// What a source throws that has values, though not the newest: they count, and the result says what went wrong.
public struct StaleSettings: Error {
    public let values: [String: ConfigValue]
    public let cause: any Error

    public init(values: [String: ConfigValue], cause: any Error) {
        self.values = values
        self.cause = cause
    }
}
