import { createServer, type Server } from "node:http"
import { HealthChecks, worstOf } from "@carteiro/owners/HealthChecks.ts"
import * as Instruments from "@carteiro/owners/Instruments.ts"
import { BlobStore } from "@carteiro/provider/BlobStore.ts"
import { s3Blobs } from "@carteiro/provider-s3/S3Blobs.ts"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { watchedStore } from "@carteiro/runtime/media/blob/WatchedStore.ts"
import { exposition } from "@carteiro/runtime/telemetry/Exposition.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, Redacted, Stream } from "effect"

const storeAt = (port: number) =>
  watchedStore.pipe(
    Layer.provide(
      s3Blobs({
        endpoint: `http://127.0.0.1:${port}`,
        bucket: "media",
        region: "us-east-1",
        accessKey: Redacted.make("an access key"),
        secretKey: Redacted.make("a secret key")
      })
    ),
    Layer.provideMerge(Layer.merge(HealthChecks.layer, Instruments.layer)),
    Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map()))
  )

/** An S3 service without objects. */
const emptyBucketAt = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer((_, response) => response.end("<ListBucketResult></ListBucketResult>"))
      server.listen(port, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )

it.live("while the file store is down the log names it, a metric counts it, and health is degraded but ready", () =>
  Effect.gen(function* () {
    const port = yield* freePort()
    const lines: Array<string> = []
    const listening = Logger.layer([Logger.make(({ message }) => void lines.push(JSON.stringify(message)))])
    yield* Effect.gen(function* () {
      const store = yield* BlobStore
      const health = yield* HealthChecks
      const refused = yield* Effect.flip(store.put("env_a/mda_1/one", Stream.make(Buffer.from("hello"))))
      assert.strictEqual(refused.reason, `127.0.0.1:${port}: ECONNREFUSED`)
      assert.include(lines.join("\n"), `"operation":"put","reason":"127.0.0.1:${port}: ECONNREFUSED"`)
      const page = exposition(yield* Effect.context<never>())
      assert.include(page, 'blob_store_failures_total{operation="put"} 1\n')
      assert.include(page, 'blob_store_failures_total{operation="open"} 0\n')
      const down = yield* health.run()
      assert.deepStrictEqual(down.files, {
        status: "degraded",
        detail: `The file store failed: 127.0.0.1:${port}: ECONNREFUSED. Media wait until it answers; all else goes on.`
      })
      assert.strictEqual(worstOf(down), "degraded")

      yield* emptyBucketAt(port)
      assert.deepStrictEqual(yield* health.run(), { files: { status: "ok", detail: "The file store answers." } })
    }).pipe(Effect.scoped, Effect.provide(Layer.provideMerge(storeAt(port), listening)))
  })
)
