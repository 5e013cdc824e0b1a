import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
import { Ids } from "@carteiro/owners/Ids.ts"
import { inTurns, oneSlice } from "@carteiro/owners/Slices.ts"
import { type BlobRange, type BlobStorage, BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { Context, Effect, Layer, Stream } from "effect"
import type { StoredBytes } from "../asset/AssetState.ts"
import { type JudgedFile, judgeBytes, sniffedBytes } from "../asset/Sniffing.ts"

/** The owner and the type of bytes to store. */
export interface BlobOf extends JudgedFile {
  readonly environment_id: string
  /** The id of the asset, or of another thing that the bytes belong to. */
  readonly id: string
  readonly now: number
}

/** Stores bytes and determines their length, their SHA-256 and whether they match the announced type. */
export class Blobs extends Context.Service<
  Blobs,
  {
    /**
     * Stores the bytes as they arrive and returns once they are durable; a failure leaves nothing behind. The key is
     * made here and never contains a name that a client sent.
     */
    store<E, R>(of: BlobOf, bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<StoredBytes, E | BlobStoreFailed, R>
    /** Opens a blob as the store does; the caller must read the stream to its end or destroy it. */
    open(key: string, range?: BlobRange): Effect.Effect<Readable | undefined, BlobStoreFailed>
    /** Returns all bytes of a small blob; undefined when it does not exist or cannot be read. */
    readAll(key: string): Effect.Effect<Uint8Array | undefined>
    /** Returns the bytes as a stream. */
    read(key: string): Stream.Stream<Uint8Array, BlobStoreFailed>
    /** Returns the SHA-256 of the bytes as they are now, in hex; reads them in chunks. */
    hash(key: string): Effect.Effect<string, BlobStoreFailed>
    /** Removes bytes that no row names any more; the sweep removes later what cannot be removed now. */
    discard(key: string | null): Effect.Effect<void>
  }
>()("@carteiro/runtime/media/blob/Blobs") {
  static readonly layer = Layer.effect(
    Blobs,
    Effect.gen(function* () {
      const store = yield* BlobStore
      const ids = yield* Ids
      return Blobs.of({
        store: (of, bytes) =>
          Effect.suspend(() => {
            const blob_key = `${of.environment_id}/${of.id}/${ids.mint("evt", of.now).slice(4)}`
            const hash = createHash("sha256")
            const head = Buffer.alloc(sniffedBytes)
            let byte_length = 0
            const seen = Stream.tap(bytes, (chunk) =>
              Effect.sync(() => {
                hash.update(chunk)
                if (byte_length < sniffedBytes) head.set(chunk.subarray(0, sniffedBytes - byte_length), byte_length)
                byte_length += chunk.length
              })
            )
            return Effect.flatMap(store.put(blob_key, seen), () =>
              Effect.map(judgeBytes(head.subarray(0, Math.min(byte_length, sniffedBytes)), of), (judged) => ({
                blob_key,
                sha256: hash.digest("hex"),
                byte_length,
                ...judged
              }))
            )
          }),
        open: store.open,
        readAll: (key) =>
          Stream.runCollect(readOf(store, key)).pipe(
            Effect.map((chunks) => Buffer.concat([...chunks])),
            Effect.catch(({ reason }) => Effect.as(Effect.logWarning("a blob was not read", { reason }), undefined))
          ),
        read: (key) => readOf(store, key),
        hash: (key) =>
          Effect.suspend(() => {
            const hash = createHash("sha256")
            const [holder = ""] = key.split("/")
            const hashed = Stream.runForEach(readOf(store, key), (chunk) =>
              inTurns(
                holder,
                oneSlice(() => void hash.update(chunk))
              )
            )
            return Effect.map(hashed, () => hash.digest("hex"))
          }),
        discard: (key) => (key === null ? Effect.void : Effect.ignore(store.remove(key)))
      })
    })
  )
}

const readOf = (store: BlobStorage, key: string): Stream.Stream<Uint8Array, BlobStoreFailed> =>
  Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(store.open(key), (file) => Effect.sync(() => void file?.destroy())),
      (file) =>
        file === undefined
          ? Stream.fail(new BlobStoreFailed({ reason: "there is no such blob" }))
          : Stream.fromAsyncIterable<Uint8Array, BlobStoreFailed>(
              file,
              () => new BlobStoreFailed({ reason: "the blob could not be read to its end" })
            )
    )
  )
