#if canImport(Security)
    internal import Foundation
    internal import Security

    /// A sign-in in the keychain of an Apple platform. Not tested here: there is no such platform on this machine.
    public struct KeychainTokenStorage: TokenStorage {
        private let service: String
        private let name: String

        /// - Parameters:
        ///   - service: what the app calls itself: `com.example.notes`.
        ///   - name: tells several sign-ins of one app apart.
        public init(service: String, name: String = "sign-in") {
            self.service = service
            self.name = name
        }

        private var item: [CFString: Any] {
            [kSecClass: kSecClassGenericPassword, kSecAttrService: service, kSecAttrAccount: name]
        }

        public func load() async throws -> StoredSignIn? {
            let query = item.merging([kSecReturnData: true]) { $1 }
            var found: CFTypeRef?
            let status = unsafe SecItemCopyMatching(query as CFDictionary, &found)
            if status == errSecItemNotFound { return nil }
            guard status == errSecSuccess, let data = found as? Data else { throw Self.failure(status) }
            return try JSONDecoder().decode(StoredSignIn.self, from: data)
        }

        public func save(_ signIn: StoredSignIn?) async throws {
            guard let signIn else {
                let status = SecItemDelete(item as CFDictionary)
                guard [errSecSuccess, errSecItemNotFound].contains(status) else { throw Self.failure(status) }
                return
            }
            let value: [CFString: Any] = [
                kSecValueData: try JSONEncoder().encode(signIn),
                kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
            ]
            var status = SecItemUpdate(item as CFDictionary, value as CFDictionary)
            if status == errSecItemNotFound {
                status = SecItemAdd(item.merging(value) { $1 } as CFDictionary, nil)
            }
            guard status == errSecSuccess else { throw Self.failure(status) }
        }

        private static func failure(_ status: OSStatus) -> SignInFailure { .storage("the keychain says \(status)") }
    }
#endif
