import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { disable } from "@carteiro/runtime/webhooks/endpoint/EndpointHealth.ts"
import { WebhookEndpointRepo } from "@carteiro/runtime/webhooks/endpoint/WebhookEndpointRepo.ts"
import { WebhookEndpointEntity } from "@carteiro/runtime/webhooks/owner/WebhookEndpointEntity.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { quiesce } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { attemptsOf, DeliveryTest, endpointRow, raise, receiver, register, sweep, turnThrough } from "./Deliveries.ts"

const minute = 60_000

/** A sandbox endpoint whose receiver answers as `how` says. */
const endpointWith = Effect.fnUntraced(function* (name: string, status: number) {
  const { sandbox } = yield* seedTenant(name)
  const how = { status }
  const { url, received } = yield* receiver(() => how.status)
  const endpoint = yield* register(sandbox, url)
  const owners = yield* WebhookEndpointEntity.client
  const patch = (status: "active" | "disabled") =>
    Effect.map(owners.Update(endpoint.id, { environment_id: sandbox.id, trace_id: "0", status }), ({ body }) =>
      JSON.parse(body)
    )
  return { sandbox, how, received, endpoint, patch, row: endpointRow(endpoint.id), attempts: attemptsOf(endpoint.id) }
})

it.layer(DeliveryTest, { excludeTestServices: true })("the breaker", (it) => {
  it.effect("disables at exactly 20 failed deliveries although ten run concurrently A-WHE-24 A-WHE-06", () =>
    Effect.gen(function* () {
      const { sandbox, row, attempts } = yield* endpointWith("trip", 503)
      yield* raise(sandbox, 19)
      yield* turnThrough(2 * minute)
      assert.deepInclude(yield* row, { status: "active", failures: 19 })
      yield* raise(sandbox, 30)
      yield* turnThrough(2 * minute)
      assert.deepInclude(yield* row, {
        status: "disabled",
        failures: 20,
        disabled_reason: "consecutive_failures",
        disabled_detail: '{"last_status_code":503,"failure_class":"server_error"}'
      })
      const all = yield* attempts
      assert.isTrue(all.every(({ status }) => status === "failed"))
      const cancelled = all.filter(({ error_message }) => error_message === "endpoint_disabled")
      assert.isAbove(cancelled.length, 0)
      assert.isTrue(cancelled.every(({ status_code }) => status_code === null))
    })
  )

  it.effect("starts no attempt after the failure that trips it, however long results wait to be written A-WHE-24", () =>
    Effect.gen(function* () {
      const { sandbox, row, attempts, patch } = yield* endpointWith("no-more", 500)
      const sql = yield* SqlClient.SqlClient
      // The last attempts of 150 deliveries end at one instant, faster than results are written.
      const exhausting = Effect.gen(function* () {
        yield* raise(sandbox, 150)
        yield* quiesce
        for (let attempt = 2; attempt <= 3; attempt++) {
          yield* sql`update webhook_attempts set due_at = created_at where status = 'pending'`
          yield* sweep
          yield* quiesce
        }
        return (yield* attempts).filter(({ attempt, status_code }) => attempt === 3 && status_code === 500).length
      })
      const first = yield* exhausting
      assert.deepInclude(yield* row, { status: "disabled", failures: 20 })
      // Nine others were being sent when the 20th failed, and finish.
      assert.isAtMost(first, 20 + 9)
      yield* patch("active")
      const both = yield* exhausting
      assert.deepInclude(yield* row, { status: "disabled", failures: 3 })
      assert.isAtMost(both - first, 3 + 9)
    })
  )

  it.effect("makes no row for events raised while disabled and sends none of them after recovery A-WHE-26..28", () =>
    Effect.gen(function* () {
      const { sandbox, how, received, endpoint, patch, row, attempts } = yield* endpointWith("recover", 401)
      yield* raise(sandbox, 20)
      yield* turnThrough(2 * minute)
      const disabled = yield* row
      assert.strictEqual(disabled?.status, "disabled")
      const before = (yield* attempts).length
      const asked = received.length
      yield* raise(sandbox, 3)
      yield* quiesce
      assert.strictEqual((yield* attempts).length, before)
      how.status = 200
      const recovered = yield* patch("active")
      yield* turnThrough(minute)
      assert.deepInclude(recovered, {
        status: "active",
        probation: true,
        disabled_reason: null,
        disabled_detail: null
      })
      assert.deepInclude(yield* row, { failures: 0, probation: true })
      assert.strictEqual(received.length, asked)
      assert.notProperty(recovered, "signing_secret")
      yield* raise(sandbox)
      yield* quiesce
      const last = received.at(-1)
      assert.isDefined(last)
      assert.deepInclude(yield* row, { probation: false, failures: 0 })
      assert.deepInclude((yield* endpointRow(endpoint.id)) ?? {}, { status: "active" })
    })
  )

  it.effect("trips again at 3 failures on probation and shows that A-WHE-29 A-WHE-07", () =>
    Effect.gen(function* () {
      const { sandbox, patch, row } = yield* endpointWith("retrip", 500)
      yield* raise(sandbox, 20)
      yield* turnThrough(2 * minute)
      yield* patch("active")
      yield* raise(sandbox, 2)
      yield* turnThrough(2 * minute)
      assert.deepInclude(yield* row, { status: "active", failures: 2, probation: true })
      yield* raise(sandbox, 9)
      yield* turnThrough(2 * minute)
      const tripped = yield* row
      assert.deepInclude(tripped, { status: "disabled", failures: 3 })
      assert.deepInclude(JSON.parse(tripped?.disabled_detail ?? "{}"), { probation_retrip: true })
    })
  )

  it.effect("has its threshold of 20 again after a success on probation A-WHE-30 A-WHE-04", () =>
    Effect.gen(function* () {
      const { sandbox, how, patch, row } = yield* endpointWith("probation", 500)
      yield* raise(sandbox, 20)
      yield* turnThrough(2 * minute)
      yield* patch("active")
      how.status = 200
      yield* raise(sandbox)
      yield* quiesce
      how.status = 500
      yield* raise(sandbox, 19)
      yield* turnThrough(2 * minute)
      assert.deepInclude(yield* row, { status: "active", failures: 19, probation: false })
    })
  )

  it.effect("on a manual stop ends waiting attempts, lets running ones finish, and counts nothing A-WHE-25", () =>
    Effect.gen(function* () {
      const { sandbox, patch, row, attempts, received } = yield* endpointWith("manual", 500)
      yield* raise(sandbox, 5)
      yield* quiesce
      const stopped = yield* patch("disabled")
      assert.deepInclude(stopped, { status: "disabled", disabled_reason: "manual", disabled_detail: null })
      // They end in the commit of the PATCH, so nothing waits after its response.
      const ended = (yield* attempts).filter(({ attempt }) => attempt === 2)
      assert.strictEqual(ended.length, 5)
      assert.isTrue(ended.every((each) => each.status === "failed" && each.error_message === "endpoint_disabled"))
      assert.deepInclude(yield* row, { failures: 0 })
      const again = yield* patch("active")
      assert.deepInclude(again, { status: "active", probation: false })
      yield* turnThrough(2 * minute)
      assert.strictEqual(received.length, 5)
    })
  )

  it.effect("on a stop lets running attempts finish and records their results (gaps-1 J, deliveries waiting)", () =>
    Effect.gen(function* () {
      const { sandbox } = yield* seedTenant("on-wire")
      const held: Array<(status: number) => void> = []
      const all = yield* Deferred.make<void>()
      const { url, received } = yield* receiver(() => (answer) => {
        if (held.push(answer) === 3) Deferred.doneUnsafe(all, Effect.void)
      })
      const endpoint = yield* register(sandbox, url)
      const owners = yield* WebhookEndpointEntity.client
      yield* raise(sandbox, 3)
      yield* Deferred.await(all)
      yield* owners.Update(endpoint.id, { environment_id: sandbox.id, trace_id: "0", status: "disabled" })
      held[0]?.(200)
      held[1]?.(503)
      held[2]?.(204)
      yield* quiesce
      const ended = (yield* attemptsOf(endpoint.id)).map(({ status, status_code }) => `${status} ${status_code}`)
      assert.sameMembers(ended, ["succeeded 200", "failed 503", "succeeded 204"])
      yield* turnThrough(minute)
      assert.strictEqual(received.length, 3)
    })
  )

  it.effect("on a trip keeps a waiting probe, which the disabled endpoint still takes A-WHT-11", () =>
    Effect.gen(function* () {
      const { sandbox, endpoint, row, attempts } = yield* endpointWith("probe-waits", 500)
      const sql = yield* SqlClient.SqlClient
      const owners = yield* WebhookEndpointEntity.client
      const ids = yield* Ids
      yield* raise(sandbox, 150)
      yield* turnThrough(20_000)
      // The third attempts are due at once, and the probe after all of them.
      yield* sql`update webhook_attempts set due_at = created_at where status = 'pending'`
      const now = yield* Clock.currentTimeMillis
      yield* owners.Test(endpoint.id, {
        environment_id: sandbox.id,
        trace_id: "0",
        claim: undefined,
        webhook_event_id: ids.mint("whe", now),
        event_id: ids.mint("evt", now),
        attempt_id: ids.mint("att", now)
      })
      yield* quiesce
      assert.deepInclude(yield* row, { status: "disabled", failures: 20 })
      const probe = (yield* attempts).at(-1)
      assert.deepInclude(probe, { attempt: 1, status: "failed", status_code: 500 })
    })
  )

  it.effect("on a stop ends the whole of a long queue, in passes (gaps-1 J, deliveries waiting)", () =>
    Effect.gen(function* () {
      const { sandbox, patch, attempts } = yield* endpointWith("long-queue", 500)
      for (let n = 0; n < 5; n++) yield* raise(sandbox, 500)
      yield* patch("disabled")
      yield* quiesce
      assert.isTrue((yield* attempts).every(({ status }) => status !== "pending"))
    })
  )

  it.effect("does not undo a later decision by the result of a delivery A-WHE-25 A-WHE-26", () =>
    Effect.gen(function* () {
      const { endpoint, row } = yield* endpointWith("late", 200)
      yield* Effect.gen(function* () {
        const repo = yield* WebhookEndpointRepo
        const commit = yield* Commit
        const known = yield* repo.load(endpoint.id)
        assert.isDefined(known)
        if (known === undefined) return
        const failing = { ...known, health: { ...known.health, failures: 7 }, revision: known.revision + 1 }
        const stopped = { ...known, health: disable(known.health), revision: known.revision + 2 }
        yield* commit.write([repo.update(stopped)])
        yield* commit.write([repo.health(failing)])
        assert.deepInclude(yield* row, { status: "disabled", disabled_reason: "manual", failures: 0 })
        yield* commit.write([repo.health({ ...failing, revision: known.revision + 3 })])
        assert.deepInclude(yield* row, { status: "active", failures: 7 })
      }).pipe(Effect.provide(WebhookEndpointRepo.layer))
    })
  )

  it.effect("ends the deliveries of a deleted endpoint, whose row is deleted and whose log stays A-WHE-34", () =>
    Effect.gen(function* () {
      const { sandbox, endpoint, row, attempts } = yield* endpointWith("deleted", 500)
      const owners = yield* WebhookEndpointEntity.client
      yield* raise(sandbox, 4)
      yield* quiesce
      yield* owners.Delete(endpoint.id, { environment_id: sandbox.id, trace_id: "0" })
      yield* turnThrough(2 * minute)
      assert.isUndefined(yield* row)
      const all = yield* attempts
      assert.strictEqual(all.length, 8)
      assert.isTrue(all.every(({ attempt, error_message }) => attempt === 1 || error_message === "endpoint_deleted"))
    })
  )
})
