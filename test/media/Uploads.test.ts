import { createHash } from "node:crypto"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedKey, seedProject } from "../support/Tenants.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { announce, files, pathOfUrl, upload } from "./Files.ts"

const minute = 60_000

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Uploads", (it) => {
  it.effect(
    "a file goes from its session to a download M-MED-01 M-MED-03 M-MED-08 M-MED-09 M-MED-10 M-MED-11 M-MED-12 M-MED-13 M-MED-16 M-MED-20 M-MED-26 M-MED-28",
    () =>
      Effect.gen(function* () {
        const { acme, call, get, post } = yield* Api
        const { key } = acme.sandbox
        const session = yield* post("/v1/media/uploads", announce(files.png, "image/png", { filename: "a.png" }), {
          key
        })
        assert.strictEqual(session.status, 201, session.text)
        const { id, trace_id, upload_url, ...rest } = session.body
        assert.match(id, /^mda_[0-9a-hjkmnp-tv-z]{26}$/)
        assert.isString(trace_id)
        assert.deepStrictEqual(rest, {
          object: "media_upload",
          upload_method: "PUT",
          upload_headers: { "Content-Type": "image/png" },
          expires_at: "2026-01-01T00:15:00.000Z"
        })
        const put = yield* call("PUT", pathOfUrl(upload_url), files.png, { headers: rest.upload_headers })
        assert.deepStrictEqual([put.status, put.body.ok, typeof put.body.trace_id], [200, true, "string"])
        const completed = yield* post(`/v1/media/${id}/complete`, undefined, { key })
        assert.strictEqual(completed.status, 200, completed.text)
        assert.deepStrictEqual(completed.body, {
          id,
          object: "media_asset",
          source: "customer",
          provider: null,
          provider_media_id: null,
          kind: "image",
          lifecycle: "single_use",
          filename: "a.png",
          mime_type: "image/png",
          byte_length: files.png.length,
          status: "ready",
          download: { method: "GET", path: `/v1/media/${id}/download-url` },
          expires_at: "2026-01-02T00:00:00.000Z",
          upload_expires_at: "2026-01-01T00:15:00.000Z",
          completed_at: "2026-01-01T00:00:00.000Z",
          consumed_at: null,
          consumed_by_message_id: null,
          deleted_at: null,
          failure_code: null,
          failure_message: null,
          trace_id: completed.body.trace_id,
          created_at: "2026-01-01T00:00:00.000Z",
          updated_at: "2026-01-01T00:00:00.000Z"
        })
        const again = yield* post(`/v1/media/${id}/complete`, undefined, { key })
        assert.deepStrictEqual([again.status, again.body], [200, completed.body])
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`select sha256 from media_assets where id = ${id}`
        assert.strictEqual(row?.sha256, createHash("sha256").update(files.png).digest("hex"))

        const download = yield* get(completed.body.download.path, { key })
        assert.deepStrictEqual(
          [download.status, download.body.object, download.body.id],
          [200, "media_asset_download", id]
        )
        assert.strictEqual(download.body.expires_at, "2026-01-01T00:05:00.000Z")
        const blob = yield* get(pathOfUrl(download.body.download_url))
        assert.deepStrictEqual(
          [blob.status, blob.headers["content-type"], blob.headers["cache-control"], blob.headers["content-length"]],
          [200, "image/png", "no-store", String(files.png.length)]
        )
        assert.include(blob.headers["content-disposition"], 'attachment; filename="a.png"')
        const part = yield* get(pathOfUrl(download.body.download_url), { headers: { range: "bytes=1-3" } })
        assert.deepStrictEqual(
          [part.status, part.text, part.headers["content-range"]],
          [206, "PNG", `bytes 1-3/${files.png.length}`]
        )
        const beyond = yield* get(pathOfUrl(download.body.download_url), { headers: { range: "bytes=900-" } })
        assert.deepStrictEqual([beyond.status, beyond.body.error.code], [416, "http_exception"])
      })
  )

  it.effect(
    "the route id is the asset's; its read shows no bytes and no storage key M-MED-22 M-MED-23 M-MED-38 M-MED-06",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { key } = acme.sandbox
        const asset = yield* upload(key, files.pdf, "application/pdf", { lifecycle: "library" })
        assert.isNull(asset.expires_at)
        assert.isNull(asset.filename)
        const sql = yield* SqlClient.SqlClient
        yield* sql`update media_assets set provider_media_id = '123456' where id = ${asset.id}`
        const read = yield* get(`/v1/media/${asset.id}`, { key })
        const [row] = yield* sql`select blob_key from media_assets where id = ${asset.id}`
        assert.isString(row?.blob_key)
        assert.notInclude(read.text, String(row?.blob_key))
        assert.notInclude(read.text, "PDF-1.4")
        assert.deepStrictEqual(told(yield* get("/v1/media/123456", { key })), [404, "media_asset_not_found", undefined])
      })
  )

  it.effect.each([
    [{ kind: undefined }, "invalid_media_request", "kind"],
    [{ kind: "contact" }, "invalid_media_request", "kind"],
    [{ mime_type: undefined }, "invalid_media_request", "mime_type"],
    [{ mime_type: "" }, "invalid_media_request", "mime_type"],
    [{ mime_type: "x".repeat(256) }, "invalid_media_request", "mime_type"],
    [{ byte_length: undefined }, "invalid_media_request", "byte_length"],
    [{ byte_length: "64" }, "invalid_media_request", "byte_length"],
    [{ byte_length: 1.5 }, "invalid_media_request", "byte_length"],
    [{ lifecycle: "forever" }, "invalid_media_request", "lifecycle"],
    [{ filename: "" }, "invalid_media_request", "filename"],
    [{ filename: "x".repeat(256) }, "invalid_media_request", "filename"],
    [{ mime_type: "image/gif" }, "invalid_media_mime_type", "mime_type"],
    [{ mime_type: "application/pdf" }, "invalid_media_mime_type", "mime_type"],
    [{ mime_type: "image/png\n" }, "invalid_media_mime_type", "mime_type"],
    [{ kind: "sticker" }, "invalid_media_mime_type", "mime_type"],
    [{ byte_length: 0 }, "media_too_large", "byte_length"],
    [{ byte_length: -1 }, "media_too_large", "byte_length"],
    [{ byte_length: 5_242_881 }, "media_too_large", "byte_length"],
    [{ kind: "sticker", mime_type: "image/webp", byte_length: 512_001 }, "media_too_large", "byte_length"],
    [{ kind: "audio", mime_type: "audio/ogg; codecs=opus", byte_length: 16_777_217 }, "media_too_large", "byte_length"],
    [{ kind: "document", mime_type: "text/csv", byte_length: 104_857_601 }, "media_too_large", "byte_length"]
  ] as const)("a session of %j is refused M-MED-04 M-MED-05 M-MED-17 M-MED-18 M-MED-19", ([more, code, param]) =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const body = { kind: "image", mime_type: "image/png", byte_length: 64, ...more }
      const answer = yield* post("/v1/media/uploads", body, { key: acme.sandbox.key })
      assert.deepStrictEqual(told(answer), [400, code, param])
    })
  )

  it.effect(
    "bytes of another type or length, or at another time, are refused and leave the upload open M-MED-20 M-ERR-10",
    () =>
      Effect.gen(function* () {
        const { acme, call, post } = yield* Api
        const { key } = acme.sandbox
        const session = yield* post("/v1/media/uploads", announce(files.png, "image/png"), { key })
        const path = pathOfUrl(session.body.upload_url)
        const put = (bytes: Uint8Array, type = "image/png") =>
          call("PUT", path, bytes, { headers: { "content-type": type } })
        assert.deepStrictEqual(told(yield* put(files.png, "image/jpeg")), [
          400,
          "invalid_media_mime_type",
          "Content-Type"
        ])
        const short = yield* put(files.png.subarray(1))
        assert.deepStrictEqual(told(short), [400, "media_upload_length_mismatch", "Content-Length"])
        const chunked = yield* call("PUT", path, Buffer.concat([files.png, files.png]), {
          headers: {
            "content-type": "image/png",
            "content-length": [] as ReadonlyArray<string>,
            "transfer-encoding": "chunked"
          }
        })
        assert.deepStrictEqual(told(chunked), [400, "media_upload_length_mismatch", "Content-Length"])
        const early = yield* post(`/v1/media/${session.body.id}/complete`, undefined, { key })
        assert.deepStrictEqual(told(early), [409, "media_upload_incomplete", undefined])
        for (const wrong of [
          `${path}x`,
          path.slice(0, -1),
          "/v1/media/blobs/none",
          `/v1/media/blobs/${"a".repeat(300)}`
        ]) {
          const answer = yield* call("PUT", wrong, files.png, { headers: { "content-type": "image/png" } })
          assert.deepStrictEqual(told(answer), [404, "media_blob_not_found", undefined], wrong)
        }
        assert.deepStrictEqual(told(yield* call("GET", path)), [404, "media_blob_not_found", undefined])
        assert.strictEqual((yield* put(files.png)).status, 200)
        assert.strictEqual((yield* put(files.png, "IMAGE/PNG; q=1")).status, 200)
        assert.strictEqual(
          (yield* post(`/v1/media/${session.body.id}/complete`, undefined, { key })).body.status,
          "ready"
        )
        assert.deepStrictEqual(told(yield* put(files.png)), [404, "media_blob_not_found", undefined])
      })
  )

  it.effect("a late upload has expired, and a download URL is valid for five minutes M-MED-25 M-MED-27 M-LIM-01", () =>
    Effect.gen(function* () {
      const { acme, call, get, post } = yield* Api
      const { key } = acme.sandbox
      const session = yield* post("/v1/media/uploads", announce(files.png, "image/png"), { key })
      const asset = yield* upload(key, files.png, "image/png", { lifecycle: "library" })
      const pending = yield* get(`/v1/media/${session.body.id}/download-url`, { key })
      assert.deepStrictEqual(told(pending), [409, "media_asset_not_ready", undefined])
      const { download_url } = (yield* get(`/v1/media/${asset.id}/download-url`, { key })).body
      yield* turnBy(5 * minute - 1)
      assert.strictEqual((yield* get(pathOfUrl(download_url))).status, 200)
      yield* turnBy(1)
      assert.deepStrictEqual(told(yield* get(pathOfUrl(download_url))), [404, "media_blob_not_found", undefined])
      const fresh = (yield* get(`/v1/media/${asset.id}/download-url`, { key })).body.download_url
      assert.notStrictEqual(fresh, download_url)
      assert.strictEqual((yield* get(pathOfUrl(fresh))).status, 200)
      yield* turnBy(10 * minute)
      const late = yield* call("PUT", pathOfUrl(session.body.upload_url), files.png, {
        headers: session.body.upload_headers
      })
      assert.deepStrictEqual(told(late), [404, "media_blob_not_found", undefined])
      const completed = yield* post(`/v1/media/${session.body.id}/complete`, undefined, { key })
      assert.deepStrictEqual(told(completed), [409, "media_asset_expired", undefined])
      assert.deepStrictEqual(told(yield* get(`/v1/media/${session.body.id}/download-url`, { key })), [
        409,
        "media_asset_expired",
        undefined
      ])
    })
  )

  it.effect(
    "bytes that differ from the announcement end in a failed asset, and an archive is not opened M-MED-07",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const { key } = acme.sandbox
        const wrong: ReadonlyArray<readonly [Uint8Array, string]> = [
          [files.jpeg, "image/png"],
          [files.text, "image/png"],
          [files.png.subarray(0, 7), "image/png"],
          [Buffer.from("\0\0\0\u0018ftyp"), "audio/ogg"],
          [files.png, "text/plain"],
          [Buffer.from([0x41, 0x00, 0x42]), "text/csv"],
          [Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]), "application/pdf"],
          [Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(60, 0xff)]), "application/pdf"]
        ]
        for (const [bytes, type] of wrong) {
          const asset = yield* upload(key, bytes, type)
          assert.deepStrictEqual(
            [asset.status, asset.failure_code, asset.download],
            ["failed", "invalid_media_mime_type", null],
            type
          )
          assert.isString(asset.failure_message)
          const url = yield* get(`/v1/media/${asset.id}/download-url`, { key })
          assert.deepStrictEqual(told(url), [409, "media_asset_not_ready", undefined])
        }
        const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
        const bomb = Buffer.concat([Buffer.from("PK\u0003\u0004"), Buffer.alloc(5000, 0xff)])
        assert.strictEqual((yield* upload(key, bomb, docx)).status, "ready")
        for (const [bytes, type] of [
          [files.ogg, "audio/ogg"],
          [files.text, "text/plain"],
          [files.jpeg, "image/jpeg"],
          // Only the leading bytes count.
          [Buffer.concat([files.png.subarray(0, 8), Buffer.alloc(5000, 7)]), "image/png"],
          [Buffer.concat([Buffer.from("ID3\u0003\0\0\0\0\0\0"), Buffer.alloc(300, 7)]), "audio/mpeg"],
          [Buffer.from("OggS"), "audio/ogg"],
          [Buffer.concat([Buffer.from("\0\0\0\u0018ftyp"), Buffer.alloc(100)]), "audio/mp4"]
        ] as const) {
          assert.strictEqual((yield* upload(key, bytes, type)).status, "ready", type)
        }
      })
  )

  it.effect("a file name with a path is stored as a plain name M-MED-19", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { key } = acme.sandbox
      for (const filename of [
        "../../etc/passwd",
        "..\\..\\x.png",
        "/etc/passwd",
        'a"\r.png'.replace("\r", "\t"),
        "naïve 🙂.png",
        ".."
      ]) {
        const asset = yield* upload(key, files.png, "image/png", { filename, lifecycle: "library" })
        assert.strictEqual(asset.filename, filename)
        const { download_url } = (yield* get(`/v1/media/${asset.id}/download-url`, { key })).body
        const blob = yield* get(pathOfUrl(download_url))
        assert.strictEqual(blob.status, 200)
        assert.notMatch(blob.headers["content-disposition"] ?? "", /[/\\]|%2F|%5C/i, filename)
      }
    })
  )

  it.effect("deleting frees the quota once, and deleted assets show only on request M-MED-15 M-MED-30 M-MED-31", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, get } = yield* Api
      const { key } = (yield* seedProject(acme.organization_id, "deleted")).sandbox
      const asset = yield* upload(key, files.pdf, "application/pdf")
      const kept = yield* upload(key, files.ogg, "audio/ogg", { lifecycle: "library" })
      const used = (yield* get("/v1/media/storage-usage", { key })).body.used_bytes
      assert.strictEqual(used, files.pdf.length + files.ogg.length)
      const { download_url } = (yield* get(`/v1/media/${asset.id}/download-url`, { key })).body
      for (const _ of [1, 2]) {
        const gone = yield* remove(`/v1/media/${asset.id}`, { key })
        const { trace_id, ...body } = gone.body
        assert.deepStrictEqual([gone.status, body], [200, { id: asset.id, object: "media_asset", deleted: true }])
        assert.isString(trace_id)
      }
      assert.strictEqual((yield* get("/v1/media/storage-usage", { key })).body.used_bytes, files.ogg.length)
      assert.deepStrictEqual(told(yield* get(pathOfUrl(download_url))), [404, "media_blob_not_found", undefined])
      assert.deepStrictEqual(told(yield* get(`/v1/media/${asset.id}/download-url`, { key })), [
        404,
        "media_asset_not_found",
        undefined
      ])
      const idsOf = (search: string) =>
        Effect.map(get(`/v1/media${search}`, { key }), ({ body }) => body.data.map(({ id }: { id: string }) => id))
      assert.deepStrictEqual(yield* idsOf(""), [kept.id])
      assert.deepStrictEqual(yield* idsOf("?status=deleted"), [asset.id])
      assert.deepStrictEqual(yield* idsOf("?kind=audio&lifecycle=library&source=customer&status=ready"), [kept.id])
      for (const none of ["?kind=image", "?lifecycle=single_use", "?source=inbound_provider", "?status=expired"]) {
        assert.deepStrictEqual(yield* idsOf(none), [], none)
      }
    })
  )

  it.effect("parallel uploads never exceed the quota, and the refusal states the free quota M-MED-14 M-MED-32", () =>
    Effect.gen(function* () {
      const { acme, delete: remove, get, post } = yield* Api
      const { id: environment, key } = (yield* seedProject(acme.organization_id, "quota")).sandbox
      const sql = yield* SqlClient.SqlClient
      const usage = Effect.map(get("/v1/media/storage-usage", { key }), ({ body }) => {
        const { trace_id: _, ...rest } = body
        return rest
      })
      assert.deepStrictEqual(yield* usage, {
        object: "media_storage_usage",
        used_bytes: 0,
        limit_bytes: 1_073_741_824,
        available_bytes: 1_073_741_824,
        percent_used: 0
      })
      yield* sql`insert into media_usage (environment_id, environment, limit_bytes) values (${environment}, 'sandbox', 350)`
      const answers = yield* Effect.all(
        Array.from({ length: 12 }, () =>
          post("/v1/media/uploads", { kind: "document", mime_type: "text/plain", byte_length: 100 }, { key })
        ),
        { concurrency: "unbounded" }
      )
      const statuses = answers.map((answer) => told(answer).slice(0, 2).join(" "))
      assert.strictEqual(statuses.filter((one) => one === "201 ").length, 3, statuses.join())
      assert.strictEqual(statuses.filter((one) => one === "409 media_storage_quota_exceeded").length, 9)
      const full = {
        object: "media_storage_usage",
        used_bytes: 300,
        limit_bytes: 350,
        available_bytes: 50,
        percent_used: 85.71
      }
      assert.deepStrictEqual(yield* usage, full)
      const first = answers.find(({ status }) => status === 201)?.body.id
      yield* remove(`/v1/media/${first}`, { key })
      assert.strictEqual((yield* usage).used_bytes, 200)
      yield* sql`update media_usage set limit_bytes = 150 where environment_id = ${environment}`
      assert.deepStrictEqual(yield* usage, {
        ...full,
        used_bytes: 200,
        limit_bytes: 150,
        available_bytes: 0,
        percent_used: 133.33
      })
    })
  )

  it.effect(
    "a download URL needs messages:read, and its bytes need only the token in the path A-AUTH-02 M-MED-24 M-ERR-10",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const asset = yield* upload(acme.sandbox.key, files.png, "image/png")
        const { key } = yield* seedKey(acme.sandbox, { scopes: ["messages:write"] })
        assert.deepStrictEqual(told(yield* get(`/v1/media/${asset.id}/download-url`, { key })), [
          403,
          "insufficient_scope",
          undefined
        ])
        const stranger = yield* get(`/v1/media/${asset.id}/download-url`, { key: acme.production.key })
        assert.deepStrictEqual(told(stranger), [404, "media_asset_not_found", undefined])
        const path = pathOfUrl(
          (yield* get(`/v1/media/${asset.id}/download-url`, { key: acme.sandbox.key })).body.download_url
        )
        for (const caller of [{}, { key: "no key at all" }, { key: acme.production.key }]) {
          assert.strictEqual((yield* get(path, caller)).status, 200)
        }
        const token = path.split("/").at(-1) ?? ""
        const forged = `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`
        const refused = yield* get(path.replace(token, forged), { key: acme.sandbox.key })
        assert.deepStrictEqual(told(refused), [404, "media_blob_not_found", undefined])
      })
  )

  it.effect("a session and a completion are replayed under their idempotency keys M-ERR-09", () =>
    Effect.gen(function* () {
      const { acme, call, get, post } = yield* Api
      const { key } = (yield* seedProject(acme.organization_id, "replays")).sandbox
      const options = { key, idempotencyKey: "upload" }
      const body = announce(files.png, "image/png")
      const first = yield* post("/v1/media/uploads", body, options)
      const again = yield* post("/v1/media/uploads", body, options)
      assert.deepStrictEqual([again.status, again.text], [201, first.text])
      assert.strictEqual(again.headers["svc-idempotent-replayed"], "true")
      assert.strictEqual((yield* get("/v1/media/storage-usage", { key })).body.used_bytes, files.png.length)
      yield* call("PUT", pathOfUrl(first.body.upload_url), files.png, { headers: first.body.upload_headers })
      const path = `/v1/media/${first.body.id}/complete`
      for (const idempotencyKey of ["complete", "complete", "later", "later"]) {
        const completed = yield* post(path, undefined, { key, idempotencyKey })
        assert.deepStrictEqual([completed.status, completed.body.status], [200, "ready"])
      }
    })
  )
})
