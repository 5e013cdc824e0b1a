import { Draining, HttpServer } from "@carteiro/http-edge/Listener.ts"
import { Pipeline } from "@carteiro/http-edge/Pipeline.ts"
import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { Downloads } from "@carteiro/outbound/Downloads.ts"
import { CommitFollowers } from "@carteiro/owners/Commit.ts"
import { HealthChecks } from "@carteiro/owners/HealthChecks.ts"
import { ownerTypes, roomAnswers, roomOwners, roomRoutes, roomSettings } from "@carteiro/runtime/app/Fold.ts"
import { readSettings } from "@carteiro/runtime/boot/Settings.ts"
import { watchedStore } from "@carteiro/runtime/media/room.ts"
import { readRateLimits } from "@carteiro/runtime/ratelimit/RateLimitsSetting.ts"
import type { RateTable } from "@carteiro/runtime/ratelimit/RateTable.ts"
import { serverGauges } from "@carteiro/runtime/telemetry/ServerGauges.ts"
import { ConfigProvider, Effect, Layer, Result } from "effect"
import { client } from "./ApiTest.ts"
import { layerHoldsShards, type OwnerTestOptions, ownerServices } from "./OwnerTest.ts"
import { testBlobs } from "./TestBlobs.ts"
import { layerClock, layerLiveClock, layerRunsAtEnd } from "./TurnedClock.ts"
import { nobodyCalled, noNames } from "./Vendors.ts"

export interface WholeProductOptions extends Pick<OwnerTestOptions, "masterKeys" | "database"> {
  /** `turned` (the default) stands still at 2026-01-01 until a test turns it; `live` is the machine's clock. */
  readonly clock?: "turned" | "live"
  /** Rate limits; unlimited by default. `standardRates` is the contract's table. */
  readonly rates?: RateTable
  /** False leaves out the sweeper, which runs many times in a virtual day. */
  readonly sweeps?: boolean
  /** The layer that calls receivers, when a test starts some; by default no receiver is called. */
  readonly outgoing?: typeof nobodyCalled
  /** The layer that fetches files from links, when a test serves some. */
  readonly downloads?: typeof downloads
  /** The store of media bytes, when a test breaks it; by default its own folder. */
  readonly blobs?: typeof testBlobs
  /** Vendors without sockets, in place of those that settings name. */
  readonly vendors?: Layer.Layer<never>
  /** Settings, as in the environment of the process. */
  readonly settings?: Readonly<Record<string, string>>
}

const lifted = Result.getOrThrow(readRateLimits("off"))

const downloads = Downloads.layer({ allowlist: new Set() }).pipe(Layer.provide(noNames))

/** The log of requests writes with every call, so only its own tests switch it on. Vendors of most tests speak the bridge. */
const quiet = { CARTEIRO_REQUEST_LOG: "off", CARTEIRO_PIXPROV2_DRIVER: "bridge" }

/**
 * Every room of the product, composed by `runtime/app/Rooms.ts` itself, behind a server on a free port: rooms added
 * there are part of every test over the whole contract. Only the services below them are a test's: see `OwnerTest`.
 */
export const WholeProduct = (options: WholeProductOptions = {}) =>
  Layer.unwrap(
    Effect.map(
      Effect.provide(readSettings, ConfigProvider.layer(ConfigProvider.fromUnknown({ ...quiet, ...options.settings }))),
      (settings) => {
        const told = Layer.merge(roomSettings(settings), options.vendors ?? Layer.empty)
        const clock = options.clock === "live" ? layerLiveClock : layerClock
        const beneath = Layer.unwrap(
          Effect.map(Effect.service(CommitFollowers), (followers) =>
            ownerServices(followers, { ...options, clock, rates: options.rates ?? lifted })
          )
        )
        return Layer.mergeAll(layerRunsAtEnd, layerHoldsShards, client, serverGauges).pipe(
          Layer.provideMerge(HttpServer.layer({ host: "127.0.0.1", port: 0, drainMillis: 500 })),
          Layer.provideMerge(Pipeline.layer),
          Layer.provideMerge(roomRoutes),
          Layer.provideMerge(options.sweeps === false ? ownerTypes : roomOwners),
          Layer.provideMerge(
            Layer.mergeAll(
              RouteTable.layer,
              Draining.layer,
              HealthChecks.layer,
              roomAnswers,
              options.outgoing ?? nobodyCalled,
              options.downloads ?? downloads,
              Layer.provide(watchedStore, Layer.merge(options.blobs ?? testBlobs, HealthChecks.layer))
            )
          ),
          Layer.provideMerge(beneath),
          Layer.provideMerge(told)
        )
      }
    )
  )
