/** MD5 (RFC 1321), by which Evernote's texts name their files. It protects nothing. */

const shifts = [...[7, 12, 17, 22], ...[5, 9, 14, 20], ...[4, 11, 16, 23], ...[6, 10, 15, 21]];
const [factors, offsets] = [
    [1, 5, 3, 7],
    [0, 1, 5, 0],
];
const sines = Int32Array.from({ length: 64 }, (_, index) => Math.floor(Math.abs(Math.sin(index + 1)) * 2 ** 32));

/** Returns the hash in hexadecimal digits. @param {Uint8Array} bytes */
export function md5(bytes) {
    const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n, true);
    const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
    const words = new Int32Array(16);
    for (let at = 0; at < padded.length; at += 64) {
        for (let index = 0; index < 16; index += 1) words[index] = view.getInt32(at + 4 * index, true);
        let [a, b, c, d] = state;
        for (let step = 0; step < 64; step += 1) {
            const round = step >> 4;
            const mixed =
                round === 0
                    ? (b & c) | (~b & d)
                    : round === 1
                      ? (d & b) | (~d & c)
                      : round === 2
                        ? b ^ c ^ d
                        : c ^ (b | ~d);
            const sum = (a + mixed + sines[step] + words[(factors[round] * step + offsets[round]) & 15]) | 0;
            const shift = shifts[4 * round + (step & 3)];
            a = d;
            d = c;
            c = b;
            b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
        }
        for (const [index, part] of [a, b, c, d].entries()) state[index] += part;
    }
    return [...new Uint8Array(state.buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
