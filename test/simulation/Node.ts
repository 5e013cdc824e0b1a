import { Draining } from "@carteiro/http-edge/Listener.ts"
import { Cursors } from "@carteiro/http-edge/Paging.ts"
import { Activations } from "@carteiro/owners/Cluster.ts"
import { CommitFollowers } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { OutboundBudget, PassesApart } from "@carteiro/owners/Queue.ts"
import { edgeAdmission } from "@carteiro/runtime/access/admission/EdgeAdmission.ts"
import { EnvironmentRepo } from "@carteiro/runtime/access/admission/EnvironmentRepo.ts"
import * as Access from "@carteiro/runtime/access/room.ts"
import * as Billing from "@carteiro/runtime/billing/Billing.ts"
import { correctionsLayer } from "@carteiro/runtime/billing/corrections/CorrectionsLayer.ts"
import { actCallers, room as billingRoom } from "@carteiro/runtime/billing/room.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { Outbox } from "@carteiro/runtime/outbox/Outbox.ts"
import * as Payments from "@carteiro/runtime/payments/room.ts"
import * as ProviderConnections from "@carteiro/runtime/provider-connections/ProviderConnections.ts"
import { readRateLimits } from "@carteiro/runtime/ratelimit/RateLimitsSetting.ts"
import { Rates } from "@carteiro/runtime/ratelimit/Rates.ts"
import { rateOf, standardRates } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { followersOf } from "@carteiro/runtime/room/Room.ts"
import { DeliverySettings } from "@carteiro/runtime/webhooks/delivery/DeliverySettings.ts"
import { room as webhooksRoom } from "@carteiro/runtime/webhooks/room.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { ReadPatience } from "@carteiro/tables/ConnectionLimits.ts"
import { Clock, type Context, Duration, Effect, Layer, Logger, Random, Redacted, Result } from "effect"
import { RunnerStorage } from "effect/cluster"
import type { SqlClient } from "effect/sql"
import { layerMemoryOver } from "../../packages/owners/cluster/Cluster.ts"
import { renting } from "../billing/Renting.ts"
import { testActs } from "../billing/TestActs.ts"
import type { Vendors } from "../billing/Vendors.ts"
import { makeSeeds } from "../faults/Seeds.ts"
import type { PixWorld } from "../payments/PixWorld.ts"
import { type Outside, outsideLayer } from "./Outside.ts"
import { layerStatements } from "./Statements.ts"
import { connectionLost, type Ways } from "./Ways.ts"
import { hour, minute, second } from "./World.ts"

/** What one number may do: a burst of twenty, and two a second. */
export const numberRate = rateOf(20, 2, "second")

const rates = {
  ...Result.getOrThrow(readRateLimits("off")),
  "phone_number.sandbox": { number: numberRate },
  "phone_number.production": { number: numberRate },
  listen_session_create: standardRates.listen_session_create
}

/** When deliveries are made again: as soon as the contract lets an installation choose. */
export const schedules = { production: [0, 5 * second, 5 * minute], sandbox: [0, 5 * second, 30 * second] }

/** What a node is made of. */
export interface NodeSetting {
  readonly database: { readonly sql: SqlClient.SqlClient; readonly clock: Clock.Clock }
  /** The turned clock, which outlives every node. */
  readonly time: Context.Context<never>
  readonly outside: Outside
  readonly ways: Ways
  readonly seed: string
  /** Whether the locks of all shards are this node's. */
  readonly holds: () => boolean
  /** Where accounts are charged; without them a node hosts no accounts. */
  readonly vendors?: Vendors | undefined
  /** Whom payments go through; without it a node hosts none. */
  readonly pix?: PixWorld | undefined
  /** Told of everything that is logged as an error, lost connections left out. */
  readonly complains: (message: string) => void
}

