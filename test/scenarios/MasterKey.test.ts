import { signWebhook } from "@carteiro/receiver/verify.ts"
import { DeviceApprovals } from "@carteiro/runtime/access/devices/DeviceApprovals.ts"
import { deviceGrantType } from "@carteiro/schema/access/DeviceAuthorization.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Exit, Layer, Scope } from "effect"
import { linkOf, visitor } from "../console/Visitor.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { create, TestDatabase } from "../support/TestDatabase.ts"
import { told } from "../support/Told.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const key = (byte: number) => new Uint8Array(32).fill(byte)
const [old, fresh] = [key(1), key(2)]
const asked = { name: "worker", environment: "sandbox", scopes: ["messages:read"] }
const hook = { url: "https://hooks.example.com/in", subscribed_events: ["message.received"] }
const device = "/v1/agent-api-key-device-authorizations"

/** A product over that database under those master keys, until it is stopped. */
const start = Effect.fnUntraced(function* (url: string, ...masterKeys: readonly [Uint8Array, ...Array<Uint8Array>]) {
  const scope = yield* Scope.make()
  const product = WholeProduct({ masterKeys, database: TestDatabase.at(url) })
  const context = yield* Layer.buildWithMemoMap(product, Layer.makeMemoMapUnsafe(), scope)
  return <A, E>(use: Effect.Effect<A, E, Layer.Success<typeof product>>) =>
    Effect.ensuring(Effect.provideContext(use, context), Scope.close(scope, Exit.void))
})

/** What callers hold when the master key changes. */
const before = Effect.gen(function* () {
  const { acme, get, post } = yield* Api
  const options = { key: acme.sandbox.key, idempotencyKey: "over the change" }
  const made = yield* post("/v1/api-keys", asked, options)
  const probed = yield* post("/v1/webhook-endpoints", hook, { key: acme.sandbox.key })
  const path = `/v1/webhook-endpoints/${probed.body.id}/test`
  const { id: to } = yield* seedNumber(acme.sandbox)
  const said = { channel: "chatapp", from: "+5511999998888", to, type: "text", text: { body: "Oi" } }
  yield* post("/v1/sandbox/inbound-messages", said, { key: acme.sandbox.key })
  const started = yield* post(device, { ...asked, name: undefined, client_name: "Terminal" })
  const approvals = yield* DeviceApprovals
  const now = yield* Clock.currentTimeMillis
  const open = yield* approvals.findOpen(started.body.user_code, now)
  const by = { organization_id: acme.organization_id, member_id: acme.owner.id }
  const choice = { project_id: acme.project.id, scopes: asked.scopes }
  yield* approvals.approve(open?.id ?? "", by, choice, now)
  return {
    acme,
    options,
    made,
    path,
    probe: yield* post(path, undefined, options),
    endpoint: { id: probed.body.id as string, secret: probed.body.signing_secret as string },
    page: (yield* get("/v1/api-keys?limit=1", { key: acme.sandbox.key })).body,
    device_code: started.body.device_code as string,
    link: yield* linkOf(acme)
  }
})

it.live(
  "values made before a change of the master key stay valid while the old key is listed A-IDEM-04 A-IDEM-05 A-IDEM-06 A-AUTH-05",
  () =>
    Effect.gen(function* () {
      const url = yield* create()
      const first = yield* start(url, old)
      const held = yield* first(before)
      const { acme, endpoint, link, made, options, page, path, probe } = held

      const second = yield* start(url, fresh, old)
      const madeLater = yield* second(
        Effect.gen(function* () {
          const { get, post } = yield* Api
          for (const secret of [acme.sandbox.key, acme.production.key, made.body.secret]) {
            assert.strictEqual((yield* get("/v1/account", { key: secret })).status, 200)
          }
          const replay = yield* post("/v1/api-keys", asked, options)
          assert.deepStrictEqual([replay.status, replay.text], [201, made.text])
          assert.strictEqual(replay.headers["svc-idempotent-replayed"], "true")
          // A key that its handler looks up itself.
          assert.strictEqual((yield* post(path, undefined, options)).text, probe.text)
          const other = yield* post("/v1/api-keys", { ...asked, name: "other" }, options)
          assert.deepStrictEqual(told(other), [409, "idempotency_key_conflict", undefined])
          const rest = yield* get(`/v1/api-keys?starting_after=${page.next_cursor}`, options)
          assert.strictEqual(rest.status, 200)
          const body = { grant_type: deviceGrantType, device_code: held.device_code }
          const granted = yield* post(`${device}/token`, body)
          assert.strictEqual(granted.status, 200)
          const someone = yield* visitor
          yield* someone.submit(link.page, "/dashboard/sign-in", { token: link.token })
          assert.strictEqual((yield* someone.get("/dashboard")).status, 200)
          const { body: heard } = yield* get(
            `/v1/webhook-events/listen?limit=1&webhook_endpoint_id=${endpoint.id}`,
            options
          )
          // What the old key sealed is opened: the preview is signed with the secret that was handed out under it.
          const { headers, raw_body } = heard.data[0].signature_preview
          assert.strictEqual(
            headers["svc-webhook-signature"],
            signWebhook(endpoint.secret, headers["svc-webhook-timestamp"], Buffer.from(raw_body))
          )
          const rotated = yield* post(`/v1/api-keys/${made.body.id}/rotate`, undefined, options)
          assert.strictEqual((yield* get("/v1/account", { key: made.body.secret })).status, 401)
          return [rotated.body.secret, granted.body.api_key.secret] as ReadonlyArray<string>
        })
      )

      const third = yield* start(url, fresh)
      yield* third(
        Effect.gen(function* () {
          const { get } = yield* Api
          for (const secret of madeLater) assert.strictEqual((yield* get("/v1/me", { key: secret })).status, 200)
          assert.strictEqual((yield* get("/v1/me", { key: acme.sandbox.key })).status, 401)
        })
      )
    })
)

it.live(
  "a node that lists the new key second recognizes values that another makes under it, so nodes can change in turn",
  () =>
    Effect.gen(function* () {
      const url = yield* create()
      const changed = yield* start(url, fresh, old)
      const { acme, made, options } = yield* changed(before)
      const waiting = yield* start(url, old, fresh)
      yield* waiting(
        Effect.gen(function* () {
          const { get, post } = yield* Api
          assert.strictEqual((yield* get("/v1/account", { key: acme.sandbox.key })).status, 200)
          assert.strictEqual((yield* post("/v1/api-keys", asked, options)).text, made.text)
        })
      )
    })
)
