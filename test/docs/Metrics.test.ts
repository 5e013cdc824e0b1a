import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import * as Instruments from "@carteiro/owners/Instruments.ts"
import { AdminServer } from "@carteiro/runtime/admin/AdminServer.ts"
import { libraryHelp } from "@carteiro/runtime/telemetry/Exposition.ts"
import * as Telemetry from "@carteiro/runtime/telemetry/Telemetry.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { Api } from "../support/ApiTest.ts"
import { familiesOf, objections } from "../support/MetricsText.ts"
import { seedNumber } from "../support/Numbers.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const Measured = Layer.provideMerge(
  AdminServer.layer({ port: 0 }),
  WholeProduct({ clock: "live", settings: { CARTEIRO_REQUEST_LOG: "on" } })
).pipe(
  Layer.provideMerge(
    Telemetry.layer({
      level: "silent",
      pretty: false,
      base: { role: "all" },
      otlpEndpoint: undefined,
      version: "1.2.3"
    })
  ),
  Layer.provideMerge(Instruments.layer),
  Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map()))
)

const page = Effect.flatMap(AdminServer, ({ url }) =>
  Effect.promise(async () => await (await fetch(`${url}/metrics`)).text())
)

/** A product in which everything that is measured has happened once. */
const busy = Effect.gen(function* () {
  const { acme, get, post } = yield* Api
  const { key } = acme.sandbox
  const { id } = yield* seedNumber(acme.sandbox)
  const hook = { url: "https://hooks.example.com/in", subscribed_events: ["message.received"] }
  assert.strictEqual((yield* post("/v1/webhook-endpoints", hook, { key })).status, 201)
  const said = { channel: "chatapp", from: "+5511999998888", to: id, type: "text", text: { body: "Oi" } }
  assert.strictEqual((yield* post("/v1/sandbox/inbound-messages", said, { key })).status, 202)
  assert.strictEqual((yield* get("/v1/account", { key })).status, 200)
  yield* until(
    Effect.map(
      page,
      (text) =>
        text.includes("webhook_attempts_total{") &&
        text.includes("request_log_requests_total{") &&
        /^webhook_breaker_endpoints\{.*\} \d/m.test(text)
    )
  )
  return yield* page
})

const documented = () => {
  const guide = readFileSync(fileURLToPath(new URL("../../docs/operations.md", import.meta.url)), "utf8")
  const [, section = ""] = guide.split("\n## Health and metrics\n")
  const [table = ""] = section.slice(section.indexOf("| metric |")).split("\n\n")
  return table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([a-z_0-9]+)`/g)].map(([, name]) => name))
}

/** Served where vendors are called by HTTP, lists come from a replica, nodes have certificates and locks are sessions. test/telemetry/Installation.test.ts, test/cluster/Launcher.test.ts, test/tables/Replica.test.ts */
const ofAnInstallation = [
  "vendor_call_duration_seconds",
  "node_certificate_expiry_timestamp_seconds",
  "lock_sessions_opened_total",
  "replica_lag_seconds",
  "replica_reads_total"
]

const promtool = "promtool"
const isInstalled = spawnSync(promtool, ["--version"]).error === undefined

it.layer(Measured, { excludeTestServices: true })("metrics", (it) => {
  it.effect("are all in the operations guide, which names no others", () =>
    Effect.gen(function* () {
      const served = familiesOf(yield* busy).map(({ name }) => name)
      // Some of the library's appear with their first value only, when a shard moves.
      assert.sameMembers(documented(), [...new Set([...served, ...Object.keys(libraryHelp), ...ofAnInstallation])])
    })
  )

  it.effect(
    `keep the conventions of Prometheus${isInstalled ? "" : ", as far as can be told without its promtool"}`,
    () =>
      Effect.gen(function* () {
        const text = yield* busy
        assert.deepStrictEqual(objections(familiesOf(text)), [])
        assert.match(text, /^carteiro_build_info\{version="1\.2\.3",node_version="24\.[\d.]+",role="all"\} 1$/m)
        if (!isInstalled) return
        const { status, stderr, stdout } = spawnSync(promtool, ["check", "metrics"], { input: text, encoding: "utf8" })
        assert.deepStrictEqual([status, stdout, stderr], [0, "", ""])
      })
  )
})
