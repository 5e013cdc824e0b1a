import { Draining, HttpServer } from "@carteiro/http-edge/Listener.ts"
import { HealthChecks, worstOf } from "@carteiro/owners/HealthChecks.ts"
import type { MasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Effect, Layer, type Redacted, Ref, Schedule } from "effect"
import { AdminServer } from "../admin/AdminServer.ts"
import { showBanner } from "../boot/Banner.ts"
import { type DevFile, devFilePath, writeDevFile } from "../boot/DevFile.ts"
import { seed } from "../boot/Seed.ts"
import type { SettingsValues } from "../boot/Settings.ts"
import { giveBackStartMemory } from "../boot/StartMemory.ts"
import { pixprov2Demo } from "../boot/simulators/PixSimulators.ts"
import type { RunningSimulators } from "../boot/simulators/Simulators.ts"
import { speechDemo } from "../boot/simulators/SpeechSimulators.ts"
import { upstreamDemo } from "../boot/simulators/UpstreamSimulator.ts"
import packageJson from "../package.json" with { type: "json" }

const { version } = packageJson

const awaitHealthy = Effect.gen(function* () {
  const health = yield* HealthChecks
  yield* Effect.retry(
    Effect.flatMap(health.run(), (results) => (worstOf(results) === "failed" ? Effect.fail("not ready") : Effect.void)),
    Schedule.spaced("50 millis")
  ).pipe(Effect.orDie)
})

const say = Effect.fnUntraced(function* (url: string, tellPeople: (adminUrl: string) => void = () => {}) {
  const admin = yield* AdminServer
  yield* giveBackStartMemory
  yield* Effect.logInfo("ready", { url, admin: admin.url })
  yield* Effect.sync(() => {
    tellPeople(admin.url)
    process.stdout.write(`ready ${url}\n`)
  })
})

/** What such a node tells of itself. */
interface AnsweringOptions {
  readonly settings: SettingsValues
  readonly shownDatabaseUrl: string
  readonly keys: Redacted.Redacted<MasterKeys>
  readonly simulators: Pick<RunningSimulators, "members" | "tell">
}

/** The line of a node that answers HTTP; in development, role `all`, after the seed and dev.json. Boot contract, "Ready" */
export const readyToAnswer = (
  { keys, settings, shownDatabaseUrl, simulators }: AnsweringOptions,
  publicUrl: Ref.Ref<string>
) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* HttpServer
      const admin = yield* AdminServer
      const url = settings.publicUrl ?? `http://${server.host}:${server.port}`
      yield* Ref.set(publicUrl, url)
      yield* awaitHealthy
      const demonstrates = settings.mode === "development" && settings.role === "all"
      const seeded = demonstrates
        ? yield* seed(settings.dataDir, {
            upstream: upstreamDemo(keys),
            speech: speechDemo(settings),
            pixprov2: pixprov2Demo(keys)
          })
        : undefined
      const file: DevFile | undefined =
        seeded === undefined
          ? undefined
          : {
              base_url: url,
              ...seeded.members,
              simulators: { ...simulators.members, pixprov2_connection_id: seeded.pixprov2ConnectionId },
              database_url: shownDatabaseUrl,
              admin_url: admin.url
            }
      if (file !== undefined) yield* writeDevFile(settings.dataDir, file)
      if (seeded !== undefined)
        yield* Effect.sync(() =>
          simulators.tell({
            baseUrl: listening(server),
            phone: seeded.phone,
            pixprov2ConnectionId: seeded.pixprov2ConnectionId
          })
        )
      const demo = file && { file, path: devFilePath(settings.dataDir) }
      yield* say(url, (adminUrl) => showBanner({ version, baseUrl: url, adminUrl, demo }))
    })
  )

/**
 * The line of a node that only owns; it is reached at its admin port. It has no listener that would begin the drain when
 * it stops, and the long polls at its owners end with that. Boot contract, "Stopping"
 */
export const readyToOwn = Layer.effectDiscard(
  Effect.gen(function* () {
    const draining = yield* Draining
    yield* Effect.addFinalizer(() => draining.begin)
    yield* awaitHealthy
    yield* say((yield* AdminServer).url)
  })
)

/** Where this machine reaches the listener, whatever its public name is. */
const listening = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `http://${host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host}:${port}`
