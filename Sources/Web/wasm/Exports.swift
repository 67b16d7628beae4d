// The functions that a page calls. Texts arrive as UTF-8 in the module's memory; an answer is a block with a length.

/// Returns a block with the length in four bytes, little-endian, and the bytes of a text. The caller frees the block.
private func answer(_ text: String) -> UnsafeMutableRawPointer {
    var text = text
    return text.withUTF8 { bytes in
        // Safe because the block is as long as the bytes written to it.
        let block = UnsafeMutableRawPointer.allocate(byteCount: 4 + bytes.count, alignment: 4)
        unsafe block.storeBytes(of: UInt32(bytes.count).littleEndian, as: UInt32.self)
        for index in bytes.indices {
            unsafe block.storeBytes(of: bytes[index], toByteOffset: 4 + index, as: UInt8.self)
        }
        return unsafe block
    }
}

/// Returns the text that the page has written. Invalid UTF-8 becomes U+FFFD.
private func text(_ start: UnsafePointer<UInt8>?, _ count: Int) -> String {
    // Safe because the page passes the number of bytes written there, and retains them until the call returns.
    unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
}

/// Returns the canonical JSON array of a delta.
private func json(_ delta: Delta) -> String {
    var json = "["
    for (index, operation) in delta.operations.enumerated() {
        if index > 0 { json += "," }
        switch operation {
        case .retain(let length): json += String(length)
        case .delete(let length): json += String(-length)
        case .insert(let text): json += quoted(text)
        }
    }
    return json + "]"
}

private func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [0x22]
    for byte in text.utf8 {
        switch byte {
        case 0x22, 0x5C: bytes += [0x5C, byte]
        case 0x00...0x1F:
            let digits: StaticString = "0123456789abcdef"
            // Safe because four bits are less than the sixteen digits.
            let (high, low) = unsafe (digits.utf8Start[Int(byte >> 4)], digits.utf8Start[Int(byte & 0xF)])
            bytes += [0x5C, 0x75, 0x30, 0x30, high, low]
        default: bytes.append(byte)
        }
    }
    bytes.append(0x22)
    return String(decoding: bytes, as: UTF8.self)
}

/// Returns the deltas from each side to the merged text as JSON: `{"fromTheirs": …, "fromMine": …}`.
@c(textmerge_merge)
public func merge(
    _ base: UnsafePointer<UInt8>?, _ baseCount: Int, _ theirs: UnsafePointer<UInt8>?, _ theirCount: Int,
    _ mine: UnsafePointer<UInt8>?, _ myCount: Int
) -> UnsafeMutableRawPointer {
    let merged = unsafe ThreeWay.merge(
        base: text(base, baseCount), theirs: text(theirs, theirCount), mine: text(mine, myCount))
    return unsafe answer("{\"fromTheirs\":" + json(merged.fromTheirs) + ",\"fromMine\":" + json(merged.fromMine) + "}")
}

/// Returns the delta between two texts as JSON.
@c(textmerge_diff)
public func diff(
    _ old: UnsafePointer<UInt8>?, _ oldCount: Int, _ new: UnsafePointer<UInt8>?, _ newCount: Int
) -> UnsafeMutableRawPointer {
    unsafe answer(json(Delta.between(text(old, oldCount), text(new, newCount))))
}

/// Returns the text that results from applying a delta string, after `=`, or the reason for a failure, after `!`.
@c(textmerge_apply)
public func apply(
    _ base: UnsafePointer<UInt8>?, _ baseCount: Int, _ delta: UnsafePointer<UInt8>?, _ deltaCount: Int
) -> UnsafeMutableRawPointer {
    do throws(DeltaFailure) {
        return unsafe answer("=" + (try EncodedDelta(text(delta, deltaCount)).apply(to: text(base, baseCount))))
    } catch {
        return unsafe answer("!" + error.description)
    }
}
