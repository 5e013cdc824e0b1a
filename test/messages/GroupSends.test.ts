import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { turnBy } from "../support/OwnerTest.ts"
import { told as refusal } from "../support/Told.ts"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct } from "../support/Upstream.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { hiddenStage } from "./HiddenStage.ts"
import { sandboxProject } from "./SandboxProject.ts"

const to = (id: string) => ({ recipient: { type: "chatapp_group", id } })
const unknownGroup = "grp_01kah7v3m8q6x2r9d4t5w0y1z3"
const seconds = () => `${Math.floor(Date.now() / 1000)}`

/** An active group of the number behind the platform, and what its members do. */
const groupStage = Effect.gen(function* () {
  const stage = yield* hiddenStage
  const { api, key, number, send, simulator, tell } = stage
  simulator.world.records = true
  const made = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "Clube" }, { key })
  const path = `/v1/groups/${made.body.id}`
  const group = Effect.map(api.get(path, { key }), ({ body }) => body)
  yield* until(Effect.map(group, ({ status }) => status === "active"))
  const { id, provider_group_id } = yield* group
  return {
    ...stage,
    group,
    path,
    id: id as string,
    provider_group_id: provider_group_id as string,
    toGroup: (message: object, more: object = {}) => send(message, "", { ...to(id), ...more }),
    /** Returns the body that was posted last. */
    posted: () =>
      simulator.log.read(0, "call").findLast(({ path }) => `${path}`.endsWith("/messages"))?.request as Readonly<
        Record<string, unknown>
      >,
    suspension: (type: string, timestamp: string) =>
      tell(told({ groups: [{ type, group_id: provider_group_id, timestamp }] }, "group_status_update"))
  }
})

