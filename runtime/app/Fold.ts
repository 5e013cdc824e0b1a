import { join } from "node:path"
import { Downloads } from "@carteiro/outbound/Downloads.ts"
import { NameResolver } from "@carteiro/outbound/NameResolver.ts"
import { Outbound } from "@carteiro/outbound/Outbound.ts"
import { CommitFollowers } from "@carteiro/owners/Commit.ts"
import { layerSweeper, platformJobs } from "@carteiro/owners/DueWork.ts"
import { MailSender } from "@carteiro/provider/MailSender.ts"
import { diskBlobs } from "@carteiro/provider-disk/DiskBlobs.ts"
import { makeSpoolMail } from "@carteiro/provider-mail/SpoolMail.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { HealthRoutes } from "../admin/HealthRoutes.ts"
import { HostedActs } from "../billing/Billing.ts"
import { actCallers } from "../billing/room.ts"
import type { SettingsValues } from "../boot/Settings.ts"
import { Erasers } from "../erasure/Erasers.ts"
import { mailJob } from "../mail/MailRepo.ts"
import { dueMail, mailOwners } from "../mail/MailWorker.ts"
import { outwardMail } from "../mail/OutwardMail.ts"
import { watchedStore } from "../media/room.ts"
import { EventRenderers } from "../outbox/EventRenderers.ts"
import { OutwardKinds } from "../restore/RestoreRepo.ts"
import {
  actsOf,
  environmentOf,
  erasersOf,
  followersOf,
  mergeRooms,
  type Room,
  renderersOf,
  stackRooms
} from "../room/Room.ts"
import { databaseGauges } from "../telemetry/DatabaseGaugesRepo.ts"
import { EnvironmentCreated } from "../tenancy/EnvironmentCreated.ts"
import { type DueThing, SandboxDue, SandboxUpkeep } from "../tenancy/SandboxDue.ts"
import { inboxBodiesJob, inboxJob } from "../vendor-webhooks/InboxRepo.ts"
import { adapters } from "./Adapters.ts"
import { rooms } from "./Rooms.ts"

/** The rooms, typed by the settings that they read: a room that reads one that does not exist does not compile. */
const typedRooms: ReadonlyArray<Room<SettingsValues>> = rooms

/** References that the settings make for the rooms, followers of each other's commits, and the vendors they reach. */
export const roomSettings = (settings: SettingsValues): Layer.Layer<never> =>
  typedRooms.reduce(
    (merged, room) => (room.settings === undefined ? merged : Layer.merge(merged, room.settings(settings))),
    Layer.merge(Layer.succeed(CommitFollowers, followersOf(rooms)), adapters(settings)) as Layer.Layer<never>
  )

/** Rows of a new environment, answers to references, renderers of events, and erasers, of all rooms. */
export const roomAnswers = Layer.mergeAll(
  Layer.effect(EnvironmentCreated, environmentOf(rooms)),
  Layer.effect(EventRenderers, renderersOf(rooms)),
  Layer.effect(Erasers, erasersOf(rooms)),
  mergeRooms(rooms, "answers")
)

/** Clients of the outside world. */
export const outbound = (settings: SettingsValues) =>
  Layer.mergeAll(
    Outbound.layer({ allowlist: settings.webhookTargetAllowlist }),
    Downloads.layer({ allowlist: settings.webhookTargetAllowlist })
  ).pipe(Layer.provide(NameResolver.layer))

/** Where media bytes are, watched for operators. Boot contract, "Settings" */
export const blobStore = (settings: SettingsValues) => Layer.provide(watchedStore, storeOf(settings))

/** The store of media bytes without a watch over it, for a command that asks it once. */
export const storeOf = (settings: SettingsValues) => {
  const { blobS3AccessKey, blobS3Bucket, blobS3Endpoint, blobS3Region, blobS3SecretKey, blobStore, dataDir } = settings
  if (blobStore === "local" || !blobS3Bucket || !blobS3AccessKey || !blobS3SecretKey) {
    return diskBlobs(join(dataDir, "blobs"))
  }
  const options = {
    endpoint: blobS3Endpoint,
    bucket: blobS3Bucket,
    region: blobS3Region ?? "us-east-1",
    accessKey: blobS3AccessKey,
    secretKey: blobS3SecretKey
  }
  // The vendor's client is loaded where a node uses it: it is a tenth of a second of the start.
  const loaded = Effect.promise(() => import("@carteiro/provider-s3/S3Blobs.ts"))
  return Layer.unwrap(Effect.map(loaded, ({ s3Blobs }) => s3Blobs(options)))
}

