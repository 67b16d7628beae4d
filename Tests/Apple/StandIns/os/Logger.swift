public import Synchronization

/// A log that keeps its messages in memory.
public struct Logger: Sendable {
    /// The public texts of all messages, with the subsystem and the category: `Almanac AlmanacConfig: a warning`.
    public static let messages = Mutex<[String]>([])

    private let name: String

    public init(subsystem: String, category: String) { name = "\(subsystem) \(category)" }

    public func warning(_ message: OSLogMessage) {
        Self.messages.withLock { $0.append("\(name): \(message.interpolation.text)") }
    }
}

/// A message whose texts are private unless the interpolation says otherwise.
public struct OSLogMessage: ExpressibleByStringInterpolation {
    private(set) var interpolation: OSLogInterpolation

    public init(stringInterpolation: OSLogInterpolation) { interpolation = stringInterpolation }

    public init(stringLiteral text: String) {
        interpolation = OSLogInterpolation(literalCapacity: 0, interpolationCount: 0)
        interpolation.appendLiteral(text)
    }
}

public struct OSLogInterpolation: StringInterpolationProtocol {
    private(set) var text = ""

    public init(literalCapacity: Int, interpolationCount: Int) {}

    public mutating func appendLiteral(_ literal: String) { text += literal }

    public mutating func appendInterpolation(
        _ text: @autoclosure () -> String, privacy: OSLogPrivacy = .auto
    ) {
        self.text += privacy.isPublic ? text() : "<private>"
    }
}

public struct OSLogPrivacy: Sendable {
    let isPublic: Bool

    public static let auto = OSLogPrivacy(isPublic: false)
    public static let `public` = OSLogPrivacy(isPublic: true)
}
