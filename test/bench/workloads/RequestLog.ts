import { Effect } from "effect"
import { unlogged } from "../Product.ts"
import { limit, medianOf } from "../Report.ts"
import { alternate } from "../Rounds.ts"
import { accepting } from "./Traces.ts"
import type { Workload } from "./Workload.ts"

/** How much more of an accept's processor time, PostgreSQL included, the log may take: with bodies, and without. */
const bars = { bodies: 1.1, lines: 1.08 } as const

const withoutBodies = { sandbox: { bodies: false }, production: { bodies: false } }

/** Costs of the request log on accepting, beside a product that keeps none. */
export const requestLog: Workload = {
  name: "request_log",
  about:
    "POST /v1/messages at a constant rate of requests a second: the request log with bodies, without bodies, and none (CARTEIRO_REQUEST_LOG=off).",
  needs: [],
  run: Effect.gen(function* () {
    const full = yield* accepting("request_log_on", {})
    const lines = yield* accepting("request_log_lines", { CARTEIRO_REQUEST_LOG: JSON.stringify(withoutBodies) })
    const none = yield* accepting("request_log_off", unlogged)
    const sides = yield* alternate([
      { name: "with bodies", round: full.round },
      { name: "without bodies", round: lines.round },
      { name: "no log", round: none.round }
    ])
    for (const { check } of [full, lines, none]) yield* check
    const [withBodies, plain, without] = sides.map((side) => medianOf(side, "cpuMs"))
    const ratioOf = (cpu: number | undefined) =>
      cpu === undefined || without === undefined ? undefined : cpu / without
    const most = (name: string, cpu: number | undefined, bar: number) =>
      limit(`processor time ${name} at most ${bar}x that of no log`, ratioOf(cpu), (value) => value <= bar, 3)
    return {
      unit: "requests",
      sides,
      bars: [most("with bodies", withBodies, bars.bodies), most("without bodies", plain, bars.lines)],
      facts: []
    }
  })
}
