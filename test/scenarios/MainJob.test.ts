import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type NodeProcess, startNode } from "@carteiro/runtime/boot/NodeProcess.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as TestDatabase from "../support/TestDatabase.ts"
import { callers } from "./Client.ts"
import { localReceiver } from "./Receiver.ts"

const place = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-main-job-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const run = (settings: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(startNode("main job", settings), (node: NodeProcess) => node.kill)

/** Asks again until the answer is as wanted. */
const eventually = <A>(ask: Effect.Effect<A>, wanted: (answer: A) => boolean) => Effect.repeat(ask, { until: wanted })

const customer = "+5511912345678"
const types = ["message.received", "message.sent", "message.delivered", "message.read"]

it.live.each(callers)(
  "%s, a customer writes, the business answers, every step arrives signed, and nothing answered is lost by a kill A-IDEM-04 A-IDEM-05 A-SIG-01 A-SIG-02 A-SIG-07 A-SIG-10 A-SIG-11 A-LSN-01 M-MSG-01",
  ([, callerOf]) =>
    Effect.gen(function* () {
      const folder = yield* place
      const receiver = yield* localReceiver
      const settings = {
        PORT: "0",
        DATABASE_URL: yield* TestDatabase.create(),
        CARTEIRO_DATA_DIR: folder,
        CARTEIRO_LOG: "error",
        CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: receiver.origin,
        CARTEIRO_SANDBOX_STATUS_DELAY_MS: "5"
      }
      const node = yield* run(settings)
      const baseUrl = yield* node.ready
      const dev = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8"))
      assert.strictEqual(dev.base_url, baseUrl)
      const call = callerOf(baseUrl, dev.sandbox.api_key)

      const quickstart = yield* call("GET", "/v1/sandbox/quickstart")
      assert.strictEqual(quickstart.body.sender.phone_number_id, dev.sandbox.phone_number_id)
      const endpoint = yield* call("POST", "/v1/webhook-endpoints", {
        url: `${receiver.origin}/hook`,
        subscribed_events: types
      })
      assert.strictEqual(endpoint.status, 201, endpoint.text)
      receiver.secrets.push(endpoint.body.signing_secret)
      const tail = yield* call("GET", "/v1/webhook-events/listen?start_at=tail")
      assert.deepStrictEqual(tail.body.data, [])

      const inbound = yield* call("POST", "/v1/sandbox/inbound-messages", {
        channel: "chatapp",
        from: customer,
        to: dev.sandbox.phone_number_id,
        type: "text",
        text: { body: "Vocês entregam? 🛵" }
      })
      assert.strictEqual(inbound.status, 202, inbound.text)
      const [received] = yield* receiver.until((all) => all.length > 0)
      assert.deepStrictEqual(
        [received?.envelope.type, received?.envelope.data.message_id ?? received?.envelope.data.id],
        ["message.received", inbound.body.id]
      )

      const answer = {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: dev.sandbox.phone_number_id },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "text", text: { body: "Entregamos sim!" } }
      }
      const key = { "idempotency-key": "order 42" }
      const sent = yield* call("POST", "/v1/messages", answer, key)
      assert.strictEqual(sent.status, 202, sent.text)
      const replayed = yield* call("POST", "/v1/messages", answer, key)
      assert.deepStrictEqual([replayed.status, replayed.text], [202, sent.text])
      assert.strictEqual(replayed.headers.get("svc-idempotent-replayed"), "true")

      const all = yield* receiver.until((some) => new Set(some.map(({ id }) => id)).size >= types.length)
      for (const { envelope, id, verification } of all) {
        assert.deepInclude(verification, { verified: true, id })
        assert.hasAllKeys(envelope, ["id", "type", "created_at", "environment", "trace_id", "data"])
        assert.deepStrictEqual([envelope.id, envelope.environment], [id, "sandbox"])
      }
      assert.sameMembers([...new Set(all.map(({ envelope }) => envelope.type))], types)

      const read = yield* eventually(call("GET", `/v1/messages/${sent.body.id}`), ({ body }) => body.status === "read")
      const steps = read.body.events.map(({ type }: { readonly type: string }) => type)
      assert.includeMembers(steps, ["message.sent", "message.delivered", "message.read"])

      const heard: Array<{ readonly id: string; readonly signature_preview: { readonly raw_body: string } }> = []
      let cursor: string = tail.body.next_cursor
      while (heard.length < types.length) {
        const query = new URLSearchParams({ cursor, wait_ms: "5000", webhook_endpoint_id: endpoint.body.id })
        const page = yield* call("GET", `/v1/webhook-events/listen?${query}`)
        assert.strictEqual(page.status, 200, page.text)
        heard.push(...page.body.data)
        cursor = page.body.next_cursor
      }
      assert.sameMembers(
        heard.map(({ id }) => id),
        [...new Set(all.map(({ id }) => id))]
      )
      for (const { id, signature_preview } of heard) {
        assert.strictEqual(signature_preview.raw_body, all.find((one) => one.id === id)?.rawBody)
      }

      const log = yield* eventually(call("GET", "/v1/webhook-events"), ({ body }) =>
        body.data.every(({ status }: { readonly status: string }) => status === "delivered")
      )
      assert.strictEqual(log.body.data.length, types.length)

      const made = yield* call("POST", "/v1/api-keys", {
        name: "short-lived",
        environment: "sandbox",
        scopes: ["messages:read"]
      })
      const asOther = callerOf(baseUrl, made.body.secret)
      assert.strictEqual((yield* asOther("GET", "/v1/messages")).status, 200)
      assert.strictEqual((yield* call("DELETE", `/v1/api-keys/${made.body.id}`)).status, 200)
      const refused = yield* asOther("GET", "/v1/messages")
      assert.deepStrictEqual([refused.status, refused.body.error.code], [401, "authentication_error"])

      const last = yield* call("POST", "/v1/messages", answer, { "idempotency-key": "the last before the kill" })
      yield* node.kill
      const again = yield* run(settings)
      const after = callerOf(yield* again.ready, dev.sandbox.api_key)
      const replay = yield* after("POST", "/v1/messages", answer, { "idempotency-key": "the last before the kill" })
      assert.deepStrictEqual([replay.status, replay.text], [202, last.text])
      const finished = yield* eventually(
        after("GET", `/v1/messages/${last.body.id}`),
        ({ body }) => body.status === "read"
      )
      assert.strictEqual(finished.body.id, last.body.id)
      assert.strictEqual((yield* after("GET", "/v1/messages")).body.data.length, 3)
      assert.isTrue(yield* again.stop(15_000))
    }).pipe(Effect.scoped),
  240_000
)
