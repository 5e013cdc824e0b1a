import { erasureJob } from "@carteiro/runtime/contacts/erasure/ErasureJob.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { hiddenStage } from "../messages/HiddenStage.ts"
import { until } from "../support/Until.ts"
import { UpstreamProduct } from "../support/Upstream.ts"

const settings = { CARTEIRO_GROUPS_UPSTREAM_REPORTS_ENABLED: "true" }

it.layer(UpstreamProduct({ settings }), { excludeTestServices: true })("Participants who hide their phone", (it) => {
  it.effect(
    "are known by their id, and are erased with their contact: list, history, events and responses U-GRP-01",
    () =>
      Effect.gen(function* () {
        const { api, contacts, control, environment_id, heard, key, number, sql } = yield* hiddenStage
        yield* api.post(
          "/v1/webhook-endpoints",
          { url: "https://receiver.example/hook", subscribed_events: ["group.participant_joined"] },
          { key }
        )
        const made = yield* api.post("/v1/groups", { phone_number_id: number.id, subject: "May" }, { key })
        const read = Effect.map(api.get(`/v1/groups/${made.body.id}`, { key }), ({ body }) => body)
        yield* until(Effect.map(read, ({ status }) => status === "active"))
        const { provider_group_id } = yield* read
        const [erased, stays] = ["BR.7700000000000001", "BR.7700000000000002"]
        for (const user_id of [erased, stays]) {
          yield* control("/participants", { group_id: provider_group_id, action: "join", user_id })
        }
        yield* until(Effect.map(read, ({ participant_count }) => participant_count === 2))
        yield* heard({ user_id: erased })
        const [contact] = yield* contacts(`&user_id=${erased}`)
        assert.strictEqual((yield* api.delete(`/v1/contacts/${contact?.id}`, { key })).status, 200)
        yield* erasureJob.run
        const chats = (yield* read).participants.map(({ chat_id }: { readonly chat_id: string }) => chat_id)
        assert.deepStrictEqual(chats, [stays])
        const listed = yield* api.get("/v1/webhook-events?limit=100", { key })
        assert.notInclude(listed.text, erased)
        assert.include(listed.text, stays)
        for (const [table, column] of [
          ["group_participants", "chat_id"],
          ["group_participations", "chat_id"],
          ["outbox_events", "envelope"]
        ]) {
          const rows = yield* sql.unsafe(
            `select 1 from ${table} where environment_id = $1 and position($2 in ${column}) > 0`,
            [environment_id, erased]
          )
          assert.lengthOf(rows, 0, table)
        }
      })
  )
})
