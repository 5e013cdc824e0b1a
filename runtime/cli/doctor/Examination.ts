import { existsSync } from "node:fs"
import { join } from "node:path"
import { shardsPerGroup } from "@carteiro/owners/Cluster.ts"
import { clockDifference, toleranceMillis } from "@carteiro/owners/DatabaseClock.ts"
import { BlobStore } from "@carteiro/provider/BlobStore.ts"
import { servingLimits } from "@carteiro/tables/ConnectionLimits.ts"
import { withinPatience } from "@carteiro/tables/Deadline.ts"
import { migrationStatus } from "@carteiro/tables/Migrations.ts"
import { serverUrls } from "@carteiro/tables/ServerUrls.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { failureText, sqlErrorsOf } from "@carteiro/tables/SqlFailure.ts"
import { type Cause, Clock, Effect, Redacted } from "effect"
import { activityIsElsewhere } from "../../activity/Operator.ts"
import { provePaymentKeys, proveVoiceKeys } from "../../app/CredentialProofs.ts"
import { dueOwners, storeOf } from "../../app/Fold.ts"
import { reachVendors } from "../../app/Reachability.ts"
import { compareReplica, openDatabase, tellDatabase } from "../../boot/Database.ts"
import { databaseOf, lookAtPoolers, sessionsOf } from "../../boot/Poolers.ts"
import { readSettings, type SettingsValues } from "../../boot/Settings.ts"
import { readRunnerTls } from "../../boot/settings/RunnerTls.ts"
import packageJson from "../../package.json" with { type: "json" }
import { certificateFindings, withoutCertificate } from "./CertificateFindings.ts"
import { clockFindings, runnerFindings } from "./ClusterFindings.ts"
import { credentialFinding } from "./CredentialFindings.ts"
import {
  activityFinding,
  bloatFindings,
  indexFindings,
  manyDead,
  replicaFindings,
  serverFindings,
  sessionFindings,
  slotFindings
} from "./DatabaseFindings.ts"
import { elsewhere, lookAtDisk } from "./DiskFindings.ts"
import { dueFindings } from "./DueFindings.ts"
import { expectedIndexes } from "./ExpectedIndexes.ts"
import { type Finding, type Judgement, listed, unknown, well, wrong } from "./Finding.ts"
import * as Installation from "./InstallationRepo.ts"
import { numberSettingsFindings } from "./NumberFindings.ts"
import { poolerFindings } from "./PoolerFindings.ts"
import { checked } from "./Probe.ts"
import { schemaFindings } from "./SchemaFindings.ts"
import { namedServerFindings } from "./ServerFindings.ts"
import { settingsFindings } from "./SettingsFindings.ts"

/** Transactions of this age are told of, and waits for locks of the second; milliseconds. */
const longTransactionMs = 600_000
const longWaitMs = 5000

/**
 * Looks at everything that an installation stands on, and writes nothing: settings, versions, schema, clock, runners,
 * sessions, indexes, dead rows, due work, files, vendors, certificates and disks. Each check has a deadline of its own,
 * so that one that hangs hides no other. gaps-1 A "Health endpoints"
 */
export const examine: Effect.Effect<ReadonlyArray<Finding>> = Effect.gen(function* () {
  const read = yield* Effect.result(readSettings)
  if (read._tag === "Failure") {
    const remedy = "Correct it (npm start -- --help lists all settings), and look again: nothing else was looked at."
    return [{ check: "settings", ...wrong(read.failure.message, remedy) }]
  }
  const settings = read.success
  const beside = yield* Effect.all(
    [
      checked(
        "settings",
        Effect.sync(() => settingsFindings(settings))
      ),
      checked(
        "versions",
        Effect.sync(() => [versions])
      ),
      checked("certificates", certificates(settings)),
      checked("files", files(settings)),
      checked("vendors", vendors(settings)),
      checked(
        "credentials",
        Effect.map(provePaymentKeys(settings), (proofs) => proofs.map(credentialFinding))
      ),
      checked("servers", servers(settings)),
      checked("pooler", poolers(settings)),
      checked("vendor keys", vendorKeys(settings))
    ],
    { concurrency: "unbounded" }
  )
  return [...beside.flat(), ...(yield* ofDatabase(settings))]
})

/** Proves the keys of speech and numbers, and looks at what their drivers need beside them. */
const vendorKeys = (settings: SettingsValues) =>
  Effect.map(proveVoiceKeys(settings), (proofs) => [
    ...proofs.map(credentialFinding),
    ...numberSettingsFindings(settings)
  ])

