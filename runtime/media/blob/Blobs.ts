import { createHash } from "node:crypto"
import type { Readable } from "node:stream"
import { Ids } from "@carteiro/owners/Ids.ts"
import { aStretch, inTurns } from "@carteiro/owners/Stretches.ts"
import { type BlobRange, type BlobStorage, BlobStore, BlobStoreFailed } from "@carteiro/provider/BlobStore.ts"
import { Context, Effect, Layer, Stream } from "effect"
import type { StoredBytes } from "../asset/AssetState.ts"
import { contradicts, sniffedBytes } from "../asset/Sniffing.ts"

/** Whose bytes are stored, and as what. */
export interface BlobOf {
  readonly environment_id: string
  /** The asset, or whatever else the bytes are for. */
  readonly id: string
  readonly mime_type: string
  readonly now: number
}

/** Stores bytes and knows what they are: length, SHA-256 and whether they are of the announced type. */
export class Blobs extends Context.Service<
  Blobs,
  {
    /**
     * Takes the bytes as they come and answers once they are durable; whatever fails leaves nothing behind. The key is
     * made here: no name that somebody sent is ever part of one.
     */
    store<E, R>(of: BlobOf, bytes: Stream.Stream<Uint8Array, E, R>): Effect.Effect<StoredBytes, E | BlobStoreFailed, R>
    /** As of the store: to be read to the end or destroyed. */
    open(key: string, range?: BlobRange): Effect.Effect<Readable | undefined, BlobStoreFailed>
    /** All of a blob that is known to be small; undefined when it is not there or cannot be had. */
    readAll(key: string): Effect.Effect<Uint8Array | undefined>
    /** The bytes as a stream, for whoever hands them on. */
    read(key: string): Stream.Stream<Uint8Array, BlobStoreFailed>
    /** Returns the SHA-256 of the bytes as they are now, in hex; read a stretch at a time. */
    hash(key: string): Effect.Effect<string, BlobStoreFailed>
    /** Removes bytes that nothing names any more; what cannot be removed now is swept later. */
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
              Effect.map(contradicts(head.subarray(0, Math.min(byte_length, sniffedBytes)), of.mime_type), (wrong) => ({
                blob_key,
                sha256: hash.digest("hex"),
                byte_length,
                contradicted: wrong
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
                aStretch(() => void hash.update(chunk))
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