it.layer(UpstreamProduct({ settings: { CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true" } }), {
  excludeTestServices: true
})("Sends to groups", (it) => {
  it.effect("open with a member's message, and go out to the group U-SND-11", () =>
    Effect.gen(function* () {
      const stage = yield* groupStage
      const { heard, id, provider_group_id, reaches, read, send, sql, text, toGroup } = stage
      assert.deepStrictEqual(refusal(yield* toGroup(text())), [400, "service_window_required", "message.type"])
      const from = "5511974300100"
      const question = yield* heard({ from }, "Que horas?", { group_id: provider_group_id })
      const sent = yield* toGroup(text("Às nove"), { reply_to: { message_id: question } })
      assert.strictEqual(sent.status, 202, sent.text)
      yield* reaches(sent.body.id, "read")
      const shown = yield* read(sent.body.id)
      assert.deepInclude(shown, { ...to(id), group_id: id, provider_group_id, type: "text" })
      const body = stage.posted()
      assert.deepInclude(body, { recipient_type: "group", to: provider_group_id })
      assert.notProperty(body, "recipient")
      assert.property(body, "context")
      const private_ = yield* send(text(), `+${from}`)
      assert.strictEqual(private_.body.error.code, "service_window_required")
      const events = yield* sql<{ readonly subject: unknown; readonly envelope: string }>`select subject, envelope
        from outbox_events where source_id = ${sent.body.id} and type = 'message.sent'`
      assert.deepStrictEqual(
        events.map(({ envelope, subject }) => [subject, JSON.parse(envelope).data.to]),
        [[null, id]]
      )
      const { body: page } = yield* stage.api.get(`/v1/messages?recipient=${id}`, { key: stage.key })
      assert.deepStrictEqual(
        page.data.map((one: { readonly id: string }) => one.id),
        [sent.body.id]
      )
      assert.lengthOf(yield* sql`select 1 from contacts where match_key = ${id}`, 0)
    })
  )

  it.effect("use no daily slot and no guard of persons, and take no code U-SND-11", () =>
    Effect.gen(function* () {
      const { number, reaches, seedTemplates, sql, toGroup } = yield* groupStage
      yield* seedTemplates
      yield* sql`update phone_numbers set messaging_tier = 'tier_50', quality_rating = 'green' where id = ${number.id}`
      const promo = {
        type: "template",
        template: { name: "promo", language: "pt_BR", variables: { first_name: "turma" } }
      }
      for (let n = 0; n < 3; n++) {
        const sent = yield* toGroup(promo)
        assert.strictEqual(sent.status, 202, sent.text)
        assert.isNull(sent.body.status_reason)
        yield* reaches(sent.body.id, "read")
      }
      assert.lengthOf(yield* sql`select 1 from allowance_slots where business_id = ${number.id}`, 0)
      const code = { type: "template", template: { name: "code", language: "pt_BR", variables: { "1": "123456" } } }
      assert.deepStrictEqual(refusal(yield* toGroup(code)), [400, "invalid_message_request", "recipient.type"])
    })
  )

  it.effect("are refused for groups and kinds that take none U-SND-11", () =>
    Effect.gen(function* () {
      const stage = yield* groupStage
      const { api, id, key, path, send, suspension, text, toGroup } = stage
      yield* stage.heard({ from: "5511974300101" }, "oi", { group_id: stage.provider_group_id })
      const button = { body: { text: "?" }, action: { buttons: [{ type: "reply", reply: { id: "a", title: "A" } }] } }
      for (const [answer, expected] of [
        [yield* send(text(), "", to(unknownGroup)), "404 group_not_found recipient.id"],
        [yield* send(text(), "", to("1203630@g.us")), "400 invalid_message_request recipient.id"],
        [
          yield* toGroup({ type: "interactive", interactive: { type: "button", ...button } }),
          "400 invalid_message_request message.type"
        ],
        [
          yield* toGroup(text(), { reply_to: { message_id: "msg_01kah7v3m8q6x2r9d4t5w0y1z3" } }),
          "404 message_not_found reply_to.message_id"
        ],
        [yield* toGroup(text(), { channel: "chatapp_channel" }), "400 invalid_message_request recipient.type"]
      ] as const) {
        assert.strictEqual(refusal(answer).join(" "), expected)
      }
      const row = { to: id, message: text() }
      const batch = yield* api.post(
        "/v1/batches",
        { channel: "chatapp", sender: { type: "chatapp_phone_number", id: stage.number.id }, recipients: [row] },
        { key, headers: { "idempotency-key": "to-a-group" } }
      )
      assert.strictEqual(batch.status, 400, batch.text)

      const now = Math.floor(Date.now() / 1000)
      yield* suspension("group_suspend", `${now}`)
      yield* until(Effect.map(stage.group, ({ suspended_at }) => suspended_at !== undefined))
      const suspended = yield* toGroup(text())
      assert.deepStrictEqual(refusal(suspended), [409, "group_not_active", "recipient.id"])
      assert.include(suspended.body.error.message, "suspended")
      // A report that comes late does not undo the newer one.
      yield* suspension("group_suspend_cleared", `${now + 60}`)
      yield* until(Effect.map(stage.group, ({ suspended_at }) => suspended_at === undefined))
      yield* suspension("group_suspend", `${now + 30}`)
      yield* until(
        stage.sql`select 1 from vendor_webhook_work where owner_type = 'UpstreamGroups' and due_at is not null`.pipe(
          Effect.map((rows) => rows.length === 0),
          Effect.orDie
        )
      )
      assert.strictEqual((yield* toGroup(text())).status, 202)

      yield* api.delete(path, { key })
      yield* until(Effect.map(stage.group, ({ status }) => status === "deleted"))
      assert.deepStrictEqual(refusal(yield* toGroup(text())), [409, "group_not_active", "recipient.id"])
    })
  )

  it.effect("follow the statuses of members, and take no group for a phone U-SND-11 U-STA-01", () =>
    Effect.gen(function* () {
      const { faults, heard, id, provider_group_id, reaches, read, sql, tell, text, toGroup } = yield* groupStage
      yield* heard({ from: "5511974300102" }, "oi", { group_id: provider_group_id })
      yield* faults({ name: "no_status", times: 1 })
      const sent = (yield* toGroup(text("oi"))).body.id
      yield* reaches(sent, "sent")
      const { provider_message_id } = yield* read(sent)
      const about = (status: string, more: object = {}) => ({
        id: provider_message_id,
        status,
        timestamp: seconds(),
        // Digits as old groups have them; a phone would be joined with the id of a member.
        recipient_id: "120363999999999",
        recipient_type: "group",
        recipient_user_id: "BR.7440000000000777",
        ...more
      })
      yield* tell(
        told({
          statuses: [
            about("failed", { recipient_participant_id: "5511974300103", errors: [{ code: 131026, title: "no" }] }),
            about("delivered", {
              recipient_participant_id: "5511974300104",
              conversation: { pricing: { billable: true, pricing_model: "PMP", category: "group_service" } }
            }),
            about("delivered", { participant_recipient_id: "5511974300105" })
          ]
        })
      )
      yield* reaches(sent, "delivered")
      const shown = yield* read(sent)
      assert.deepInclude(shown, { ...to(id), error_code: null })
      assert.deepInclude(shown.pricing, { billable: true, category: "group_service" })
      const steps = shown.events.map(({ type }: { readonly type: string }) => type)
      assert.strictEqual(steps.filter((type: string) => type === "message.delivered").length, 1)
      assert.include(steps, "message.warning")
      assert.notInclude(steps, "message.failed")
      assert.lengthOf(yield* sql`select 1 from customer_ids where customer_key = '120363999999999'`, 0)
    })
  )
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("Simulated sends to groups", (it) => {
  it.effect(
    "open with a simulated member's message, and stop when the group is deleted before their turn U-SND-11",
    () =>
      Effect.gen(function* () {
        const { api, key, number, simulate } = yield* sandboxProject
        const sql = yield* SqlClient.SqlClient
        const { body: group } = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "Clube" }, { key })
        const send = () =>
          api.post(
            "/v1/messages",
            {
              channel: "chatapp",
              sender: { type: "chatapp_phone_number", id: number.id },
              ...to(group.id),
              message: { type: "text", text: { body: "Às nove" } }
            },
            { key }
          )
        const early = yield* send()
        assert.deepStrictEqual(refusal(early), [409, "group_not_active", "recipient.id"])
        assert.include(early.body.error.message, "group.created")
        yield* turnBy(1000)
        assert.deepStrictEqual(refusal(yield* send()), [400, "service_window_required", "message.type"])
        yield* simulate({ group_id: group.id })
        const sent = yield* send()
        assert.strictEqual(sent.status, 202, sent.text)
        yield* turnBy(10_000)
        const read = (id: string) => Effect.map(api.get(`/v1/messages/${id}`, { key }), ({ body }) => body)
        assert.deepInclude(yield* read(sent.body.id), { ...to(group.id), status: "read", group_id: group.id })
        const late = yield* send()
        yield* sql`update groups set status = 'deleting' where id = ${group.id}`
        yield* turnBy(10_000)
        assert.deepInclude(yield* read(late.body.id), { status: "failed", error_code: "group_not_active" })
      })
  )
})
