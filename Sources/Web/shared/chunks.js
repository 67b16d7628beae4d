/**
 * Yields the chunks of a stream, and cancels the stream if the caller stops early. Safari has no `for await` over
 * streams.
 * @template Piece
 * @param {ReadableStream<Piece>} stream
 * @returns {AsyncGenerator<Piece, void>}
 */
export async function* chunks(stream) {
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
        // A failed stream rejects `cancel`.
        if (!isEnded) await reader.cancel().catch(() => {});
    }
}
