import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { seededTemplateRows } from "@carteiro/runtime/templates/Templates.ts"
import type { ContactEntry } from "@carteiro/schema/contacts/Contact.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { upstreamStage } from "../support/Upstream.ts"

type Contact = typeof ContactEntry.Type

/** A production number behind the platform, and what tests of customers without a phone look at. */
export const hiddenStage = Effect.gen(function* () {
  const stage = yield* upstreamStage
  const { api, key, number, sql, tell } = stage
  const environment_id = number.environment_id
  let posted = 0
  /** Posts an inbound text of a customer whom the platform names by these members. */
  const write = (
    who: { readonly from?: string; readonly user_id?: string; readonly username?: string },
    body = "oi",
    more: object = {}
  ) =>
    Effect.gen(function* () {
      const { from, user_id, username } = who
      const id = `wamid.${environment_id}.${number.id}.${++posted}`
      const contact = { profile: { name: "Ana", username }, wa_id: from, user_id }
      const message = {
        from,
        from_user_id: user_id,
        id,
        timestamp: `${Math.floor(Date.now() / 1000)}`,
        type: "text",
        text: { body },
        ...more
      }
      const answer = yield* tell({
        object: "whatsapp_business_account",
        entry: [
          {
            id: "2001",
            changes: [
              {
                field: "messages",
                value: { metadata: { phone_number_id: "1001" }, contacts: [contact], messages: [message] }
              }
            ]
          }
        ]
      })
      assert.strictEqual(answer.status, 200)
      return id
    })
  const messageOf = (provider_message_id: string) =>
    Effect.gen(function* () {
      const find = Effect.orDie(sql<{ readonly id: string }>`select id from messages
        where provider_message_id = ${provider_message_id} and business_id = ${number.id}`)
      yield* until(Effect.map(find, (rows) => rows.length === 1))
      return (yield* find)[0]?.id ?? ""
    })
  const received = (id: string) =>
    Effect.map(
      Effect.orDie(sql<{ readonly envelope: string }>`select envelope from outbox_events
        where source_id = ${id} and type = 'message.received'`),
      ([row]) => JSON.parse(row?.envelope ?? "{}").data
    )
  const contacts = (query = "") =>
    Effect.map(api.get(`/v1/contacts?limit=100${query}`, { key }), ({ body }) => body.data as ReadonlyArray<Contact>)
  const heard = (who: Parameters<typeof write>[0], body?: string, more?: object) =>
    Effect.flatMap(write(who, body, more), messageOf)
  const seedTemplates = Effect.gen(function* () {
    const rows = seededTemplateRows(yield* Ids, { environment_id, kind: "production", at: Date.now() })
    yield* (yield* Commit).write([...rows])
  })
  return { ...stage, environment_id, seedTemplates, write, heard, messageOf, received, contacts }
})
