import { createHash, randomBytes } from "node:crypto"
import { accessSync, chmodSync, constants, existsSync, mkdirSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Schema } from "effect"
import { readIfThere, writePrivateFile } from "../DataDir.ts"
import { StartRefused } from "../StartRefused.ts"
import { canEnter, serverUser } from "./ServerUser.ts"

/** The record of a data directory's database server, in `postgres.json` (mode 0600: it holds the password). */
export const ServerRecord = Schema.Struct({
  data_dir: Schema.String,
  /** Where the cluster lies when that is outside of the data directory. */
  home: Schema.NullOr(Schema.String),
  port: Schema.Int,
  password: Schema.String,
  /** Null until the cluster has been made. */
  system_identifier: Schema.NullOr(Schema.String)
})
export type ServerRecord = typeof ServerRecord.Type

/** Remembers the record; a restart finds the same port, password and cluster. */
export const saveRecord = (dataDir: string, record: ServerRecord) =>
  writePrivateFile(recordPath(dataDir), `${JSON.stringify(record, null, 2)}\n`)

/**
 * The record and the folder of the cluster, `cluster` below `home`. That is inside of the data directory, unless we are
 * root and the server's user cannot get there: then it is a folder of its own below /var/lib, named after a hash of
 * the data directory's path.
 */
export const openHome = Effect.fnUntraced(function* (dataDir: string) {
  const inside = join(dataDir, "postgres")
  const found = yield* readRecord(dataDir)
  const user = yield* serverUser(join(found?.home ?? inside, "cluster"))
  if (found !== undefined && found.home === null && !canEnter(dataDir, user)) {
    const message = `CARTEIRO_DATA_DIR: user ${user?.name} can no longer enter ${dataDir}; allow it with chmod o+x on its folders`
    return yield* new StartRefused({ message })
  }
  const record = found ?? {
    data_dir: dataDir,
    home: canEnter(dataDir, user) ? null : yield* outside(dataDir),
    port: 0,
    password: randomBytes(24).toString("base64url"),
    system_identifier: null
  }
  const home = record.home ?? inside
  yield* makeFolder(home, 0o711)
  if (record.system_identifier !== null && !existsSync(join(home, "cluster", "PG_VERSION"))) {
    const message = `CARTEIRO_DATA_DIR: the database ${join(home, "cluster")} is gone; restore it, or remove ${dataDir} to start afresh`
    return yield* new StartRefused({ message })
  }
  return { record: { ...record, data_dir: dataDir }, home, user, fresh: found === undefined }
})

const recordPath = (dataDir: string): string => join(dataDir, "postgres.json")

const readRecord = Effect.fnUntraced(function* (dataDir: string) {
  const text = yield* readIfThere(recordPath(dataDir))
  if (text === undefined) return undefined
  const record = yield* Schema.decodeUnknownEffect(Schema.fromJsonString(ServerRecord))(text).pipe(
    Effect.mapError(
      () =>
        new StartRefused({
          message: `CARTEIRO_DATA_DIR: ${recordPath(dataDir)} cannot be read as a record; restore it, or remove ${dataDir} to start afresh`
        })
    )
  )
  // A copied data directory must not share the outside cluster of its original; a moved one takes it along.
  const copied = record.home !== null && record.data_dir !== dataDir && existsSync(record.data_dir)
  return copied ? undefined : record
})

const outside = Effect.fnUntraced(function* (dataDir: string) {
  const name = `carteiro-${createHash("sha256").update(dataDir).digest("hex").slice(0, 16)}`
  for (const parent of ["/var/lib", "/var/tmp", tmpdir()]) {
    if (isWritable(parent)) return join(parent, name)
  }
  return yield* new StartRefused({ message: "CARTEIRO_DATA_DIR: no folder the embedded PostgreSQL's user can enter" })
})

const isWritable = (folder: string): boolean => {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return (statSync(folder).mode & 0o001) !== 0
  } catch {
    return false
  }
}

const makeFolder = (folder: string, mode: number) =>
  Effect.suspend(() => {
    if (!existsSync(folder)) {
      mkdirSync(folder)
      chmodSync(folder, mode)
    }
    // A folder prepared by someone else in a shared place could be swapped under the server.
    return statSync(folder).uid === (process.getuid?.() ?? statSync(folder).uid)
      ? Effect.void
      : new StartRefused({ message: `CARTEIRO_DATA_DIR: ${folder} belongs to another user` })
  })