/** Where e-mails go; production always has a mail server. Boot contract, "Settings" */
export const mail = ({ dataDir, mailFrom = "Carteiro <no-reply@localhost>", smtpUrl }: SettingsValues) =>
  smtpUrl === undefined
    ? Layer.succeed(MailSender, makeSpoolMail({ folder: join(dataDir, "mail"), from: mailFrom }))
    : Layer.effect(
        MailSender,
        Effect.map(
          Effect.promise(() => import("@carteiro/provider-mail/SmtpMail.ts")),
          ({ makeSmtpMail }) => makeSmtpMail({ url: smtpUrl, from: mailFrom })
        )
      )

/** Services that rooms and the operator's commands call, without a cluster. */
export const roomServices = stackRooms(rooms, "services")

/** How rooms call acts of accounts, on every node that has a cluster. */
const acts = actsOf(rooms)
const callers = actCallers(acts)

/** Finds the due instants that a turned clock stops at. */
const sandboxDue = Layer.effect(
  SandboxDue,
  Effect.gen(function* () {
    const due = yield* Effect.all(typedRooms.flatMap(({ due = [] }) => due))
    const sql = yield* SqlClient.SqlClient
    const text = due
      .flatMap(({ ofTenant, type }) =>
        ofTenant === undefined ? [] : [`select '${type}' as type, s.id, s.due_at from (${ofTenant}) s`]
      )
      .join(" union all ")
    return (environmentId: string) => many(sql.unsafe<DueThing>(text, [environmentId]))
  })
)

/** Runs the jobs that follow the time of a sandbox. */
const sandboxUpkeep = Layer.effect(
  SandboxUpkeep,
  Effect.map(SqlClient.SqlClient, (sql) => (environmentId: string, now: number) => {
    const runs = typedRooms.flatMap(({ jobs = [] }) =>
      jobs.flatMap(({ ofTenant }) => ofTenant?.(environmentId, now) ?? [])
    )
    return Effect.provideService(Effect.all(runs, { discard: true }), SqlClient.SqlClient, sql)
  })
)

/** Work that leaves the installation, of all rooms, for the operator's command that holds it after a restore. */
export const outwardKinds = Layer.succeed(OutwardKinds, [
  outwardMail,
  ...typedRooms.flatMap(({ outward = [] }) => outward)
])

/** Routes and pages, for nodes that answer HTTP. */
export const roomRoutes = Layer.mergeAll(HealthRoutes, mergeRooms(rooms, "routes"), mergeRooms(rooms, "pages")).pipe(
  Layer.provideMerge(stackRooms(rooms, "actions")),
  Layer.provide([callers, sandboxDue]),
  Layer.provideMerge(roomServices)
)

/** How owners with something due are found, one way a kind of owner, in all rooms. */
export const dueOwners = Effect.map(Effect.all(typedRooms.flatMap(({ due = [] }) => due)), (due) => [...due, dueMail])

/** Tasks that run now and then on one node, of all rooms and of the packages. */
export const jobs = [...platformJobs, inboxJob, inboxBodiesJob, mailJob, ...typedRooms.flatMap(({ jobs = [] }) => jobs)]

/** Gauges over tables, of all rooms and of the database. */
export const gauges = [...databaseGauges, ...typedRooms.flatMap(({ gauges = [] }) => gauges)]

/** Wakes owners whose work is due, runs what is done now and then, and tells how much waits. */
const sweeper = Layer.unwrap(Effect.map(dueOwners, (due) => layerSweeper({ due, jobs, gauges })))

/** Owner types, for nodes that hold shards. */
export const ownerTypes = mergeRooms(rooms, "owners").pipe(
  Layer.provide([HostedActs.layer(acts), callers, sandboxDue, sandboxUpkeep]),
  Layer.provide(roomServices),
  Layer.merge(mailOwners)
)

/** Owner types and what keeps them awake. */
export const roomOwners = Layer.provideMerge(sweeper, ownerTypes)
