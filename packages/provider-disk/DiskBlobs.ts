import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type BlobStorage, BlobStore, BlobStoreFailed, type FoundBlob } from "@carteiro/provider/BlobStore.ts"
import { Effect, Layer, Stream } from "effect"

/** Ends the name of a file that is still being written. */
const unfinished = ".part"

/** Bytes that are gathered before they are written. */
const writtenAtOnce = 1_048_576

/**
 * Blobs as files below a folder. One is written beside its name, synced, and given its name last, the folder synced too: a
 * file under its name is whole whatever happens.
 */
export const diskBlobs = (root: string): Layer.Layer<BlobStore> => Layer.succeed(BlobStore, make(root))

const make = (root: string): BlobStorage => {
  const pathOf = (key: string): string => {
    if (!/^[\w-]+(?:\/[\w-]+)*(?:\.part)?$/.test(key)) throw new Error(`no key of a blob: ${key.slice(0, 64)}`)
    return join(root, key)
  }

  return {
    put: (key, bytes) =>
      Effect.suspend(() => {
        const path = pathOf(key)
        const draft = path + unfinished
        return Effect.acquireUseRelease(
          attempt(() => mkdir(dirname(path), { recursive: true }).then(() => open(draft, "wx", 0o600))),
          (file) =>
            Effect.gen(function* () {
              const writer = new Writer(file)
              yield* Stream.runForEach(bytes, (chunk) =>
                writer.add(chunk) ? attempt(() => writer.write()) : Effect.void
              )
              yield* attempt(() =>
                writer
                  .write()
                  .then(() => file.sync())
                  .then(() => rename(draft, path))
                  .then(() => syncFolder(dirname(path)))
              )
            }),
          (file, exit) =>
            Effect.promise(() =>
              file
                .close()
                .catch(() => {})
                .then(() => (exit._tag === "Success" ? undefined : rm(draft, { force: true })))
                .catch(() => {})
            )
        )
      }),

    open: (key, range) =>
      attempt(() =>
        open(pathOf(key), "r").then(
          (handle) => handle.createReadStream(range === undefined ? {} : { start: range.first, end: range.last }),
          (error: NodeJS.ErrnoException) => {
            if (error.code === "ENOENT") return undefined
            throw error
          }
        )
      ),

    remove: (key) => attempt(() => rm(pathOf(key), { force: true })),

    list: (after, limit) => Effect.map(walk(root, "", after, limit), (found) => found.slice(0, limit))
  }
}

/** Gathers small pieces into larger writes. */
class Writer {
  private readonly file: FileHandle
  private pieces: Array<Uint8Array> = []
  private size = 0

  constructor(file: FileHandle) {
    this.file = file
  }

  /** True once so much has gathered that it should be written. */
  add(piece: Uint8Array): boolean {
    this.pieces.push(piece)
    this.size += piece.length
    return this.size >= writtenAtOnce
  }

  /** Writes what has gathered, all of it. */
  write(): Promise<void> {
    const pieces = this.pieces
    const expected = this.size
    this.pieces = []
    this.size = 0
    if (expected === 0) return Promise.resolve()
    return this.file.writev(pieces).then(({ bytesWritten }) => {
      if (bytesWritten !== expected) throw new Error("the disk took less than it was given")
      for (const piece of pieces) giveBack(piece)
    })
  }
}

/** A smaller piece is not worth it. */
const leastGivenBack = 16_384

/**
 * Gives the memory of a written piece back at once. Nothing hurries a collection while little else is made, so that all
 * pieces of an upload would be held as garbage.
 */
const giveBack = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength < leastGivenBack || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
  buffer.transfer(0)
}

/** Files below a folder behind a key, in the order of their keys, drafts that a crash left included. */
const walk = (
  folder: string,
  prefix: string,
  after: string,
  limit: number
): Effect.Effect<ReadonlyArray<FoundBlob>, BlobStoreFailed> =>
  Effect.gen(function* () {
    const entries = yield* attempt(() => readdir(folder, { withFileTypes: true }).catch(nothingThere))
    const names = entries.map((entry) => ({ entry, key: `${prefix}${entry.name}` }))
    const found: Array<FoundBlob> = []
    for (const { entry, key } of names.toSorted(byKey)) {
      if (found.length >= limit) break
      if (entry.isDirectory()) {
        // Whatever lies in it begins with its name.
        if (`${key}/~` <= after) continue
        found.push(...(yield* walk(join(folder, entry.name), `${key}/`, after, limit - found.length)))
      } else if (key > after) {
        const { mtimeMs } = yield* attempt(() => stat(join(folder, entry.name)).catch(() => ({ mtimeMs: undefined })))
        if (mtimeMs !== undefined) found.push({ key, stored_at: Math.floor(mtimeMs) })
      }
    }
    return found
  })

const byKey = (one: { readonly key: string }, other: { readonly key: string }) => (one.key < other.key ? -1 : 1)

const nothingThere = (error: NodeJS.ErrnoException): [] => {
  if (error.code === "ENOENT") return []
  throw error
}

const syncFolder = (path: string): Promise<void> =>
  open(path, "r").then((folder) => folder.sync().finally(() => folder.close()))

/** What a disk refuses (it is full, it is gone) is said without a path. */
const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, BlobStoreFailed> =>
  Effect.tryPromise({
    try: work,
    catch: (error) => new BlobStoreFailed({ reason: (error as NodeJS.ErrnoException).code ?? "unknown" })
  })