/** A node with every owner, over the database and the outside it reaches by its ways. */
export const layerNode = ({ complains, database, holds, outside, pix, seed, time, vendors, ways }: NodeSetting) => {
  const seeds = makeSeeds(seed)
  const context = Layer.mergeAll(commitLayer, Outbox.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        Activations.layer,
        OutboundBudget.layer(),
        contractRefusals,
        Ids.layerSeeded(seeds.between(0, 0x7fff_ffff)),
        Cursors.layer,
        Rates.layer(rates),
        Layer.succeed(CommitFollowers, followersOf([webhooksRoom, ...(vendors === undefined ? [] : [billingRoom])])),
        Layer.succeed(DeliverySettings, {
          schedules,
          connectTimeoutMs: 5 * second,
          totalTimeoutMs: 15 * second
        })
      )
    ),
    Layer.provideMerge(Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)]))),
    Layer.provideMerge(layerStatements(database, ways)),
    Layer.provideMerge(Layer.succeedContext(time)),
    // A node that stands still for long would find the database silent in real time, which no course knows of.
    Layer.provideMerge(Layer.succeed(ReadPatience, hour)),
    Layer.provideMerge(Layer.succeed(PassesApart, 0)),
    Layer.provideMerge(
      Layer.succeed(Random.Random, {
        nextIntUnsafe: () => seeds.between(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
        nextDoubleUnsafe: () => seeds.next()
      })
    ),
    Layer.provideMerge(Logger.layer([complaints(complains)]))
  )
  return Layer.merge(webhooksRoom.actions, edgeAdmission.pipe(Layer.provide(EnvironmentRepo.layer))).pipe(
    Layer.provideMerge(Layer.mergeAll(Access.room.owners, Messages.room.owners, webhooksRoom.owners)),
    Layer.provideMerge(pix === undefined ? Layer.empty : (payments(pix, ways) as Layer.Layer<never>)),
    Layer.provideMerge(vendors === undefined ? (Layer.empty as unknown as Accounts) : accounts(vendors, ways)),
    Layer.provideMerge(Layer.merge(outsideLayer(outside, ways), Draining.layer)),
    Layer.provideMerge(Layer.provide(layerMemoryOver(locksWhile(holds)), rarelyReaped)),
    Layer.provideMerge(context)
  )
}

/** Payments, and their provider as a node reaches it. */
const payments = (pix: PixWorld, ways: Ways) =>
  Payments.room.owners.pipe(
    Layer.provide(
      Layer.mergeAll(
        ProviderConnections.PaymentsConnections.layer,
        pix.layer((label) => ways.pass(label))
      )
    )
  )

/** Accounts, the months they are charged for, and the vendors as a node reaches them. */
const accounts = (vendors: Vendors, ways: Ways) =>
  Layer.mergeAll(
    billingRoom.owners.pipe(
      Layer.provide(vendors.layer((label) => ways.pass(label))),
      Layer.provide(Billing.HostedActs.layer(acts)),
      Layer.provide([Payments.room.services, ProviderConnections.PaymentsConnections.layer, Billing.FeeFacts.layer])
    ),
    actCallers(acts),
    renting
  ).pipe(Layer.provideMerge(Layer.mergeAll(correctionsLayer, Billing.MonthWorks.layer)))

/** The acts of payments, and bare holds. */
const acts = [...testActs, ...Payments.room.acts]
type Accounts = ReturnType<typeof accounts>

/** Everything of one node. */
export type NodeServices = Layer.Success<ReturnType<typeof layerNode>>

const locksWhile = (holds: () => boolean) =>
  Layer.effect(
    RunnerStorage.RunnerStorage,
    Effect.map(RunnerStorage.makeMemory, (locks) => ({
      ...locks,
      acquire: (address, shards) => (holds() ? locks.acquire(address, shards) : Effect.succeed([])),
      refresh: (address, shards) =>
        holds()
          ? Effect.map(locks.refresh(address, shards), (held) => {
              const asked = new Set(Array.from(shards, ({ id }) => id))
              return held.filter(({ id }) => asked.has(id))
            })
          : Effect.succeed([])
    }))
  )

/** What looks every half a minute for owners to put to sleep looks every ten minutes: a virtual day has fewer steps. */
const rarelyReaped = Layer.effect(
  Clock.Clock,
  Effect.map(Clock.Clock, (clock) => ({
    ...clock,
    sleep: (duration) => clock.sleep(Duration.toMillis(duration) === 30 * second ? Duration.minutes(10) : duration)
  }))
)

const complaints = (complains: (message: string) => void) =>
  Logger.make<unknown, void>(({ cause, logLevel, message }) => {
    const text = `${JSON.stringify(message)} ${String(cause)}`
    if ((logLevel === "Error" || logLevel === "Fatal") && !text.includes(connectionLost)) complains(text)
  })
