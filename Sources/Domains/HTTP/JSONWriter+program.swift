public import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

extension JSONWriter {
    /// The members that tell of the program which answers: its release, and since when this process of it runs.
    public mutating func members(ofProgram version: String) {
        member("version", version)
        let start = ProcessUsage.now.map { Timestamp(milliseconds: Int64($0.startTime * 1000)) }
        member("started_at", value: start.map { .string("\($0)") } ?? .null)
    }
}
