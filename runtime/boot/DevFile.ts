import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { ensureDataDir, readIfThere, writePrivateFile } from "./DataDir.ts"

const DevEnvironment = Schema.Struct({
  environment_id: Schema.String,
  api_key: Schema.String,
  phone_number_id: Schema.NullOr(Schema.String)
})

/** What a newcomer needs to call the server; members of rooms that do not exist yet are null. Boot contract, Ready */
export const DevFile = Schema.Struct({
  base_url: Schema.String,
  organization_id: Schema.String,
  project_id: Schema.String,
  sandbox: DevEnvironment,
  production: DevEnvironment,
  dashboard: Schema.Struct({
    url: Schema.NullOr(Schema.String),
    email: Schema.NullOr(Schema.String),
    sign_in_url: Schema.NullOr(Schema.String)
  }),
  simulators: Schema.Struct({
    upstream: Schema.NullOr(Schema.String),
    pixprov1: Schema.NullOr(Schema.String),
    pixprov2: Schema.NullOr(Schema.String),
    cardproc: Schema.NullOr(Schema.String),
    numprov: Schema.NullOr(Schema.String)
  }),
  database_url: Schema.String,
  admin_url: Schema.String
})
export type DevFile = typeof DevFile.Type

/** The file of the last start, so that ids and keys stay; undefined when it is missing or not of this shape. */
export const readDevFile = Effect.fn("DevFile.read")(function* (dataDir: string) {
  const text = yield* readIfThere(join(dataDir, "dev.json"))
  return text === undefined ? undefined : Option.getOrUndefined(decode(text))
})

/** Replaces `<data dir>/dev.json` in one step, readable by its owner only (mode 0600). Boot contract, Ready */
export const writeDevFile = Effect.fn("DevFile.write")(function* (dataDir: string, file: DevFile) {
  const folder = yield* ensureDataDir(dataDir)
  yield* writePrivateFile(join(folder, "dev.json"), `${JSON.stringify(encode(file), null, 2)}\n`)
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(DevFile))
const encode = Schema.encodeSync(DevFile)
