import { Layer } from "effect"
import * as Access from "./access/Access.ts"
import type { SettingsValues } from "./boot/Settings.ts"
import * as Feedback from "./feedback/Feedback.ts"
import * as Openapi from "./openapi/Openapi.ts"
import { CommitFollowers } from "./platform/commit/Commit.ts"
import { HealthRoutes } from "./platform/http/HealthRoutes.ts"
import { NameResolver } from "./platform/outbound/NameResolver.ts"
import { Outbound } from "./platform/outbound/Outbound.ts"
import * as Projects from "./projects/Projects.ts"
import * as Webhooks from "./webhooks/Webhooks.ts"

/** What the rooms are told by settings, and what they hang behind each other's commits. */
export const roomSettings = (settings: SettingsValues) =>
  Layer.mergeAll(
    Layer.succeed(CommitFollowers, Webhooks.followers),
    Layer.succeed(Webhooks.DeliverySettings, {
      schedules: { production: settings.webhookRetryProduction, sandbox: settings.webhookRetrySandbox },
      connectTimeoutMs: 5_000,
      totalTimeoutMs: 15_000
    })
  )

/** What calls the outside world. */
export const outbound = (settings: SettingsValues) =>
  Outbound.layer({ allowlist: settings.webhookTargetAllowlist }).pipe(Layer.provide(NameResolver.layer))

/** Routes and services, for nodes that answer HTTP. */
export const rooms = Layer.mergeAll(Projects.layer, Feedback.layer, Webhooks.layer, Openapi.layer, HealthRoutes).pipe(
  Layer.provideMerge(Access.layer)
)

/** Owner types, for nodes that hold shards. */
export const owners = Layer.mergeAll(Access.ownersLayer, Webhooks.ownersLayer)

/** What the rooms forget in time. */
export const jobs = [...Access.jobs, ...Feedback.jobs]
