import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { layer as databaseClock } from "@carteiro/owners/DatabaseClock.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect, Layer, type Redacted } from "effect"
import { outbound, roomAnswers, roomServices, roomSettings } from "../../app/Fold.ts"
import { bringUpToDate, openDatabase } from "../../boot/Database.ts"
import { readDevFile } from "../../boot/DevFile.ts"
import { masterKeys } from "../../boot/MasterKey.ts"
import { readSettings, readSome, type SettingsValues } from "../../boot/Settings.ts"
import { connectionLimits } from "../../boot/settings/DatabaseSettings.ts"
import { besideSimulators } from "../../boot/simulators/Simulators.ts"
import { contractRefusals } from "../../room/EngineTypes.ts"

const storage = (settings: SettingsValues, url: string, keys: Redacted.Redacted<MasterKeys>) =>
  commitLayer.pipe(
    Layer.provideMerge(Layer.mergeAll(Ids.layer, Secrets.layer(keys), contractRefusals)),
    Layer.provideMerge(databaseClock),
    Layer.provideMerge(
      Sql.layer(url, { applicationName: "carteiro-cli", maxConnections: 4, limits: connectionLimits(settings) })
    )
  )

/**
 * Everything of a node but its listener and its owners, by the same settings: the database of DATABASE_URL, or the one
 * in the data directory, whether a node runs on it or not. The schema is brought up to date first.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const named = yield* readSettings
    const keys = yield* masterKeys(named)
    const running = yield* runningNode
    const settings = running === undefined ? named : besideSimulators(named, keys, running.simulators)
    const database = yield* openDatabase(settings, true)
    yield* bringUpToDate(database, settings)
    const publicUrl = yield* linkBase
    return roomServices.pipe(
      Layer.provideMerge(Layer.merge(roomAnswers, outbound(settings))),
      Layer.provideMerge(storage(settings, database.url, keys)),
      Layer.provideMerge(roomSettings(settings)),
      Layer.provideMerge(Layer.succeed(PublicUrl, () => publicUrl))
    )
  })
)

/** Returns the dev.json of the node that runs on this data directory, in development. */
const runningNode = Effect.gen(function* () {
  const { dataDir, mode } = yield* readSome("dataDir", "mode")
  return mode === "development" ? yield* readDevFile(dataDir) : undefined
})

/** Returns the base of links: of the settings, else of the node that runs on this data directory. */
const linkBase = Effect.gen(function* () {
  const named = (yield* readSome("publicUrl")).publicUrl
  if (named !== undefined) return named
  return (yield* runningNode)?.base_url ?? (yield* readSettings).publicUrl ?? "http://127.0.0.1:8080"
})
