import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Downloads } from "@carteiro/outbound/Downloads.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { seededTemplateRows } from "@carteiro/runtime/templates/Templates.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { files } from "../media/Files.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"
import { noNames } from "../support/Vendors.ts"
import { recipients } from "./BatchStage.ts"

/** A server of one file, which notes each request. */
class FileHost extends Context.Service<FileHost, { readonly origin: string; readonly requests: Array<string> }>()(
  "@carteiro/test/batches/FileHost"
) {
  static readonly layer = Layer.effect(
    FileHost,
    Effect.gen(function* () {
      const requests: Array<string> = []
      const server = createServer((request, response) => {
        requests.push(request.url ?? "")
        response.writeHead(200, { "content-type": "image/png" }).end(files.png)
      })
      yield* Effect.acquireRelease(
        Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
        () =>
          Effect.sync(() => {
            server.closeAllConnections()
            server.close()
          })
      )
      return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
    })
  )
}

const product = Layer.unwrap(
  Effect.map(Effect.service(FileHost), ({ origin }) =>
    UpstreamProduct({ downloads: Downloads.layer({ allowlist: new Set([origin]) }).pipe(Layer.provide(noNames)) })
  )
).pipe(Layer.provideMerge(FileHost.layer))

/** Gives an environment the template `welcome` with an image above its text. */
const seedIllustrated = Effect.fnUntraced(function* (environment_id: string) {
  const sql = yield* SqlClient.SqlClient
  const at = yield* Clock.currentTimeMillis
  yield* (yield* Commit).write([...seededTemplateRows(yield* Ids, { environment_id, kind: "production", at })])
  const components = [
    { type: "HEADER", format: "IMAGE" },
    { type: "BODY", text: "Olá {{1}}" }
  ]
  yield* sql`update template_versions v set components = ${JSON.stringify(components)} from templates t
    where t.environment_id = ${environment_id} and t.name = 'welcome' and v.environment_id = t.environment_id
      and v.template_id = t.id`
}, Effect.orDie)

it.layer(product, { excludeTestServices: true })("The file of a batch", (it) => {
  it.effect(
    "is fetched from its link and uploaded once for the batch and the number, whatever its recipients U-SND-07",
    () =>
      Effect.gen(function* () {
        const { origin, requests } = yield* FileHost
        const { api, key, number, simulator } = yield* upstreamStage
        yield* seedIllustrated(number.environment_id)
        const entries = (kind: string) => simulator.log.read(0, kind)
        for (const round of [1, 2]) {
          const made = yield* api.post(
            "/v1/batches",
            {
              sender: { type: "chatapp_phone_number", id: number.id },
              template: {
                name: "welcome",
                language: "pt_BR",
                header_media: { kind: "image", link: `${origin}/banner-${round}.png` }
              },
              recipients: recipients(25, round * 100)
            },
            { key }
          )
          assert.strictEqual(made.status, 202, made.text)
          const batch = Effect.map(api.get(`/v1/batches/${made.body.id}`, { key }), ({ body }) => body)
          yield* until(Effect.map(batch, ({ status }) => status === "completed"))
          assert.deepInclude(yield* batch, { enqueued_count: 25, failed_count: 0 })
          assert.deepStrictEqual(
            requests,
            [1, 2].slice(0, round).map((one) => `/banner-${one}.png`)
          )
          assert.deepStrictEqual(
            entries("upload").map((entry) => (entry as { readonly outcome?: unknown }).outcome),
            Array.from({ length: round }, () => "accepted")
          )
          assert.strictEqual(entries("message").length, 25 * round)
        }
      })
  )
})
