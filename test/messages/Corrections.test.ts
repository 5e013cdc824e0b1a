import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { InboundContent } from "@carteiro/schema/messages/InboundContent.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { hiddenStage } from "./HiddenStage.ts"

const original = "wamid.H3mwzk1rwh0001=="
const phone = "5511900010001"
const second = 1_795_818_641
const heardAt = formatTimestamp(second * 1000)

/** The text that the cases correct and withdraw. */
const written = (id = original, from = phone) => ({
  from,
  id,
  timestamp: `${second - 60}`,
  type: "text",
  text: { body: "texto" }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("What customers say of earlier messages", (it) => {
  it.effect("shows a correction and marks the corrected message U-INB-03", () =>
    Effect.gen(function* () {
      const { messageOf, read, received, tell } = yield* hiddenStage
      yield* tell(told({ messages: [written()] }))
      const first = yield* messageOf(original)
      assert.notProperty(yield* read(first), "edited_at")
      const { input } = upstreamCase("edit")
      yield* tell(input)
      const id = yield* messageOf(input.entry[0].changes[0].value.messages[0].id)
      const content = { type: "text", text: { body: "texto corrigido" } }
      const unknown = {
        provider_type: "edit",
        edit: { message_id: first, provider_message_id: original, content }
      }
      const data = yield* received(id)
      assert.deepStrictEqual(data.content, { type: "unknown", unknown })
      assert.isTrue(Schema.is(InboundContent)(data.content))
      assert.deepStrictEqual((yield* read(id)).unknown, unknown)
      assert.strictEqual((yield* read(first)).edited_at, heardAt)
    })
  )

  it.effect("marks a message that comes in a later call than what corrects and withdraws it U-INB-03", () =>
    Effect.gen(function* () {
      const { messageOf, read, tell } = yield* hiddenStage
      const late = "wamid.late.corrected"
      const about = (kind: "edit" | "revoke", id: string) => {
        const { input } = upstreamCase(kind)
        const [message] = input.entry[0].changes[0].value.messages
        message.id = id
        message[kind].original_message_id = late
        return input
      }
      yield* tell(about("edit", "wamid.late.edit"))
      yield* tell(about("revoke", "wamid.late.revoke"))
      yield* messageOf("wamid.late.edit")
      yield* messageOf("wamid.late.revoke")
      yield* tell(told({ messages: [written(late)] }))
      const id = yield* messageOf(late)
      yield* until(
        Effect.map(read(id), ({ edited_at, revoked_at }) => edited_at === heardAt && revoked_at !== undefined)
      )
      assert.notProperty(yield* read(yield* messageOf("wamid.late.edit")), "edited_at")
    })
  )

  it.effect("shows a withdrawal and marks the withdrawn message, in reads and lists U-INB-03", () =>
    Effect.gen(function* () {
      const { api, key, messageOf, read, received, tell } = yield* hiddenStage
      yield* tell(told({ messages: [written()] }))
      const first = yield* messageOf(original)
      const page = yield* api.get("/v1/messages?limit=5", { key })
      assert.notProperty(page.body.data[0], "revoked_at")
      const { input } = upstreamCase("revoke")
      yield* tell(input)
      const id = yield* messageOf(input.entry[0].changes[0].value.messages[0].id)
      const revoke = { message_id: first, provider_message_id: original }
      assert.deepStrictEqual((yield* received(id)).content.unknown, { provider_type: "revoke", revoke })
      assert.strictEqual((yield* read(first)).revoked_at, heardAt)
      assert.notProperty(yield* read(first), "edited_at")
      for (const query of ["", "&include=payload", "&direction=inbound"]) {
        const { body } = yield* api.get(`/v1/messages?limit=5${query}`, { key })
        const listed = (body.data as ReadonlyArray<{ readonly id: string; readonly revoked_at?: string }>).find(
          (one) => one.id === first
        )
        assert.strictEqual(listed?.revoked_at, heardAt, query)
      }
    })
  )

  it.effect(
    "follows a caption, other types and a message of the same call, and marks no message of the business U-INB-03",
    () =>
      Effect.gen(function* () {
        const { heard, messageOf, read, reaches, send, tell, text } = yield* hiddenStage
        const edited = (original_message_id: string, message: object) => ({
          type: "edit",
          edit: { original_message_id, message }
        })
        const from = "5511974200001"
        const caption = yield* heard({ from }, "", edited("wamid.never", { type: "image", image: { caption: "novo" } }))
        assert.deepStrictEqual((yield* read(caption)).unknown.edit, {
          message_id: null,
          provider_message_id: "wamid.never",
          content: { type: "media", media: { kind: "image", caption: "novo" } }
        })
        const other = yield* heard({ from }, "", edited("wamid.never", { type: "poll", poll: {} }))
        assert.isNull((yield* read(other)).unknown.edit.content)
        const nameless = yield* heard({ from }, "", { type: "revoke", revoke: {} })
        assert.deepStrictEqual((yield* read(nameless)).unknown, { provider_type: "revoke" })

        const revoke = { original_message_id: "wamid.together" }
        yield* tell(
          told({
            messages: [
              written("wamid.together", from),
              { from, id: "wamid.taken-back", timestamp: `${second}`, type: "revoke", revoke }
            ]
          })
        )
        const taken = yield* read(yield* messageOf("wamid.taken-back"))
        const together = yield* messageOf("wamid.together")
        assert.strictEqual(taken.unknown.revoke.message_id, together)
        assert.strictEqual((yield* read(together)).revoked_at, heardAt)

        yield* heard({ from })
        const sent = (yield* send(text("oi"), `+${from}`)).body.id
        yield* reaches(sent, "sent", "delivered", "read")
        const { provider_message_id } = yield* read(sent)
        yield* heard({ from }, "", { type: "revoke", revoke: { original_message_id: provider_message_id } })
        assert.notProperty(yield* read(sent), "revoked_at")
      })
  )

  it.effect("opens no window, is no keyword and makes no contact U-INB-03 M-WIN-01", () =>
    Effect.gen(function* () {
      const { contacts, heard, send, sql, text } = yield* hiddenStage
      const from = "5511974200002"
      const parar = { type: "text", text: { body: "PARAR" } }
      const edit = { original_message_id: "wamid.none", message: parar }
      for (const more of [
        { type: "edit", edit },
        { type: "revoke", revoke: { original_message_id: "wamid.none" } },
        { type: "system", system: { type: "customer_identity_changed", body: "PARAR" } }
      ]) {
        yield* heard({ from }, "PARAR", more)
      }
      const find = contacts(`&phone=${encodeURIComponent(`+${from}`)}`)
      assert.deepStrictEqual(yield* find, [])
      assert.lengthOf(yield* sql`select 1 from service_windows where customer_key = ${from}`, 0)
      assert.strictEqual((yield* send(text("oi"), `+${from}`)).body.error.code, "service_window_required")
      // Of a customer who is known, a correction changes no choice either.
      yield* heard({ from })
      yield* heard({ from }, "", { type: "edit", edit })
      assert.strictEqual((yield* find)[0]?.opt_in_status, "none")
    })
  )

  it.effect("shows a change of the customer U-INB-03 U-HID-05", () =>
    Effect.gen(function* () {
      const { heard, messageOf, read, received, tell } = yield* hiddenStage
      const { input } = upstreamCase("system-user-changed-number")
      yield* tell(input)
      const id = yield* messageOf(input.entry[0].changes[0].value.messages[0].id)
      const system = {
        change: "phone",
        previous: { phone: "+5511900010001", user_id: "BR.1000000000000001" },
        current: { phone: "+5511900010099", user_id: "BR.1000000000000099" }
      }
      assert.deepStrictEqual((yield* received(id)).content.unknown, { provider_type: "system", system })
      assert.deepStrictEqual((yield* read(id)).unknown, { provider_type: "system", system })
      const other = yield* heard({ from: "5511974200003" }, "", {
        type: "system",
        system: { type: "customer_identity_changed" }
      })
      assert.deepStrictEqual((yield* read(other)).unknown.system, {
        change: "customer_identity_changed",
        previous: null,
        current: null
      })
    })
  )

  it.effect('is erased with the customer, whichever phone names them U-INB-03 gaps-2 I "Erasure"', () =>
    Effect.gen(function* () {
      const { api, contacts, environment_id, heard, key, read, sql } = yield* hiddenStage
      const [old, next] = ["5511974200004", "5511974200005"] as const
      const secret = "segredo corrigido"
      yield* heard({ from: old })
      const message = { type: "text", text: { body: secret } }
      const edit = yield* heard({ from: old }, "", {
        type: "edit",
        edit: { original_message_id: "wamid.none", message }
      })
      const moved = yield* heard({ from: old }, "", {
        type: "system",
        system: { type: "user_changed_number", wa_id: next }
      })
      const find = contacts(`&phone=%2B${next}`)
      yield* until(Effect.map(find, (all) => all.length === 1))
      const [contact] = yield* find
      assert.strictEqual((yield* api.delete(`/v1/contacts/${contact?.id}`, { key })).status, 200)
      const redacted = Effect.gen(function* () {
        yield* erasureJob.run
        const all = yield* Effect.forEach([edit, moved], read)
        return all.every(({ redacted_at }) => redacted_at !== null)
      })
      yield* until(redacted)
      const telling = (table: string) =>
        sql.unsafe(
          `select 1 from ${table} t
        where t.environment_id = $1 and t::text ~ '${secret}|97420000[45]'`,
          [environment_id]
        )
      yield* until(
        Effect.gen(function* () {
          yield* erasureJob.run
          return (yield* telling("messages")).length + (yield* telling("outbox_events")).length === 0
        })
      )
    })
  )
})
