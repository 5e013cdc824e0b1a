import { Activations } from "@carteiro/owners/Cluster.ts"
import { verifyWebhook } from "@carteiro/receiver/verify.ts"
import { WebhookEndpointEntity } from "@carteiro/runtime/webhooks/owner/WebhookEndpointEntity.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { fence, quiesce, turnBy } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import {
  attemptsOf,
  DeliveryTest,
  endpointRow,
  type Received,
  raise,
  receiver,
  register,
  sweep,
  turnThrough
} from "./Deliveries.ts"

const nowSeconds = Date.parse("2026-01-01T00:00:00Z") / 1000
const verified = ({ headers, rawBody }: Received, secret: string, at: number = nowSeconds) =>
  verifyWebhook({ headers, rawBody, secrets: [secret], nowSeconds: at }).verified
const envelopeOf = ({ rawBody }: Received) => JSON.parse(rawBody.toString("utf8"))

/** Waits, turn by turn, until the condition is true. */
const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.suspend(() =>
    holds()
      ? Effect.void
      : Effect.andThen(
          Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void))),
          until(holds)
        )
  )

const afterTurns = (turns: number, then: () => void): void => {
  setImmediate(() => (turns > 1 ? afterTurns(turns - 1, then) : then()))
}

it.layer(DeliveryTest, { excludeTestServices: true })("deliveries", (it) => {
  it.effect("post an event as its envelope, signed over the raw bytes A-SIG-01..03 A-SIG-05..11 A-SIG-13", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("signed")
      const { url, received } = yield* receiver()
      const endpoint = yield* register(sandbox, url)
      yield* raise(sandbox)
      yield* quiesce
      assert.strictEqual(received.length, 1)
      const request = received[0] as Received
      assert.isTrue(verified(request, endpoint.signing_secret))
      assert.match(String(request.headers["svc-webhook-signature"]), /^[0-9a-f]{64}$/)
      assert.strictEqual(request.headers["content-type"], "application/json")
      assert.strictEqual(request.headers["user-agent"], "svc-webhooks/1")
      const envelope = envelopeOf(request)
      assert.deepStrictEqual(Object.keys(envelope), ["id", "type", "created_at", "environment", "trace_id", "data"])
      assert.strictEqual(request.headers["svc-webhook-id"], envelope.id)
      assert.deepInclude(envelope, { created_at: "2026-01-01T00:00:00.000Z", environment: "sandbox" })
      const text = request.rawBody.toString("utf8")
      assert.notInclude(text, sandbox.organization_id)
      assert.notInclude(text, sandbox.project_id)
      const [attempt] = yield* attemptsOf(endpoint.id)
      assert.deepInclude(attempt, { status: "succeeded", status_code: 200, response_body_redacted: "body" })
    })
  )

  it.effect("go to two registrations of one URL, each with its own secret A-SIG-23 A-WHE-23", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("twice")
      const { url, received } = yield* receiver()
      const first = yield* register(sandbox, url)
      const second = yield* register(sandbox, url)
      yield* raise(sandbox)
      yield* quiesce
      assert.strictEqual(received.length, 2)
      assert.strictEqual(received[0]?.headers["svc-webhook-id"], received[1]?.headers["svc-webhook-id"])
      for (const { signing_secret } of [first, second]) {
        assert.strictEqual(received.filter((request) => verified(request, signing_secret)).length, 1)
      }
    })
  )

  it.effect("go to every active subscribed endpoint of the environment and to no other A-SIG-19 A-WHE-36", () =>
    Effect.gen(function* () {
      const { sandbox, production } = yield* seedTenant("routing")
      const stranger = yield* seedTenant("stranger")
      const { url, received } = yield* receiver()
      const sql = yield* SqlClient.SqlClient
      yield* register(sandbox, `${url}/a`)
      yield* register(sandbox, `${url}/b`, ["message.sent", "message.received"])
      yield* register(sandbox, `${url}/other-type`, ["message.sent"])
      const disabled = yield* register(sandbox, `${url}/disabled`)
      yield* sql`update webhook_endpoints set status = 'disabled', disabled_reason = 'manual' where id = ${disabled.id}`
      yield* register(production, `${url}/other-environment`)
      yield* register(stranger.sandbox, `${url}/stranger`)
      yield* raise(sandbox)
      yield* quiesce
      assert.deepStrictEqual(received.map(({ path }) => path).toSorted(), ["/hook/a", "/hook/b"])
    })
  )

  it.effect("carry the same id and bytes under a new timestamp at every retry A-SIG-02 A-SIG-08", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("same-bytes")
      const { url, received } = yield* receiver((n) => (n < 2 ? 503 : 200))
      const endpoint = yield* register(sandbox, url)
      yield* raise(sandbox)
      yield* turnBy(60_000)
      assert.strictEqual(received.length, 3)
      const ids = new Set(received.map(({ headers }) => headers["svc-webhook-id"]))
      const bodies = new Set(received.map(({ rawBody }) => rawBody.toString("hex")))
      assert.strictEqual(ids.size, 1)
      assert.strictEqual(bodies.size, 1)
      const stamps = received.map(({ headers }) => Number(headers["svc-webhook-timestamp"]))
      assert.isAbove(stamps[1] as number, stamps[0] as number)
      assert.isAbove(stamps[2] as number, stamps[1] as number)
      for (const [n, request] of received.entries()) {
        assert.isTrue(verified(request, endpoint.signing_secret, stamps[n]))
      }
    })
  )

  it.effect("are retried for a day in production, and then finally fail A-WHV-10", () =>
    Effect.gen(function* () {
      const { production } = yield* seedTenant("a-day")
      const { url, received } = yield* receiver(() => 500)
      const endpoint = yield* register(production, url)
      yield* raise(production)
      const hours = 3_600_000
      yield* turnThrough(32 * hours)
      assert.strictEqual(received.length, 8)
      const attempts = yield* attemptsOf(endpoint.id)
      assert.deepStrictEqual(
        attempts.map(({ attempt, status }) => [attempt, status]),
        Array.from({ length: 8 }, (_, n) => [n + 1, "failed"])
      )
      const delays = [5_000, 300_000, 1_800_000, 2 * hours, 5 * hours, 10 * hours, 10 * hours]
      for (const [n, delay] of delays.entries()) {
        const waited = (attempts[n]?.next_retry_at ?? 0) - (attempts[n]?.completed_at ?? 0)
        assert.isAtLeast(waited, delay * 0.9)
        assert.isAtMost(waited, delay * 1.1)
      }
      assert.isNull(attempts[7]?.next_retry_at)
      assert.deepInclude(yield* endpointRow(endpoint.id), { failures: 1, status: "active" })
    })
  )

  it.effect(
    "to receivers that redirect, reset, or answer garbage or nothing affect only their own endpoint A-WHV-07",
    () =>
      Effect.gen(function* () {
        const { sandbox } = yield* seedTenant("hostile")
        const good = yield* receiver()
        const goodEndpoint = yield* register(sandbox, good.url)
        const hostile = yield* Effect.forEach([302, "reset", "garbage", "hang", 401, 500] as const, (how) =>
          Effect.gen(function* () {
            const { url, received } = yield* receiver(() => how)
            return { how, received, endpoint: yield* register(sandbox, url) }
          })
        )
        yield* raise(sandbox, 12)
        yield* quiesce
        assert.strictEqual(good.received.length, 12)
        assert.deepStrictEqual(
          (yield* attemptsOf(goodEndpoint.id)).map(({ error_message, status }) => [status, error_message]),
          Array.from({ length: 12 }, () => ["succeeded", null])
        )
        const expected = {
          302: [302, null],
          reset: [null, "unreachable"],
          garbage: [null, "unreachable"],
          hang: [null, "timeout"],
          401: [401, "auth_rejected"],
          500: [500, "server_error"]
        }
        for (const { how, endpoint } of hostile) {
          const firsts = (yield* attemptsOf(endpoint.id)).filter(({ attempt }) => attempt === 1)
          assert.strictEqual(firsts.length, 12)
          for (const { status, status_code, failure_class } of firsts) {
            assert.deepStrictEqual([status, status_code, failure_class], ["failed", ...expected[how]], String(how))
          }
        }
      })
  )

  it.effect("of one endpoint run at most ten at a time (gaps-1 K)", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("ten")
      const held: Array<(status: number) => void> = []
      let most = 0
      const { url, received } = yield* receiver(() => (answer) => {
        most = Math.max(most, held.push(answer))
        // An eleventh would come in the turns that follow.
        if (held.length === 10) afterTurns(20, () => held.splice(0).forEach((each) => void each(200)))
      })
      yield* register(sandbox, url)
      yield* raise(sandbox, 40)
      yield* quiesce
      assert.strictEqual(received.length, 40)
      assert.strictEqual(most, 10)
    })
  )

  it.effect("are repeated when a result could not be written: at least once, with one id A-SIG-02", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("fenced")
      let answer: ((status: number) => void) | undefined
      const { url, received } = yield* receiver((n) => {
        if (n > 0) return 200
        return (respond) => {
          answer = respond
        }
      })
      const endpoint = yield* register(sandbox, url)
      yield* raise(sandbox)
      yield* until(() => answer !== undefined)
      yield* fence(endpoint.id)
      answer?.(200)
      yield* turnBy(10_000)
      assert.strictEqual(received.length, 2)
      assert.strictEqual(new Set(received.map(({ headers }) => headers["svc-webhook-id"])).size, 1)
      assert.deepInclude((yield* attemptsOf(endpoint.id))[0], { attempt: 1, status: "succeeded" })
    })
  )

  it.effect("are found by the sweeper when their wake-up was lost A-SIG-19", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("asleep")
      const { url, received } = yield* receiver()
      const activations = yield* Activations
      const endpoint = yield* register(sandbox, url)
      const wake = activations.wake
      // The node with the owner stops.
      Object.assign(activations, { wake: () => {} })
      yield* raise(sandbox, 3)
      yield* quiesce
      Object.assign(activations, { wake })
      assert.strictEqual(received.length, 0)
      assert.include(yield* sweep, endpoint.id)
      yield* quiesce
      assert.strictEqual(received.length, 3)
      assert.notInclude(yield* sweep, endpoint.id)
    })
  )

  it.effect("of a burst all arrive, many results in one commit A-SIG-19", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("burst")
      const sql = yield* SqlClient.SqlClient
      const { url, received } = yield* receiver()
      const endpoint = yield* register(sandbox, url)
      const commits = sql<{ n: number }>`select count(*)::int4 as n from commits`
      yield* raise(sandbox, 700)
      const before = (yield* commits)[0]?.n ?? 0
      yield* quiesce
      assert.strictEqual(new Set(received.map(({ headers }) => headers["svc-webhook-id"])).size, 700)
      assert.strictEqual(received.length, 700)
      assert.isBelow(((yield* commits)[0]?.n ?? 0) - before, 350)
      assert.isTrue((yield* attemptsOf(endpoint.id)).every(({ status }) => status === "succeeded"))
    })
  )

  it.effect("with an erased payload are not sent any more, whatever waits A-WHV-03 (gaps-1 K, retention)", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("erased-waits")
      const { url, received } = yield* receiver(() => 500)
      const endpoint = yield* register(sandbox, url)
      const sql = yield* SqlClient.SqlClient
      yield* raise(sandbox)
      yield* quiesce
      yield* sql`update webhook_events set payload_cleared = true where environment_id = ${sandbox.id}`
      yield* turnThrough(60_000)
      assert.strictEqual(received.length, 1)
      assert.deepStrictEqual(
        (yield* attemptsOf(endpoint.id)).map(({ error_message, status }) => [status, error_message]).slice(1),
        [["failed", "payload_unavailable"]]
      )
      assert.deepInclude(yield* endpointRow(endpoint.id), { failures: 0, status: "active" })
    })
  )

  it.effect("use a new secret and a new url for waiting retries A-WHE-35 (gaps-1 J, PATCH details)", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("rotate")
      const old = yield* receiver(() => 500)
      const next = yield* receiver()
      const owners = yield* WebhookEndpointEntity.client
      const endpoint = yield* register(sandbox, old.url)
      yield* raise(sandbox)
      yield* quiesce
      const from = { environment_id: sandbox.id, trace_id: "0" }
      const rotated = yield* owners.RotateSecret(endpoint.id, { ...from, claim: undefined })
      yield* owners.Update(endpoint.id, { ...from, url: next.url })
      yield* turnBy(10_000)
      assert.strictEqual(old.received.length, 1)
      const request = next.received[0] as Received
      const at = Number(request.headers["svc-webhook-timestamp"])
      assert.isFalse(verified(request, endpoint.signing_secret, at))
      assert.isTrue(verified(request, JSON.parse(rotated.body).signing_secret, at))
    })
  )
})
