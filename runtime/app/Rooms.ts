import { Effect, Layer } from "effect"
import * as Access from "../access/Access.ts"
import type { SettingsValues } from "../boot/Settings.ts"
import * as Dashboard from "../dashboard/Dashboard.ts"
import * as Feedback from "../feedback/Feedback.ts"
import * as Messages from "../messages/Messages.ts"
import * as Openapi from "../openapi/Openapi.ts"
import * as PhoneNumbers from "../phone-numbers/PhoneNumbers.ts"
import { HealthRoutes } from "../platform/admin/HealthRoutes.ts"
import { CommitFollowers } from "../platform/commit/Commit.ts"
import { NameResolver } from "../platform/outbound/NameResolver.ts"
import { Outbound } from "../platform/outbound/Outbound.ts"
import { platformJobs } from "../platform/owner/schedule/PlatformJobs.ts"
import { layerSweeper } from "../platform/owner/schedule/Sweeper.ts"
import { EnvironmentCreated } from "../platform/tenancy/EnvironmentCreated.ts"
import * as Projects from "../projects/Projects.ts"
import * as Sandbox from "../sandbox/Sandbox.ts"
import * as Webhooks from "../webhooks/Webhooks.ts"

/** What the rooms are told by settings, and what they hang behind each other's commits. */
export const roomSettings = (settings: SettingsValues) =>
  Layer.mergeAll(
    Layer.succeed(CommitFollowers, Webhooks.followers),
    Layer.succeed(Webhooks.DeliverySettings, {
      schedules: { production: settings.webhookRetryProduction, sandbox: settings.webhookRetrySandbox },
      connectTimeoutMs: 5_000,
      totalTimeoutMs: 15_000
    }),
    Layer.succeed(Messages.SandboxUnitMs, settings.sandboxStatusDelayMs)
  )

/** What a new environment is given, and what others may ask about one. */
export const tenancy = Layer.merge(
  Layer.effect(
    EnvironmentCreated,
    Effect.map(PhoneNumbers.seedNumbers, (numbers) => [numbers])
  ),
  PhoneNumbers.activeSenders
)

/** What calls the outside world. */
export const outbound = (settings: SettingsValues) =>
  Outbound.layer({ allowlist: settings.webhookTargetAllowlist }).pipe(Layer.provide(NameResolver.layer))

/** Content that number management holds back is not sent again either. */
const heldContent = Layer.effect(Webhooks.SuspendedContent, Messages.suspendedContent)

/** Routes and services, for nodes that answer HTTP. */
export const rooms = Layer.mergeAll(Messages.layer, Sandbox.layer, Openapi.layer, HealthRoutes, Dashboard.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(Projects.layer, Feedback.layer, Webhooks.layer.pipe(Layer.provide(heldContent)))),
  Layer.provideMerge(Layer.merge(Access.layer, PhoneNumbers.layer))
)

/** Wakes owners whose work is due, forgets what is past its time, and tells how much waits. */
const sweeper = Layer.unwrap(
  Effect.map(Webhooks.due, (deliveries) =>
    layerSweeper({
      due: [Messages.due, deliveries],
      jobs: [...platformJobs, ...Access.jobs, ...Dashboard.jobs, ...Feedback.jobs, ...Webhooks.jobs],
      gauges: [...Messages.gauges, ...Webhooks.gauges]
    })
  )
)

/** Owner types and what keeps them awake, for nodes that hold shards. */
export const owners = Layer.provideMerge(
  sweeper,
  Layer.mergeAll(Access.ownersLayer, Messages.ownersLayer, Webhooks.ownersLayer)
)
