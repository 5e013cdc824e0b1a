import { randomBytes } from "node:crypto"
import { upstreamSimulator } from "@carteiro/runtime/boot/simulators/UpstreamSimulator.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import type { Fault } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { recordOf } from "@carteiro/simulators/kit/Routes.ts"
import { startUpstream } from "@carteiro/simulators/upstream/Simulator.ts"
import type { AccountSetup } from "@carteiro/simulators/upstream/World.ts"
import { Effect, Redacted } from "effect"
import type { PlatformLog, PlatformPost, PlatformReport, PlatformStatus } from "./Evidence.ts"
import type { LoggedGroupCall } from "./groups/GroupsSeen.ts"

/** The simulated chat platform that production sends go to. It lives with the run, so that no fault ends it. */
export interface Platform {
  /** Settings of every node: where the platform is, and what both agree on. */
  readonly env: Readonly<Record<string, string>>
  /** What nodes derive the credentials of their demo accounts from. */
  readonly masterKey: string
  /** The product stands at this address, and its demo account is the platform's; its number may write to `wideTier`. */
  readonly connect: (baseUrl: string, phone: string) => Effect.Effect<void>
  /** What goes wrong at the platform from now on; nothing for an empty list. */
  readonly hurt: (faults: ReadonlyArray<Fault>, seed: number) => Effect.Effect<void>
  /** What it was asked, and what it told. */
  readonly log: Effect.Effect<PlatformLog>
  /** What it was asked about groups. */
  readonly groupCalls: Effect.Effect<ReadonlyArray<LoggedGroupCall>>
}

const secrets = { appSecret: "faults-app-secret", verifyToken: "faults-verify-token" }
const statusUnitMs = 50

/** What the number may write to. */
export const wideTier = "tier_10k"

/** Starts one; it goes with the scope. */
export const startPlatform = Effect.gen(function* () {
  const masterKey = randomBytes(32).toString("hex")
  const keys = parseMasterKeys(masterKey)
  if (keys === undefined) return yield* Effect.die("32 bytes in hex are a master key")
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startUpstream({
        ...secrets,
        now: vendorClock,
        appId: "faults",
        statusUnitMs,
        reviewMs: 0
      })
    ),
    (running) => Effect.promise(() => running.close())
  )
  const control = (path: string, body?: object) =>
    Effect.promise(async () => {
      const asked = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
      const answer = await fetch(`${simulator.url}${path}`, asked)
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return recordOf(await answer.json())
    })
  const demoAt = (baseUrl: string, phone: string | null) =>
    recordOf(upstreamSimulator.told?.(Redacted.make(keys), { baseUrl, phone, pixprov2ConnectionId: null }))
  // The product looks at its connections as soon as it stands: its credential is known by then.
  simulator.world.add(demoAt("http://127.0.0.1", null).account as AccountSetup)
  const platform: Platform = {
    masterKey,
    env: {
      CARTEIRO_MASTER_KEY: masterKey,
      CARTEIRO_UPSTREAM_API_BASE_URL: simulator.url,
      CARTEIRO_UPSTREAM_APP_ID: "faults",
      CARTEIRO_UPSTREAM_APP_SECRET: secrets.appSecret,
      CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: secrets.verifyToken,
      CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true"
    },
    connect: Effect.fnUntraced(function* (baseUrl, phone) {
      const demo = demoAt(baseUrl, phone)
      const account = demo.account as AccountSetup
      simulator.world.add(account)
      for (const number of simulator.world.numbers.values()) number.messaging_limit_tier = "TIER_10K"
      yield* control("/subscribe", { url: String(demo.webhook_url) })
      const value = { display_phone_number: phone, event: "UPGRADE", current_limit: "TIER_10K" }
      const { biz_account_id } = account
      yield* control("/changes", { biz_account_id, field: "phone_number_quality_update", value })
    }),
    hurt: (faults, seed) => Effect.asVoid(control("/faults", { faults, seed })),
    groupCalls: Effect.map(control("/log?kind=group"), ({ entries }) => entries as ReadonlyArray<LoggedGroupCall>),
    log: Effect.gen(function* () {
      const posts = yield* control("/log?kind=message")
      const statuses = yield* control("/log?kind=status")
      const webhooks = yield* control("/log?kind=webhook")
      return {
        reports: (webhooks.entries as ReadonlyArray<PlatformReport>).filter(({ status }) => status === 200),
        posts: posts.entries as ReadonlyArray<PlatformPost>,
        statuses: statuses.entries as ReadonlyArray<PlatformStatus>
      }
    })
  }
  return platform
})

/** What the platform does wrong when it is told to: calls first, then what it tells. */
export const platformFaults = [
  { name: "reset_before" },
  { name: "reset_after" },
  { name: "timeout_before" },
  { name: "timeout_after" },
  { name: "error_500" },
  { name: "bare_503" },
  { name: "malformed" },
  { name: "half_body" },
  { name: "slow_body" },
  { name: "taken_500" },
  { name: "taken_500", value: 400 },
  { name: "taken_429", value: 1200 },
  { name: "throughput" },
  { name: "fail_status" },
  { name: "status_before_answer", value: 300 },
  { name: "duplicate_status" },
  { name: "duplicate_webhook" },
  { name: "replay_webhook" },
  { name: "reorder_statuses" },
  { name: "unknown_number" },
  { name: "refuse_group" },
  { name: "refuse_group_report" },
  { name: "fail_group" },
  { name: "cut_group" }
] as const satisfies readonly [Fault, ...ReadonlyArray<Fault>]
