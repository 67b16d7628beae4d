public import Foundation

/// The window below a sheet. A test supplies the user's reaction to the sheet.
@MainActor
public final class ASPresentationAnchor {
    let user: ((ASWebAuthenticationSession) -> Void)?
    /// The number of sheets that the app has cancelled.
    public fileprivate(set) var cancelled = 0

    /// - Parameter user: the user's reaction to a sheet, or nil for a window in which no sheet opens.
    public init(user: ((ASWebAuthenticationSession) -> Void)?) { self.user = user }
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

    public init(_ code: Code) { self.code = code }
}

/// A browser sheet that calls its completion handler on a background queue.
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

    /// Cancels an open sheet. As in Apple's class, the completion handler is not called.
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
