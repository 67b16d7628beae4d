#if canImport(AuthenticationServices)
    public import AuthenticationServices
    internal import Foundation

    extension SignInSession {
        /// Signs in through the system's browser sheet, which closes if the task is cancelled.
        ///
        /// - Parameters:
        ///   - scheme: the scheme of the app's redirect, such as `com.example.notes`; the provider must allow the
        ///     redirect `com.example.notes:/callback`.
        ///   - anchor: supplies the window that presents the sheet.
        @MainActor @discardableResult public func signIn(
            scheme: String, from anchor: any ASWebAuthenticationPresentationContextProviding
        ) async throws(SignInFailure) -> UserAccount {
            let request = try await begin(redirect: "\(scheme):/callback")
            let (answers, answer) = AsyncStream<Result<URL, SignInFailure>>.makeStream()
            // The system calls this closure on its own queue, so it must not inherit the main actor.
            let sheet = ASWebAuthenticationSession(url: request.url, callbackURLScheme: scheme) {
                @Sendable url, error in answer.yield(url.map { .success($0) } ?? .failure(SignInFailure(sheet: error)))
            }
            sheet.presentationContextProvider = anchor
            // The sheet holds the anchor weakly. Cancelling a sheet that has ended has no effect.
            defer { withExtendedLifetime(anchor) { sheet.cancel() } }
            if !sheet.start() { answer.yield(.failure(SignInFailure(sheet: nil))) }
            for await result in answers { return try await complete(request, callback: result.get()) }
            throw .cancelled
        }
    }

    extension SignInFailure {
        fileprivate init(sheet error: (any Error)?) {
            let isCancelled = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
            self = isCancelled ? .cancelled : .unreachable("the browser did not open")
        }
    }
#endif
