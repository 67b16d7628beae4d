public import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

extension JSONWriter {
    /// Writes the program's release and the start time of this process.
    public mutating func members(ofProgram version: String) {
        member("version", version)
        let start = ProcessUsage.now.map { Timestamp(milliseconds: Int64($0.startTime * 1000)) }
        member("started_at", value: start.map { .string("\($0)") } ?? .null)
    }
}
