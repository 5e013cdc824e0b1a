import { join } from "node:path"
import { Effect } from "effect"
import { Bench } from "./Bench.ts"
import { BenchFailure } from "./BenchFailure.ts"
import { run } from "./Processes.ts"

/** What the simulated platform and the product agree on. */
export const platformSecrets = {
  CARTEIRO_UPSTREAM_APP_ID: "bench",
  CARTEIRO_UPSTREAM_APP_SECRET: "bench-app-secret",
  CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN: "bench-verify-token"
}

/** An account at the platform and its numbers. */
export interface PlatformAccount {
  readonly biz_account_id: string
  readonly token: string
  readonly numbers: ReadonlyArray<{ readonly id: string; readonly display_phone_number: string }>
  readonly templates: ReadonlyArray<object>
}

/** What it says of each number whenever the product asks, which believes it. */
const widest = { messaging_limit_tier: "TIER_UNLIMITED", throughput: "HIGH" }

/** The simulated chat platform in a process of its own: statuses come at once, and no number is slow. */
export const startPlatform = Effect.fnUntraced(function* (accounts: ReadonlyArray<PlatformAccount>) {
  const { root } = yield* Bench
  const running = yield* run({
    name: "upstream simulator",
    command: process.execPath,
    arguments: [
      join(root, "packages/simulators/main.ts"),
      "upstream",
      // Messages that leave before the product subscribes the app would have no statuses.
      "--accounts",
      JSON.stringify(accounts.map((account) => ({ ...account, subscribed: true }))),
      ...["--status-unit-ms", "0"]
    ],
    env: platformSecrets,
    ready: /^ready (http:\S+)$/m
  })
  const url = running.match[1] ?? ""
  const control = (path: string, body: object) =>
    Effect.flatMap(
      Effect.promise(() => fetch(`${url}${path}`, { method: "POST", body: JSON.stringify(body) })),
      ({ ok, status }) => (ok ? Effect.void : Effect.fail(new BenchFailure({ message: `${path}: ${status}` })))
    )
  for (const { biz_account_id, numbers } of accounts) {
    for (const { id } of numbers) {
      yield* control("/numbers", { id, biz_account_id, perSecond: Number.MAX_SAFE_INTEGER, ...widest })
    }
  }
  return { ...running, url, tellsTo: (receiver: string) => control("/subscribe", { url: receiver }) }
})

/** The platform while a workload runs. */
export type Platform = Effect.Success<ReturnType<typeof startPlatform>>
