/**
 * The pieces of a stream as they come. Whoever stops before its end gives the rest up, as with `for await` over the
 * stream itself, which Safari does not know.
 * @template Piece
 * @param {ReadableStream<Piece>} stream
 * @returns {AsyncGenerator<Piece, void>}
 */
export async function* pieces(stream) {
    const reader = stream.getReader();
    let isEnded = false;
    try {
        for (;;) {
            const { value, done } = await reader.read();
            isEnded = done;
            if (done) return;
            yield value;
        }
    } finally {
        // A stream that has failed refuses this; it is over in any case.
        if (!isEnded) await reader.cancel().catch(() => {});
    }
}
