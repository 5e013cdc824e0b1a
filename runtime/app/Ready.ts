import { Effect, Layer, Ref, Schedule } from "effect"
import { showBanner } from "../boot/Banner.ts"
import { type DevFile, devFilePath, noSimulators, writeDevFile } from "../boot/DevFile.ts"
import { seed } from "../boot/Seed.ts"
import type { SettingsValues } from "../boot/Settings.ts"
import { giveBackStartMemory } from "../boot/StartMemory.ts"
import packageJson from "../package.json" with { type: "json" }
import { AdminServer } from "../platform/admin/AdminServer.ts"
import { allOk, HealthChecks } from "../platform/health/HealthChecks.ts"
import { Draining } from "../platform/http/listener/Draining.ts"
import { HttpServer } from "../platform/http/listener/HttpServer.ts"

const { version } = packageJson

const awaitHealthy = Effect.gen(function* () {
  const health = yield* HealthChecks
  yield* Effect.retry(
    Effect.flatMap(health.run(), (results) => (allOk(results) ? Effect.void : Effect.fail("not ready"))),
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

/** The line of a node that answers HTTP; in development, role `all`, after the seed and dev.json. Boot contract, "Ready" */
export const readyToAnswer = (settings: SettingsValues, databaseUrl: string, publicUrl: Ref.Ref<string>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const server = yield* HttpServer
      const admin = yield* AdminServer
      const url = settings.publicUrl ?? `http://${server.host}:${server.port}`
      yield* Ref.set(publicUrl, url)
      yield* awaitHealthy
      const demonstrates = settings.mode === "development" && settings.role === "all"
      const file: DevFile | undefined = demonstrates
        ? {
            base_url: url,
            ...(yield* seed(settings.dataDir)),
            simulators: noSimulators,
            database_url: databaseUrl,
            admin_url: admin.url
          }
        : undefined
      if (file !== undefined) yield* writeDevFile(settings.dataDir, file)
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
