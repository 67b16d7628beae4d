internal import Foundation

// An in-memory keychain of generic passwords, with only the keys and functions that the libraries use.

public struct CFString: Hashable, Sendable {
    let name: String

    init(_ name: String) { self.name = name }
}

public typealias CFDictionary = [CFString: Any]
public typealias CFTypeRef = AnyObject
public typealias OSStatus = Int32

public let kSecClass = CFString("class")
public let kSecClassGenericPassword = CFString("genp")
public let kSecAttrService = CFString("svce")
public let kSecAttrAccount = CFString("acct")
public let kSecAttrAccessible = CFString("pdmn")
public let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly = CFString("cku")
public let kSecAttrAccessGroup = CFString("agrp")
public let kSecUseDataProtectionKeychain = CFString("nleg")
public let kSecValueData = CFString("v_Data")
public let kSecReturnData = CFString("r_Data")

public let errSecSuccess: OSStatus = 0
public let errSecParam: OSStatus = -50
public let errSecDuplicateItem: OSStatus = -25299
public let errSecItemNotFound: OSStatus = -25300

/// The device's keychain, for tests to read and to lock.
public enum StandInKeychain {
    private static let lock = NSLock()
    // Safe because both are accessed only under the lock.
    nonisolated(unsafe) private static var items: [[String?]: CFDictionary] = [:]
    nonisolated(unsafe) private static var refusal: OSStatus?

    /// Makes every call return a status, until it is called with nil.
    public static func refuse(_ status: OSStatus?) { lock.withLock { refusal = status } }

    public static func item(service: String, account: String, group: String? = nil) -> CFDictionary? {
        lock.withLock { items[[service, account, group]] }
    }

    static func access(_ query: CFDictionary, _ body: (inout CFDictionary?) -> OSStatus) -> OSStatus {
        lock.withLock {
            if let refusal { return refusal }
            guard query[kSecClass] as? CFString == kSecClassGenericPassword,
                let service = query[kSecAttrService] as? String, let account = query[kSecAttrAccount] as? String
            else { return errSecParam }
            return body(&items[[service, account, query[kSecAttrAccessGroup] as? String]])
        }
    }
}

public func SecItemCopyMatching(_ query: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StandInKeychain.access(query) { item in
        guard let item else { return errSecItemNotFound }
        if query[kSecReturnData] as? Bool == true { result?.pointee = (item[kSecValueData] as? Data) as AnyObject }
        return errSecSuccess
    }
}

public func SecItemAdd(_ attributes: CFDictionary, _ result: UnsafeMutablePointer<CFTypeRef?>?) -> OSStatus {
    StandInKeychain.access(attributes) { item in
        guard item == nil else { return errSecDuplicateItem }
        item = attributes
        return errSecSuccess
    }
}

public func SecItemUpdate(_ query: CFDictionary, _ changes: CFDictionary) -> OSStatus {
    StandInKeychain.access(query) { item in
        guard item != nil else { return errSecItemNotFound }
        item?.merge(changes) { $1 }
        return errSecSuccess
    }
}

public func SecItemDelete(_ query: CFDictionary) -> OSStatus {
    StandInKeychain.access(query) { item in
        guard item != nil else { return errSecItemNotFound }
        item = nil
        return errSecSuccess
    }
}
