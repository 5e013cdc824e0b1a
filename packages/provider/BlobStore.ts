import type { Readable } from "node:stream"
import { Context, Data, type Effect, type Stream } from "effect"

/** The store could not do what was asked: its disk is full, its service does not answer. Worth another try later. */
export class BlobStoreFailed extends Data.TaggedError("BlobStoreFailed")<{
  /** Which store failed and why, for the log of operators: `files.example:443: ECONNREFUSED`. It holds no secret. */
  readonly reason: string
}> {}

/** A part of a blob; both ends are included and lie within it. */
export interface BlobRange {
  readonly first: number
  readonly last: number
}

/** A blob as a walk over the store finds it. */
export interface FoundBlob {
  readonly key: string
  /** When it was stored, epoch milliseconds on the store's clock. */
  readonly stored_at: number
}

/**
 * Port to where the bytes of files are. Keys are ours: letters, digits, `_`, `-` and `/`, never a name somebody sent. A blob
 * is written once and never changed.
 */
export interface BlobStorage {
  /**
   * Takes the bytes as they come, a bounded part of them in memory, and answers once they would survive a loss of power. The
   * pieces become the store's own: nobody else reads them afterwards. Whatever fails, the stream included, leaves nothing
   * under the key.
   */
  readonly put: <E, R>(
    key: string,
    bytes: Stream.Stream<Uint8Array, E, R>
  ) => Effect.Effect<void, E | BlobStoreFailed, R>
  /** The bytes, or a part of them, for whoever reads them to the end or destroys them; undefined when there is no such blob. */
  readonly open: (key: string, range?: BlobRange) => Effect.Effect<Readable | undefined, BlobStoreFailed>
  /** Removes a blob; one that is not there is removed already. */
  readonly remove: (key: string) => Effect.Effect<void, BlobStoreFailed>
  /** Blobs behind a key, in the order of their keys. */
  readonly list: (after: string, limit: number) => Effect.Effect<ReadonlyArray<FoundBlob>, BlobStoreFailed>
}

/** Where media bytes are kept on this node. */
export class BlobStore extends Context.Service<BlobStore, BlobStorage>()("@carteiro/provider/BlobStore") {}
