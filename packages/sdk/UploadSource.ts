/** Bytes to upload: a buffer, a `Blob` or `File`, or a stream whose length is told. */
export type UploadSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | { readonly stream: ReadableStream<Uint8Array>; readonly byteLength: number }

/** Returns the first bytes of a source, at most so many unless it is a stream, and the source as it was. */
export const peek = async (
  source: UploadSource,
  most: number
): Promise<{ readonly head: Uint8Array; readonly source: UploadSource }> => {
  if (source instanceof Uint8Array) return { head: source.subarray(0, most), source }
  if (source instanceof ArrayBuffer) return { head: new Uint8Array(source).subarray(0, most), source }
  if (source instanceof Blob) {
    return { head: new Uint8Array(await source.slice(0, most).arrayBuffer()), source }
  }
  const reader = source.stream.getReader()
  const first = await reader.read()
  const stream = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        if (first.done) controller.close()
        else controller.enqueue(first.value)
      },
      pull: async (controller) => {
        const next = await reader.read()
        if (next.done) controller.close()
        else controller.enqueue(next.value)
      },
      cancel: (reason) => reader.cancel(reason)
    },
    { highWaterMark: 0 }
  )
  return { head: first.value ?? new Uint8Array(), source: { stream, byteLength: source.byteLength } }
}
