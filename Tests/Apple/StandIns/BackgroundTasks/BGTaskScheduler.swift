public import Foundation

open class BGTaskRequest {
    public let identifier: String
    public var earliestBeginDate: Date?

    init(identifier: String) { self.identifier = identifier }
}

public final class BGAppRefreshTaskRequest: BGTaskRequest {
    public override init(identifier: String) { super.init(identifier: identifier) }
}

/// A scheduler that accepts requests but never runs them.
public final class BGTaskScheduler: @unchecked Sendable {
    // Safe because the class has no mutable state.
    public static let shared = BGTaskScheduler()

    public func submit(_ taskRequest: BGTaskRequest) throws {}
}
