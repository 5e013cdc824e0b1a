import { join, resolve } from "node:path"
import { Effect, Option, Schema } from "effect"
import { ensureDataDir, readIfThere, writePrivateFile } from "./DataDir.ts"

const DevEnvironment = Schema.Struct({
  environment_id: Schema.String,
  api_key: Schema.String,
  phone_number_id: Schema.NullOr(Schema.String)
})

// A file of an earlier release has fewer members; its ids and keys are kept all the same.
const orNull = <S extends Schema.Constraint>(member: S) =>
  Schema.NullOr(member).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))

/** Where vendors are simulated, and what their simulators agree on with this server. */
const Simulators = Schema.Struct({
  upstream: orNull(Schema.String),
  upstream_app_secret: orNull(Schema.String),
  upstream_verify_token: orNull(Schema.String),
  upstream_phone_number_id: orNull(Schema.String),
  upstream_biz_account_id: orNull(Schema.String),
  numprov: orNull(Schema.String),
  pixprov1: orNull(Schema.String),
  pixprov2: orNull(Schema.String),
  pixprov2_connection_id: orNull(Schema.String),
  pixprov2_api_key: orNull(Schema.String),
  pixprov2_webhook_secret: orNull(Schema.String),
  pixprov2_platform_api_key: orNull(Schema.String),
  pixprov2_platform_webhook_secret: orNull(Schema.String),
  pix_api: orNull(Schema.String),
  pix_api_control: orNull(Schema.String),
  pix_api_client_id: orNull(Schema.String),
  pix_api_client_secret: orNull(Schema.String),
  pix_api_certificate: orNull(Schema.String),
  pix_api_certificate_password: orNull(Schema.String),
  pix_api_pix_key: orNull(Schema.String),
  cardproc: orNull(Schema.String),
  cardproc_cards: orNull(Schema.Array(Schema.String)),
  cardproc_api_key: orNull(Schema.String),
  cardproc_webhook_secret: orNull(Schema.String),
  speechprov1: orNull(Schema.String),
  speechprov1_api_key: orNull(Schema.String),
  speechprov2: orNull(Schema.String),
  speechprov2_api_key: orNull(Schema.String),
  speechprov3: orNull(Schema.String),
  speechprov3_api_key: orNull(Schema.String)
})

/** The members of dev.json about simulators. */
export type SimulatorMembers = typeof Simulators.Type

/** No simulator runs. */
export const noSimulators: SimulatorMembers = Schema.decodeSync(Simulators)({})

/** The content of dev.json: all that a newcomer needs to call the server; members of rooms that do not exist yet are null. Boot contract, Ready */
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
  simulators: Simulators,
  database_url: Schema.String,
  admin_url: Schema.String
})
export type DevFile = typeof DevFile.Type

/** The file of the last start, so that ids and keys stay; undefined when it is missing or not of this shape. */
export const readDevFile = Effect.fn("DevFile.read")(function* (dataDir: string) {
  const text = yield* readIfThere(join(dataDir, "dev.json"))
  return text === undefined ? undefined : Option.getOrUndefined(decode(text))
})

/** Where the file of a data directory is. */
export const devFilePath = (dataDir: string): string => resolve(dataDir, "dev.json")

/** Replaces `<data dir>/dev.json` in one step, readable by its owner only (mode 0600). Boot contract, Ready */
export const writeDevFile = Effect.fn("DevFile.write")(function* (dataDir: string, file: DevFile) {
  const folder = yield* ensureDataDir(dataDir)
  yield* writePrivateFile(join(folder, "dev.json"), `${JSON.stringify(encode(file), null, 2)}\n`)
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(DevFile))
const encode = Schema.encodeSync(DevFile)
