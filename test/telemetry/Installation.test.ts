import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import { certificateGauges } from "@carteiro/owners/Cluster.ts"
import * as Instruments from "@carteiro/owners/Instruments.ts"
import { vendorMetrics } from "@carteiro/runtime/telemetry/VendorMetrics.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Metric, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { selfSigned } from "../../packages/outbound/test/Certificates.ts"
import { http } from "../../packages/outbound/test/Servers.ts"
import { noNames } from "../support/Vendors.ts"

const fresh = Instruments.layer.pipe(Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map())))

describe("Metrics of an installation", () => {
  it.effect("count calls to each vendor by their outcome, and leave tenants' URLs out", () =>
    Effect.gen(function* () {
      const { port, server } = yield* http((request, response) => {
        response.statusCode = request.url === "/v1/refused" ? 422 : 200
        response.end()
      })
      const origin = `http://127.0.0.1:${port}`
      const watch = yield* vendorMetrics({ numprov: `${origin}/v1`, cardproc: undefined })
      const layer = Calls.layer({ allowlist: new Set([origin]), watch }).pipe(Layer.provide(noNames))
      const text = yield* Effect.gen(function* () {
        const { call, tenantUrl } = yield* Calls
        const limits = { connectTimeoutMs: 1000, totalTimeoutMs: 5000, maxBytes: 1000 }
        const get = (url: Parameters<typeof call>[0]["url"]) => call({ method: "GET", url, headers: {}, limits })
        const base = operatorUrl(`${origin}/v1`)
        yield* get(base.below("/numbers"))
        yield* get(base.below("/refused"))
        const tenants = tenantUrl(`${origin}/hook`)
        if (tenants !== undefined) yield* get(tenants)
        server.close()
        server.closeAllConnections()
        yield* get(base.below("/numbers"))
        return yield* PrometheusMetrics.format()
      }).pipe(Effect.provide(layer))
      const counts = [...text.matchAll(/^vendor_call_duration_seconds_count(.*)$/gm)].map(([, count]) => count)
      assert.sameMembers(counts, [
        '{vendor="numprov",outcome="2xx"} 1',
        '{vendor="numprov",outcome="4xx"} 1',
        '{vendor="numprov",outcome="unanswered"} 1'
      ])
    }).pipe(Effect.provide(fresh))
  )

  it.effect("show when the certificates between nodes end", () =>
    Effect.gen(function* () {
      const own = selfSigned("localhost", 2030)
      const authority = selfSigned("authority", 2040)
      yield* certificateGauges({ cert: own.cert, key: Redacted.make(own.key), ca: authority.cert })
      const text = yield* PrometheusMetrics.format()
      const ends = (certificate: string) => {
        const [, seconds] =
          new RegExp(`^node_certificate_expiry_timestamp_seconds{certificate="${certificate}"} (\\d+)$`, "m").exec(
            text
          ) ?? []
        return new Date(Number(seconds) * 1000).getUTCFullYear()
      }
      assert.deepStrictEqual([ends("node"), ends("authority")], [2030, 2040])
    }).pipe(Effect.provide(fresh))
  )
})
