import { Draining, HttpServer } from "@carteiro/http-edge/Listener.ts"
import { HealthChecks, worstOf } from "@carteiro/owners/HealthChecks.ts"
import { keyedDriverOf } from "@carteiro/provider/payments/PixProvider.ts"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { CurrentStart } from "@carteiro/tables/StartPatience.ts"
import { Effect, Layer, type Redacted, Ref, Schedule } from "effect"
import { AdminServer } from "../admin/AdminServer.ts"
import type { Announcement } from "../boot/Announcement.ts"
import type { DevFile } from "../boot/DevFile.ts"
import { giveBackAtRest, giveBackStartMemory } from "../boot/NodeMemory.ts"
import type { Supervised } from "../boot/processes/Supervised.ts"
import { seed } from "../boot/Seed.ts"
import type { SettingsValues } from "../boot/Settings.ts"
import type { StartRefused } from "../boot/StartRefused.ts"
import { pixprov2Demo } from "../boot/simulators/PixSimulators.ts"
import type { RunningSimulators } from "../boot/simulators/Simulators.ts"
import { speechDemo } from "../boot/simulators/SpeechSimulators.ts"
import { upstreamDemo } from "../boot/simulators/UpstreamSimulator.ts"

const awaitHealthy = Effect.gen(function* () {
  const health = yield* HealthChecks
  yield* Effect.retry(
    Effect.flatMap(health.run(), (results) => (worstOf(results) === "failed" ? Effect.fail("not ready") : Effect.void)),
    Schedule.spaced("50 millis")
  ).pipe(Effect.orDie)
})

/** How a node comes to be ready, and how it tells. */
export interface ReadyOptions {
  readonly settings: SettingsValues
  /** The address of the database as other programs on this machine would write it. */
  readonly shownDatabaseUrl: string
  /** The master keys that its secrets are derived from. */
  readonly keys: Redacted.Redacted<MasterKeys>
  readonly simulators: Pick<RunningSimulators, "members">
  /** Told once the node takes requests. */
  readonly announce: (announcement: Announcement) => Effect.Effect<void, StartRefused>
  /** Set in one of several equal processes. */
  readonly supervised: Supervised | undefined
}

const tell = Effect.fnUntraced(function* ({ announce }: ReadyOptions, announcement: Announcement) {
  yield* giveBackStartMemory
  // From here on callers wait, who have less patience.
  const start = yield* CurrentStart
  start?.end()
  yield* announce(announcement)
  yield* giveBackAtRest
})

/** A node that answers HTTP; in development, role `all`, it is ready after the seed. Boot contract, "Ready" */
export const readyToAnswer = (options: ReadyOptions, publicUrl: Ref.Ref<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { settings, supervised } = options
      const server = yield* HttpServer
      const { url: adminUrl } = yield* AdminServer
      const url = settings.publicUrl ?? `http://${server.host}:${server.port}`
      yield* Ref.set(publicUrl, url)
      yield* awaitHealthy
      const demonstrates = settings.mode === "development" && settings.role === "all" && supervised?.seeds !== false
      const demo = demonstrates ? yield* demonstration(options, url, adminUrl) : undefined
      yield* tell(options, { url, localUrl: listening(server), adminUrl, demo })
    })
  )

const demonstration = Effect.fnUntraced(function* (
  { keys, settings, shownDatabaseUrl, simulators }: ReadyOptions,
  url: string,
  adminUrl: string
) {
  const { members, phone, pixprov2ConnectionId } = yield* seed(settings.dataDir, {
    upstream: upstreamDemo(keys),
    speech: speechDemo(settings),
    pixprov2: { ...pixprov2Demo(keys), driver: keyedDriverOf(settings.pixprov2Driver) }
  })
  const file: DevFile = {
    base_url: url,
    ...members,
    simulators: { ...simulators.members, pixprov2_connection_id: pixprov2ConnectionId },
    database_url: shownDatabaseUrl,
    admin_url: adminUrl
  }
  return { file, phone }
})

/**
 * A node that only owns; it is reached at its admin port. It has no listener that would begin the drain when it stops,
 * and the long polls at its owners end with that. Boot contract, "Stopping"
 */
export const readyToOwn = (options: ReadyOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const draining = yield* Draining
      yield* Effect.addFinalizer(() => draining.begin)
      yield* awaitHealthy
      const { url } = yield* AdminServer
      yield* tell(options, { url, localUrl: url, adminUrl: url, demo: undefined })
    })
  )

/** Where this machine reaches the listener, whatever its public name is. */
const listening = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`
