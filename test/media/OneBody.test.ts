import { type ClientRequest, request } from "node:http"
import { HttpServer } from "@carteiro/http-edge/Listener.ts"
import { BlobStore } from "@carteiro/provider/BlobStore.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { until } from "../support/Until.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { announce, files, pathOfUrl } from "./Files.ts"

const file = Buffer.concat([files.pdf, Buffer.alloc(99_986, " ")])
const busy = [409, "media_upload_in_progress", undefined]

/** An upload session in a separate environment. */
const stage = Effect.fnUntraced(function* (slug: string) {
  const api = yield* Api
  const sql = yield* SqlClient.SqlClient
  const store = yield* BlobStore
  const { sandbox } = yield* seedProject(api.acme.organization_id, slug)
  const { id, key } = sandbox
  const session = (yield* api.post("/v1/media/uploads", announce(file, "application/pdf"), { key })).body
  const path = pathOfUrl(session.upload_url)
  const headers = session.upload_headers
  /** A body that starts and then stalls. */
  const begin = Effect.gen(function* () {
    const { hostname, port } = new URL(api.baseUrl)
    const length = { ...headers, "content-length": file.length }
    const sent = request({ hostname, port, path, method: "PUT", headers: length }).on("error", () => {})
    sent.write(file.subarray(0, 7000))
    yield* until(Effect.map(drafts, (keys) => keys.length === 1))
    return sent
  })
  const drafts = Effect.map(Effect.orDie(store.list("", 1000)), (found) =>
    found.map((blob) => blob.key).filter((blob) => blob.startsWith(id) && blob.endsWith(".part"))
  )
  return {
    api,
    begin,
    drafts,
    key,
    sql,
    put: api.call("PUT", path, file, { headers }),
    complete: api.post(`/v1/media/${session.id}/complete`, undefined, { key }),
    usage: Effect.map(api.get("/v1/media/storage-usage", { key }), ({ body }) => body.used_bytes),
    /** Sets the row as another node has left it. */
    leftBy: (until: string) => sql`update media_assets set body_until = ${until}::timestamptz where id = ${session.id}`,
    limit: (bytes: number) => sql`update media_usage set limit_bytes = ${bytes} where environment_id = ${id}`
  }
})

const statusOf = (sent: ClientRequest) =>
  Effect.callback<number | undefined>((resume) => {
    sent.once("response", (answer) => {
      answer.resume()
      resume(Effect.succeed(answer.statusCode))
    })
  })

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("An upload URL", (it) => {
  it.effect(
    "takes one body at a time: of three hundred concurrent bodies one is stored, and memory holds no more than one M-MED-20",
    () =>
      Effect.gen(function* () {
        const { begin, complete, drafts, put, usage } = yield* stage("one-body")
        const first = yield* begin
        const others = yield* Effect.all(Array(299).fill(put) as ReadonlyArray<typeof put>, { concurrency: 50 })
        assert.deepStrictEqual(
          others.map(told).filter((refusal) => String(refusal) !== String(busy)),
          []
        )
        assert.strictEqual((yield* drafts).length, 1)
        assert.isAtMost((yield* HttpServer).load().bodyBytes, file.length)
        assert.strictEqual(yield* usage, file.length)
        first.end(file.subarray(7000))
        assert.strictEqual(yield* statusOf(first), 200)
        assert.strictEqual((yield* put).status, 200)
        assert.strictEqual((yield* complete).body.status, "ready")
        assert.strictEqual(yield* usage, file.length)
      })
  )

  it.effect(
    "ends a body that brings nothing for twenty seconds with 408, and takes another one M-MED-20 A-LIM-03",
    () =>
      Effect.gen(function* () {
        const { begin, drafts, put, usage } = yield* stage("stalled")
        const { endLateBodies } = yield* HttpServer
        const stalled = yield* begin
        const looked = performance.now()
        endLateBodies(looked)
        endLateBodies(looked + 19_000)
        assert.deepStrictEqual(told(yield* put), busy)
        endLateBodies(looked + 20_001)
        assert.strictEqual(yield* statusOf(stalled), 408)
        yield* until(Effect.map(drafts, (keys) => keys.length === 0))
        assert.strictEqual((yield* put).status, 200)
        assert.strictEqual(yield* usage, file.length)
      })
  )

  it.effect("counts a body that comes beside earlier bytes, and refuses it without free quota", () =>
    Effect.gen(function* () {
      const { begin, complete, limit, put, usage } = yield* stage("counted")
      assert.strictEqual((yield* put).status, 200)
      const again = yield* begin
      assert.strictEqual(yield* usage, 2 * file.length)
      again.destroy()
      yield* until(Effect.map(usage, (bytes) => bytes === file.length))
      yield* limit(2 * file.length - 1)
      assert.deepStrictEqual(told(yield* put), [409, "media_storage_quota_exceeded", undefined])
      assert.strictEqual((yield* complete).body.status, "ready")
    })
  )

  it.effect("that another node has claimed can be claimed here once that node is silent for a minute", () =>
    Effect.gen(function* () {
      const { leftBy, put } = yield* stage("other-node")
      yield* leftBy("2026-01-01T00:00:00.001Z")
      assert.deepStrictEqual(told(yield* put), busy)
      yield* leftBy("2026-01-01T00:00:00Z")
      assert.strictEqual((yield* put).status, 200)
    })
  )
})
