import type { Readable } from "node:stream"
import { Context, Data, type Effect, type Stream } from "effect"

/**
 * The store could not do a call, for example because its disk is full or its service does not answer. A later retry may
 * succeed.
 */
export class BlobStoreFailed extends Data.TaggedError("BlobStoreFailed")<{
  /** The store and the reason, for the operators' log: `files.example:443: ECONNREFUSED`. It holds no secret. */
  readonly reason: string
}> {}

/** A part of a blob; both ends are included and lie within it. */
export interface BlobRange {
  readonly first: number
  readonly last: number
}

/** A blob in a listing of the store. */
export interface FoundBlob {
  readonly key: string
  /** The epoch millisecond of its write, on the store's clock. */
  readonly stored_at: number
}

/**
 * Port to the storage of file bytes. Keys come from the product: letters, digits, `_`, `-` and `/`, never a name from
 * outside. A blob is written once and never changed.
 */
export interface BlobStorage {
  /**
   * Stores bytes as they arrive, with a bounded part of them in memory. Completes once they would survive a loss of
   * power. The store owns the pieces: no other code may read them afterwards. Any failure, the stream's included,
   * leaves no blob under the key.
   */
  readonly put: <E, R>(
    key: string,
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, E | BlobStoreFailed, R>
  /**
   * Returns the bytes, or a part of them; the caller reads them to the end or destroys the stream. Undefined when there
   * is no such blob.
   */
  readonly open: (key: string, range?: BlobRange) => Effect.Effect<Readable | undefined, BlobStoreFailed>
  /** Removes a blob; removing a missing blob succeeds. */
  readonly remove: (key: string) => Effect.Effect<void, BlobStoreFailed>
  /** Returns blobs after a key, in the order of their keys. */
  readonly list: (after: string, limit: number) => Effect.Effect<ReadonlyArray<FoundBlob>, BlobStoreFailed>
}

/** The store of media bytes on this node. */
export class BlobStore extends Context.Service<BlobStore, BlobStorage>()("@carteiro/provider/BlobStore") {}
