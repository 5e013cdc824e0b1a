import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, rmdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { type BlobStorage, BlobStore, BlobStoreFailed, type FoundBlob } from "@carteiro/provider/BlobStore.ts"
import { Effect, Layer, Stream } from "effect"

/** The end of the name of a file that is still being written. */
const unfinished = ".part"

/** Bytes that are gathered before a write. */
const writtenAtOnce = 1_048_576

/**
 * Stores blobs as files below a folder. A blob is written under a draft name, synced, then renamed, and its folder is
 * synced too: a file under its final name is always complete. Folders are private, including those of earlier releases,
 * and are removed with their last file.
 */
export const diskBlobs = (root: string): Layer.Layer<BlobStore> =>
  Layer.effect(
    BlobStore,
    // A store that cannot be read fails at its first use, with its reason.
    Effect.as(Effect.ignore(attempt(() => chmod(root, privateFolder))), make(root))
  )

const privateFolder = 0o700

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
          attempt(() => openDraft(draft)),
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
                .then(() => (exit._tag === "Success" ? undefined : removeFile(root, draft)))
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

    remove: (key) => attempt(() => removeFile(root, pathOf(key))),

    list: (after, limit) => Effect.map(walk(root, "", after, limit), (found) => found.slice(0, limit))
  }
}

/** Opens a new file and makes its folders; a folder that is removed in between is made again. */
const openDraft = async (path: string, tries = 100): Promise<FileHandle> => {
  await mkdir(dirname(path), { recursive: true, mode: privateFolder }).catch(unlessGone(tries))
  return open(path, "wx", 0o600).catch((error) => {
    unlessGone(tries)(error)
    return openDraft(path, tries - 1)
  })
}

/** Passes every failure on, except that of a missing folder before the last try. */
const unlessGone =
  (tries: number) =>
  (error: NodeJS.ErrnoException): void => {
    if (error.code !== "ENOENT" || tries <= 1) throw error
  }

/** Removes a file, and its folders below the root while they are empty: the file system refuses to remove others. */
const removeFile = async (root: string, path: string): Promise<void> => {
  await rm(path, { force: true })
  for (let folder = dirname(path); folder.length > root.length; folder = dirname(folder)) {
    if (!(await rmdir(folder).then(isDone, isNotDone))) return
  }
}

const isDone = () => true
const isNotDone = () => false

/** Gathers small pieces into larger writes. */
class Writer {
  private readonly file: FileHandle
  private pieces: Array<Uint8Array> = []
  private size = 0

  constructor(file: FileHandle) {
    this.file = file
  }

  /** Adds a piece; true once enough has gathered to be written. */
  add(piece: Uint8Array): boolean {
    this.pieces.push(piece)
    this.size += piece.length
    return this.size >= writtenAtOnce
  }

  /** Writes all gathered pieces. */
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

/** The least size for which giving memory back pays off. */
const leastGivenBack = 16_384

/**
 * Frees the memory of a written piece at once. Garbage collection is rare while little else is allocated, so all pieces
 * of an upload would stay in memory.
 */
const giveBack = ({ buffer, byteLength }: Uint8Array): void => {
  if (byteLength < leastGivenBack || byteLength !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
  buffer.transfer(0)
}

/** Returns files below a folder after a key, in the order of their keys, including drafts left by a crash. */
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
        // All files in it begin with its name.
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

/** A folder that no longer exists was removed with its last file, so there is nothing to sync. */
const syncFolder = (path: string): Promise<void> =>
  open(path, "r").then((folder) => folder.sync().finally(() => folder.close()), unlessGone(2))

/** Reports a disk's error (full, missing) without a path. */
const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, BlobStoreFailed> =>
  Effect.tryPromise({
    try: work,
    catch: (error) => new BlobStoreFailed({ reason: (error as NodeJS.ErrnoException).code ?? "unknown" })
  })
