#if canImport(AuthenticationServices)
    public import AuthenticationServices
    internal import Foundation

    extension SignInSession {
        /// Signs in through the system's own browser sheet, which closes when the task is cancelled.
        ///
        /// - Parameters:
        ///   - scheme: of the app's redirect, such as `com.example.notes`; the provider has to know
        ///     `com.example.notes:/callback`.
        ///   - anchor: names the window that the sheet lies over.
        @MainActor
        @discardableResult
        public func signIn(
            scheme: String, from anchor: any ASWebAuthenticationPresentationContextProviding
        ) async throws(SignInFailure) -> UserAccount {
            let request = try await begin(redirect: "\(scheme):/callback")
            let (answers, answer) = AsyncStream<Result<URL, SignInFailure>>.makeStream()
            // Not the main actor's, though it is made there: the system calls it on a queue of its own.
            let sheet = ASWebAuthenticationSession(url: request.url, callbackURLScheme: scheme) {
                @Sendable url, error in
                answer.yield(url.map { .success($0) } ?? .failure(SignInFailure(sheet: error)))
            }
            sheet.presentationContextProvider = anchor
            // The sheet refers to the anchor weakly. One that has ended already takes no notice.
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
