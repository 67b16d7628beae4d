public import Foundation

open class BGTaskRequest {
    public let identifier: String
    public var earliestBeginDate: Date?

    init(identifier: String) {
        self.identifier = identifier
    }
}

public final class BGAppRefreshTaskRequest: BGTaskRequest {
    public override init(identifier: String) {
        super.init(identifier: identifier)
    }
}

/// Takes requests, and never runs any.
public final class BGTaskScheduler: @unchecked Sendable {
    // Safe because nothing in it changes.
    public static let shared = BGTaskScheduler()

    public func submit(_ taskRequest: BGTaskRequest) throws {}
}
