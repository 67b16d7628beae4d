const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
    return remainder;
});

/** Returns the CRC-32 of zip and PNG files. @param {Uint8Array} bytes */
export function crc32(bytes) {
    let sum = 0xffffffff;
    for (const byte of bytes) sum = remainders[(sum ^ byte) & 255] ^ (sum >>> 8);
    return (sum ^ 0xffffffff) >>> 0;
}