const versions: Judgement =
  Number.parseInt(process.versions.node, 10) < 24
    ? wrong(
        `Node.js ${process.versions.node} is older than version 24.`,
        "Run npm ci, and start the product by its npm scripts."
      )
    : well(`Carteiro ${packageJson.version} on Node.js ${process.versions.node}.`)

const certificates = ({ role, runnerHost, runnerTlsCa, runnerTlsCert, runnerTlsKey }: SettingsValues) =>
  Effect.gen(function* () {
    const tls = yield* Effect.result(readRunnerTls({ cert: runnerTlsCert, key: runnerTlsKey, ca: runnerTlsCa }))
    if (tls._tag === "Failure") return [wrong(tls.failure.message, "Let the user that the node runs as read them.")]
    if (tls.success === undefined) return withoutCertificate
    const { ca, cert, key } = tls.success
    const host = role === "edge" ? undefined : runnerHost
    return certificateFindings({ ca, cert, key: Redacted.value(key), host }, yield* Clock.currentTimeMillis)
  })

/** Sorts behind every key, so that listing from there finds nothing. */
const behindAllKeys = "~"

const files = (settings: SettingsValues): Effect.Effect<ReadonlyArray<Judgement>> => {
  if (settings.blobStore === "local") {
    return Effect.map(lookAtDisk("the files in CARTEIRO_DATA_DIR", settings.dataDir), (disk) => [disk])
  }
  return Effect.flatMap(BlobStore, (store) => store.list(behindAllKeys, 1)).pipe(
    Effect.as([well(`The bucket ${settings.blobS3Bucket} answers.`)]),
    Effect.catch(({ reason }) =>
      Effect.succeed([
        wrong(
          `The bucket ${settings.blobS3Bucket} does not answer: ${reason}. Media wait.`,
          "See that CARTEIRO_BLOB_S3_ENDPOINT, _BUCKET, _REGION and the keys are right, and that this machine reaches it."
        )
      ])
    ),
    Effect.provide(storeOf(settings))
  )
}

const vendors = (settings: SettingsValues) =>
  Effect.map(reachVendors(settings), (reached): ReadonlyArray<Judgement> => {
    const silent = reached.filter(({ answers }) => !answers)
    const named = reached.map(({ host }) => host)
    if (silent.length === 0) {
      return [well(named.length === 0 ? "No address of a vendor is set." : `All vendors answer: ${listed(named)}.`)]
    }
    return silent.map(({ host, setting }) =>
      wrong(
        `Nothing answers at ${host} (${setting}): what goes there waits.`,
        "See that the address is right, and that this machine may call it: name service, firewall, proxy."
      )
    )
  })

/** Looks at each server of a `DATABASE_URL` that names several; nodes find the primary among them. */
const servers = ({ databaseUrl }: SettingsValues) =>
  Effect.gen(function* () {
    const urls = databaseUrl === undefined ? [] : (serverUrls(Redacted.value(databaseUrl)) ?? [])
    if (urls.length < 2) return []
    const named = urls.map((url) =>
      Effect.map(Effect.exit(standingOf(url)), (asked) => ({
        host: new URL(url).host,
        stands: asked._tag === "Failure" ? reasonOf(asked.cause) : (asked.value ?? "it tells nothing of itself")
      }))
    )
    return namedServerFindings(yield* Effect.all(named, { concurrency: "unbounded" }))
  })

/** Looks for a pooler that breaks promises, or is too small for a node of these settings. */
const poolers = (settings: SettingsValues) =>
  Effect.gen(function* () {
    if (settings.databaseUrl === undefined) return []
    const url = Redacted.value(settings.databaseUrl)
    // The check of the database tells of servers that do not answer.
    const seen = yield* Effect.orElseSucceed(lookAtPoolers(url, "carteiro-doctor"), () => [])
    return poolerFindings(seen, sessionsOf(settings), databaseOf(url))
  })

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const [failed] = sqlErrorsOf(cause)
  return failed === undefined ? "the look at it failed" : failureText(failed)
}

const standingOf = (url: string) =>
  withinPatience(
    Effect.provide(
      Effect.flatMap(databaseNow, Installation.standing),
      Sql.layer(url, { applicationName: "carteiro-doctor", maxConnections: 1, limits: servingLimits, readOnly: true })
    ),
    servingLimits.statementMs
  )

