import { Commit } from "@carteiro/owners/Commit.ts"
import { maskEvents } from "@carteiro/runtime/outbox/EventMask.ts"
import { defineRenderer, EventRenderers } from "@carteiro/runtime/outbox/EventRenderers.ts"
import { Outbox, type OutboxEvent } from "@carteiro/runtime/outbox/Outbox.ts"
import { room as webhooksRoom } from "@carteiro/runtime/webhooks/room.ts"
import { type AnyEvent, defineEvent } from "@carteiro/schema/conventions/Event.ts"
import { GroupCreated, GroupInviteLinkResetFailed } from "@carteiro/schema/groups/GroupEvents.ts"
import { assert, it } from "@effect/vitest"
import { Clock, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Api, ApiTest } from "../support/ApiTest.ts"
import { quiesce, turnBy } from "../support/OwnerTest.ts"
import { served } from "../support/ServedRooms.ts"
import { seedTenant, type TestEnvironment } from "../support/Tenants.ts"
import { type Answer, outgoing, type Received, receiver, register } from "./Deliveries.ts"

const occurred_at = "2026-01-01T00:00:00.000Z"
const link = "https://chat.example/secret-invite"

/** The present group, by environment; undefined once it is deleted. */
const subjects = new Map<string, string | undefined>()

const stateOf = (environment_id: string, group_id: string) => {
  const subject = subjects.get(environment_id)
  return subject === undefined
    ? undefined
    : {
        group_id,
        phone_number_id: "pn_1",
        status: "active" as const,
        subject,
        provider_group_id: null,
        invite_link: link
      }
}

/** The renderers that the groups room would provide for two of its events. */
const renderers = Layer.succeed(EventRenderers, [
  defineRenderer(GroupCreated, (events) =>
    Effect.sync(() =>
      events.map(({ environment_id, kept, source_id }) => {
        const group = stateOf(environment_id, source_id)
        return group && { ...group, failure: null, occurred_at: kept.occurred_at }
      })
    )
  ),
  defineRenderer(GroupInviteLinkResetFailed, (events) =>
    Effect.sync(() =>
      events.map(({ environment_id, kept, source_id }) => {
        const group = stateOf(environment_id, source_id)
        return group && { ...group, failure: kept.failure, occurred_at: kept.occurred_at }
      })
    )
  )
])

/** An event with a secret that is written with the change. */
const Invited = defineEvent("flow.completed", Schema.Struct({ invite_link: Schema.String }), {
  source_type: "flow",
  description: "A sample.",
  secrets: ["invite_link"]
})

const RenderedTest = ApiTest(
  served(webhooksRoom).pipe(Layer.provide(renderers)),
  webhooksRoom.owners.pipe(Layer.provide(renderers), Layer.provideMerge(outgoing)),
  { followers: webhooksRoom.followers }
)

const raised = <E extends AnyEvent>(
  environment: TestEnvironment,
  declared: E,
  event: (facts: Omit<OutboxEvent<typeof Invited>, "data">) => OutboxEvent<E>
) =>
  Effect.gen(function* () {
    const outbox = yield* Outbox
    const commit = yield* Commit
    const at = yield* Clock.currentTimeMillis
    const facts = {
      environment_id: environment.id,
      environment: environment.kind,
      source_id: "grp_1",
      subject: null,
      trace_id: "t",
      at
    }
    yield* commit.write([outbox.event(declared, event(facts))])
  })

const stage = Effect.fnUntraced(function* (name: string, how: (n: number) => Answer = () => 200) {
  const api = yield* Api
  const { sandbox } = yield* seedTenant(name)
  const { received, url } = yield* receiver(how)
  const types = ["group.created", "group.invite_link_reset_failed", "flow.completed"] as const
  const endpoint = yield* register(sandbox, url, types)
  subjects.set(sandbox.id, "Vizinhos")
  const listen = (query = "") =>
    Effect.map(
      api.get(`/v1/webhook-events/listen?start_at=oldest${query}`, { key: sandbox.key }),
      ({ body }) => body.data
    )
  const log = Effect.map(api.get("/v1/webhook-events", { key: sandbox.key }), ({ body }) => body.data)
  return { api, sandbox, endpoint, received, listen, log }
})

const dataOf = ({ rawBody }: Received) => JSON.parse(rawBody.toString()).data
const storedText = (environmentId: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ envelope: string }>`select envelope from outbox_events where environment_id = ${environmentId}`
  )

