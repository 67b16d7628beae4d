public import Foundation

/// The window that a sheet lies over. What its user does with a sheet is a test's.
@MainActor
public final class ASPresentationAnchor {
    let user: ((ASWebAuthenticationSession) -> Void)?
    /// The sheets that their app has ended.
    public fileprivate(set) var cancelled = 0

    /// - Parameter user: nil for a window that lets no sheet open.
    public init(user: ((ASWebAuthenticationSession) -> Void)?) {
        self.user = user
    }
}

@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: AnyObject {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

public struct ASWebAuthenticationSessionError: Error {
    public enum Code: Int, Sendable {
        case canceledLogin = 1
        case presentationContextNotProvided = 2
        case presentationContextInvalid = 3
    }

    public let code: Code

    public init(_ code: Code) {
        self.code = code
    }
}

/// A browser sheet that calls its completion on a queue which is not the main one.
open class ASWebAuthenticationSession {
    public typealias CompletionHandler = (URL?, (any Error)?) -> Void

    public let url: URL
    public let callbackURLScheme: String?
    public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
    public var prefersEphemeralWebBrowserSession = false
    private var completionHandler: CompletionHandler?

    public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {
        self.url = url
        self.callbackURLScheme = callbackURLScheme
        self.completionHandler = completionHandler
    }

    @discardableResult
    open func start() -> Bool {
        MainActor.assumeIsolated {
            guard let user = presentationContextProvider?.presentationAnchor(for: self).user else { return false }
            user(self)
            return true
        }
    }

    /// Like Apple's, it says nothing to the completion, and does nothing to a sheet that has ended.
    open func cancel() {
        MainActor.assumeIsolated {
            guard completionHandler != nil else { return }
            completionHandler = nil
            presentationContextProvider?.presentationAnchor(for: self).cancelled += 1
        }
    }

    /// Ends the sheet as the system does.
    public func end(_ url: URL?, _ error: (any Error)? = nil) {
        nonisolated(unsafe) let handler = completionHandler
        completionHandler = nil
        DispatchQueue.global().async { handler?(url, error) }
    }
}
