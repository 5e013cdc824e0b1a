import type { Page, Pages } from "@carteiro/runtime/admin/AdminServer.ts"
import { labelledMetrics } from "@carteiro/runtime/boot/processes/LabelledMetrics.ts"
import { pagesOfAll } from "@carteiro/runtime/boot/processes/PagesOfAll.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { familiesOf, objections } from "../support/MetricsText.ts"

type Status = "ok" | "degraded" | "failed"

const page = (body: string): Page => ({ status: 200, type: "application/json", body })

/** A process whose only check has this status; undefined for one that does not answer. */
const process = (number: number, status: Status | undefined) => {
  const checks = { queue: { status, detail: "This node holds 3 shards." } }
  const answer = status && page(JSON.stringify({ object: "health", status, checks }))
  return { number, pid: 100 + number, hasPages: () => status !== undefined, ask: () => Effect.succeed(answer) }
}

const readinessOf = (pages: Pages) =>
  Effect.map(pages["/health/ready"] ?? Effect.die("no page"), ({ body, status }) => ({
    code: status,
    ...(JSON.parse(body) as { readonly status: Status; readonly checks: object; readonly processes: object })
  }))

describe("the admin port of several processes", () => {
  it.effect(
    "is ready while one of the processes takes requests, and not ready when they stop (gaps-1 A Health endpoints)",
    () =>
      Effect.gen(function* () {
        const readiness = (isStopping: boolean, ...statuses: ReadonlyArray<Status | undefined>) =>
          Effect.flatMap(
            pagesOfAll(
              () => statuses.map((status, number) => process(number, status)),
              () => isStopping
            ),
            readinessOf
          )
        const told = ({ code, status }: { readonly code: number; readonly status: Status }) => [code, status]
        assert.deepStrictEqual(told(yield* readiness(false, "ok", "ok")), [200, "ok"])
        assert.deepStrictEqual(told(yield* readiness(false, "ok", "degraded")), [200, "degraded"])
        assert.deepStrictEqual(told(yield* readiness(false, "failed", "ok")), [200, "degraded"])
        assert.deepStrictEqual(told(yield* readiness(false, "ok", undefined)), [200, "degraded"])
        assert.deepStrictEqual(told(yield* readiness(false, "failed", undefined)), [503, "failed"])
        assert.deepStrictEqual(told(yield* readiness(true, "ok", "ok")), [503, "failed"])
        const { checks, processes } = yield* readiness(false, "failed", undefined)
        assert.deepStrictEqual(checks, {
          "process 0": { status: "failed", detail: "Not well at pid 100: queue." },
          "process 1": { status: "failed", detail: "Pid 101 starts, stops or does not answer." }
        })
        assert.deepStrictEqual(processes, [
          {
            process: 0,
            pid: 100,
            status: "failed",
            checks: { queue: { status: "failed", detail: "This node holds 3 shards." } }
          },
          { process: 1, pid: 101, status: "failed", checks: {} }
        ])
      })
  )

  it("shows a family of metrics once, with the samples of each process under its label", () => {
    const text = (value: number) =>
      [
        "# HELP letters_total Letters",
        "# TYPE letters_total counter",
        `letters_total{kind="a b{c"} ${value}`,
        "# HELP wait_seconds Wait",
        "# TYPE wait_seconds histogram",
        `wait_seconds_bucket{le="+Inf"} ${value}`,
        `wait_seconds_sum ${value}`,
        `wait_seconds_count ${value}`,
        ""
      ].join("\n")
    const joined = labelledMetrics([
      ["supervisor", ""],
      ["0", text(1)],
      ["1", text(2)]
    ])
    assert.deepStrictEqual(objections(familiesOf(joined)), [])
    assert.deepStrictEqual(joined.split("\n"), [
      "# HELP letters_total Letters",
      "# TYPE letters_total counter",
      'letters_total{process="0",kind="a b{c"} 1',
      'letters_total{process="1",kind="a b{c"} 2',
      "# HELP wait_seconds Wait",
      "# TYPE wait_seconds histogram",
      'wait_seconds_bucket{process="0",le="+Inf"} 1',
      'wait_seconds_sum{process="0"} 1',
      'wait_seconds_count{process="0"} 1',
      'wait_seconds_bucket{process="1",le="+Inf"} 2',
      'wait_seconds_sum{process="1"} 2',
      'wait_seconds_count{process="1"} 2',
      ""
    ])
  })
})