it.layer(RenderedTest, { excludeTestServices: true })("Events rendered at each attempt", (it) => {
  it.effect(
    "show the present state of their subject at each attempt, in the stream and in the log C-GEVT-04 C-GEVT-15",
    () =>
      Effect.gen(function* () {
        const { endpoint, listen, log, received, sandbox } = yield* stage("rendered", (n) => (n === 0 ? 503 : 200))
        yield* raised(sandbox, GroupCreated, (facts) => ({ ...facts, data: { occurred_at } }))
        yield* quiesce
        subjects.set(sandbox.id, "Moradores")
        yield* turnBy(6000)
        const [first, second] = received.map((request) => dataOf(request))
        assert.deepInclude(first, {
          group_id: "grp_1",
          subject: "Vizinhos",
          failure: null,
          occurred_at,
          invite_link: link
        })
        assert.deepInclude(second, { subject: "Moradores", occurred_at })
        subjects.set(sandbox.id, "Todos")
        const [event] = yield* listen(`&webhook_endpoint_id=${endpoint.id}`)
        assert.deepInclude(event.payload.data, { subject: "Todos" })
        assert.deepStrictEqual(JSON.parse(event.signature_preview.raw_body), event.payload)
        assert.deepInclude((yield* log)[0].payload.data, { subject: "Todos" })
      })
  )

  it.effect("keep the failure that was written with the change C-GEVT-12..14", () =>
    Effect.gen(function* () {
      const { listen, received, sandbox } = yield* stage("failure")
      const failure = { code: "group_provider_rejected", message: "No.", provider: "upstream" } as const
      yield* raised(sandbox, GroupInviteLinkResetFailed, (facts) => ({ ...facts, data: { failure, occurred_at } }))
      yield* quiesce
      assert.deepInclude(dataOf(received[0] as Received), { failure, status: "active" })
      assert.deepStrictEqual((yield* listen())[0].payload.data.failure, failure)
    })
  )

  it.effect("end unsent without content left, and do not count for the endpoint's health", () =>
    Effect.gen(function* () {
      const { api, endpoint, listen, log, received, sandbox } = yield* stage("gone")
      subjects.delete(sandbox.id)
      yield* raised(sandbox, GroupCreated, (facts) => ({ ...facts, data: { occurred_at } }))
      yield* turnBy(60_000)
      assert.isEmpty(received)
      const [event] = yield* log
      assert.deepInclude(event, { status: "failed", payload: null })
      assert.strictEqual(event.attempts.length, 1)
      assert.deepInclude(event.attempts[0], { error_message: "payload_unavailable", status_code: null })
      assert.isEmpty(yield* listen())
      const { body } = yield* api.get(`/v1/webhook-endpoints/${endpoint.id}`, { key: sandbox.key })
      assert.isNull(body.last_failure_at)
    })
  )

  it.effect("are encrypted at rest with their declared secrets and decrypted only for their receiver C-GRP-12", () =>
    Effect.gen(function* () {
      const { endpoint, listen, log, received, sandbox } = yield* stage("sealed")
      yield* raised(sandbox, Invited, (facts) => ({ ...facts, data: { invite_link: link } }))
      yield* raised(sandbox, GroupCreated, (facts) => ({ ...facts, data: { occurred_at } }))
      yield* quiesce
      const stored = yield* storedText(sandbox.id)
      assert.strictEqual(stored.length, 2)
      for (const { envelope } of stored) assert.match(envelope, /^sealed:[\w-]+$/)
      const sent = received.map(({ rawBody }) => rawBody.toString())
      for (const body of sent) assert.include(body, link)
      const [event] = yield* listen(`&webhook_endpoint_id=${endpoint.id}&event_type=flow.completed`)
      assert.include(sent, event.signature_preview.raw_body)
      assert.deepStrictEqual(
        (yield* log).map(({ payload }: { payload: { data: { invite_link: string } } }) => payload.data.invite_link),
        [link, link]
      )
    })
  )

  it.effect("decrypt in the row for which they were encrypted and in no other", () =>
    Effect.gen(function* () {
      const { received, sandbox } = yield* stage("moved")
      yield* raised(sandbox, Invited, (facts) => ({ ...facts, data: { invite_link: link } }))
      yield* quiesce
      const { sandbox: elsewhere } = yield* stage("elsewhere")
      const sql = yield* SqlClient.SqlClient
      yield* sql`insert into outbox_events (environment_id, id, type, source_type, source_id, trace_id, created_at, envelope)
        select ${elsewhere.id}, id, type, source_type, source_id, trace_id, created_at, envelope from outbox_events
        where environment_id = ${sandbox.id}`
      const { get } = yield* Api
      assert.strictEqual(received.length, 1)
      const answer = yield* get("/v1/webhook-events/listen?start_at=oldest", { key: elsewhere.key })
      assert.strictEqual(answer.status, 500)
      assert.notInclude(answer.text, link)
    })
  )
})

it("have exactly the declared members of the declared type masked", () => {
  const mask = maskEvents([Invited])
  const envelope = { id: "evt_1", data: { invite_link: link, other: link } }
  assert.deepStrictEqual(mask("flow.completed", envelope), {
    id: "evt_1",
    data: { invite_link: "[REDACTED]", other: link }
  })
  assert.deepStrictEqual(mask("message.sent", envelope), envelope)
  assert.isNull(mask("flow.completed", null))
  assert.deepStrictEqual(mask("flow.completed", { data: { invite_link: null } }), { data: { invite_link: null } })
})
