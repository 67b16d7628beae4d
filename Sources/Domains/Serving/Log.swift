internal import AlmanacJSON
internal import AlmanacPOSIX
internal import AlmanacTimestamps

/// The log: one JSON object a line on standard error. No tokens, no values.
public enum Log {
    public static func info(_ message: String, _ fields: (name: String, value: String)...) {
        write("info", message, fields)
    }

    public static func error(_ message: String, _ fields: (name: String, value: String)...) {
        write("error", message, fields)
    }

    private static func write(_ level: String, _ message: String, _ fields: [(name: String, value: String)]) {
        write(level, message) { writer in
            for field in fields {
                writer.name(field.name)
                writer.string(field.value)
            }
        }
    }

    /// Writes one line.
    ///
    /// - Parameter members: writes what else is in the object.
    static func write(_ level: String, _ message: String, _ members: (inout JSONWriter) -> Void) {
        var writer = JSONWriter(capacity: 512)
        writer.beginObject()
        for (name, value) in [("time", "\(Timestamp(milliseconds: WallClock.milliseconds))"), ("level", level)] {
            writer.name(name)
            writer.string(value)
        }
        writer.name("message")
        writer.string(message)
        members(&writer)
        writer.endObject()
        Process.report(String(decoding: writer.bytes, as: UTF8.self))
    }
}
