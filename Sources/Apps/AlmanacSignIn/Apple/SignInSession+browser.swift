#if canImport(AuthenticationServices)
    public import AuthenticationServices

    extension SignInSession {
        /// Signs in through the system's own browser sheet. Not tested here: there is no Apple platform on this
        /// machine.
        ///
        /// - Parameter scheme: of the app's redirect, such as `com.example.notes`; the provider has to know
        ///   `com.example.notes:/callback`.
        @MainActor
        @discardableResult
        public func signIn(
            scheme: String, from anchor: any ASWebAuthenticationPresentationContextProviding
        ) async throws -> UserAccount {
            let request = try await begin(redirect: "\(scheme):/callback")
            let callback = try await withCheckedThrowingContinuation { continuation in
                let browser = ASWebAuthenticationSession(url: request.url, callbackURLScheme: scheme) { url, error in
                    if let url {
                        continuation.resume(returning: url)
                    } else {
                        let isCancelled = (error as? ASWebAuthenticationSessionError)?.code == .canceledLogin
                        continuation.resume(
                            throwing: isCancelled ? SignInFailure.cancelled : .unreachable("the browser did not open"))
                    }
                }
                browser.presentationContextProvider = anchor
                browser.start()
            }
            return try await complete(request, callback: callback)
        }
    }
#endif