const ofDatabase = (settings: SettingsValues): Effect.Effect<ReadonlyArray<Finding>> => {
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, "postgres.json"))) {
    const none = `No database was made in ${settings.dataDir} yet.`
    return Effect.succeed([{ check: "database", ...wrong(none, "Run npm start, or set DATABASE_URL.") }])
  }
  return Effect.gen(function* () {
    const database = yield* openDatabase(settings, true)
    const asked = Effect.andThen(Installation.answers, lookInside(settings, database.url))
    const connection = Sql.layer(database.url, {
      applicationName: "carteiro-doctor",
      maxConnections: 2,
      limits: servingLimits,
      readOnly: true
    })
    return yield* tellDatabase(database, Effect.provide(asked, connection))
  }).pipe(
    Effect.scoped,
    Effect.catchCause((cause) => {
      const [problem] = cause.reasons
      const message = problem?._tag === "Fail" ? problem.error.message : "The database could not be looked at."
      return Effect.succeed([{ check: "database", ...wrong(message, "Nodes go on by themselves once it is back.") }])
    })
  )
}

/** Looks at the database over one connection that writes nothing. */
const lookInside = (settings: SettingsValues, url: string) =>
  Effect.gen(function* () {
    const clock = yield* checked(
      "clock",
      Effect.map(clockDifference, (found) => [clockFindings({ ...found, toleranceMillis })])
    )
    const schema = yield* checked("schema", Effect.map(migrationStatus(), schemaFindings))
    const general = yield* Effect.all([
      checked("database", server),
      checked("sessions", sessions),
      checked("bloat", bloat),
      checked("replication", Effect.map(Installation.idleSlots, slotFindings))
    ])
    const replica = yield* checked("replica", replicaOf(settings, url))
    const isCurrent = schema.every(({ status }) => status === "ok")
    const own = isCurrent ? yield* ofSchema : ["indexes", "runners", "activity", "due work"].map(leftOut)
    return [...clock, ...schema, ...general.flat(), ...replica, ...own, ...(yield* checked("disk", disk(settings)))]
  })

const replicaOf = ({ readDatabaseUrl }: SettingsValues, url: string) =>
  readDatabaseUrl === undefined
    ? Effect.succeed([well("No replica is set: lists are read from DATABASE_URL.")])
    : Effect.map(compareReplica(url, readDatabaseUrl, "carteiro-doctor"), (found) =>
        found._tag === "Failure"
          ? replicaFindings(failureText(found.failure), 0)
          : replicaFindings(found.success.problem, found.success.position - found.success.replayed)
      )

const leftOut = (check: string): Finding => ({
  check,
  ...unknown("Not looked at while the schema is not this release's.", "Bring the schema up to date, and look again.")
})

/** The checks that need the schema of this release. */
const ofSchema = Effect.suspend(() =>
  Effect.map(
    Effect.all([
      checked(
        "indexes",
        Effect.map(Installation.indexes, (found) => indexFindings(found, expectedIndexes()))
      ),
      checked(
        "runners",
        Effect.map(Installation.runners, (found) => runnerFindings(found, shardsPerGroup))
      ),
      checked(
        "activity",
        Effect.map(activityIsElsewhere, (isElsewhere) => [activityFinding(isElsewhere)])
      ),
      checked(
        "due work",
        Effect.flatMap(dueOwners, (kinds) => Effect.flatMap(databaseNow, (now) => dueFindings(kinds, now)))
      )
    ]),
    (found) => found.flat()
  )
)

/** The database's time by this machine's clock, which may be off. */
const databaseNow = Effect.gen(function* () {
  return Math.round((yield* Clock.currentTimeMillis) + (yield* clockDifference).aheadMillis)
})

const server = Effect.map(Installation.serverFacts, (facts) => (facts === undefined ? [] : serverFindings(facts)))

const sessions = Effect.gen(function* () {
  const now = yield* databaseNow
  const open = yield* Installation.openTransactions(now, now - longTransactionMs)
  return sessionFindings(open, yield* Installation.lockWaits(now, now - longWaitMs))
})

const bloat = Effect.gen(function* () {
  const facts = yield* Installation.serverFacts
  return bloatFindings(yield* Installation.untidyTables(manyDead), facts?.autovacuum ?? true)
})

const disk = (settings: SettingsValues) =>
  Effect.gen(function* () {
    const facts = yield* Installation.serverFacts
    const folder = facts?.is_local === true || settings.databaseUrl === undefined ? facts?.data_directory : undefined
    return [folder ? yield* lookAtDisk("the database", folder) : elsewhere("the database")]
  })
