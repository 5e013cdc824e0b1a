import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { told, UpstreamProduct } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { hiddenStage } from "./HiddenStage.ts"

it.layer(UpstreamProduct(), { excludeTestServices: true })("The ids of one customer", (it) => {
  it.effect("are joined by a status that names both U-HID-03 U-HID-05", () =>
    Effect.gen(function* () {
      const { contacts, faults, heard, reaches, read, send, tell, text } = yield* hiddenStage
      const user_id = "BR.7400000000000001"
      yield* heard({ user_id })
      yield* heard({ from: "5511974000001" })
      yield* faults({ name: "no_status", times: 1 })
      const { id } = (yield* send(text("oi"), "+5511974000001")).body
      yield* reaches(id, "sent")
      const status = { status: "delivered", timestamp: "1795818764", recipient_id: "5511974000001" }
      const provider_message_id = (yield* read(id)).provider_message_id
      yield* tell(told({ statuses: [{ ...status, id: provider_message_id, recipient_user_id: user_id }] }))
      const named = Effect.map(contacts(), (all) => all.filter((one) => one.user_id === user_id))
      yield* until(Effect.map(named, ([one]) => one?.phone === "+5511974000001"))
      assert.lengthOf(yield* named, 1)
    })
  )

  it.effect("stop marketing of a customer without a phone U-HID-05", () =>
    Effect.gen(function* () {
      const { contacts, heard, tell } = yield* hiddenStage
      yield* heard({ user_id: "BR.2000000000000002" })
      yield* tell(upstreamCase("user-preferences-bsuid").input)
      const stopped = Effect.map(contacts("&user_id=BR.2000000000000002"), ([one]) => one?.marketing_stopped === true)
      yield* until(stopped)
    })
  )

  it.effect("lead from a phone to the next one, which opens no window U-HID-05", () =>
    Effect.gen(function* () {
      const { api, contacts, heard, key, sql, tell } = yield* hiddenStage
      yield* heard({ from: "5511900010001", user_id: "BR.1000000000000001" }, "PARAR")
      const [before] = yield* contacts("&phone=%2B5511900010001")
      yield* sql`delete from service_windows where customer_key = '5511900010001'`
      yield* tell(upstreamCase("system-user-changed-number").input)
      const moved = Effect.map(
        contacts("&phone=%2B5511900010099"),
        ([one]) => one?.id === before?.id && one?.user_id === "BR.1000000000000099"
      )
      yield* until(moved)
      const [contact] = yield* contacts("&phone=%2B5511900010099")
      assert.deepInclude(contact, { user_id: "BR.1000000000000099", opt_in_status: "opted_out" as const })
      const old = yield* api.get("/v1/contacts?user_id=BR.1000000000000001", { key })
      assert.strictEqual(old.body.data[0].id, before?.id)
      assert.lengthOf(yield* sql`select 1 from service_windows where customer_key = '5511900010099'`, 0)
    })
  )

  it.effect("lead from an id to the next one, in either notice U-HID-05", () =>
    Effect.gen(function* () {
      const { contacts, heard, tell, write } = yield* hiddenStage
      const [first, second, third] = ["BR.7400000000000011", "BR.7400000000000012", "BR.7400000000000013"] as const
      yield* heard({ user_id: first })
      const [before] = yield* contacts(`&user_id=${first}`)
      yield* tell(told({ user_id_update: [{ user_id: { previous: first, current: second } }] }, "user_id_update"))
      const idOf = (user_id: string) => Effect.map(contacts(`&user_id=${user_id}`), ([one]) => one?.id)
      yield* until(Effect.map(idOf(second), (id) => id === before?.id))
      assert.strictEqual(yield* idOf(first), before?.id)
      yield* write({ user_id: second }, "", {
        type: "system",
        system: { type: "user_changed_user_id", user_id: third }
      })
      yield* until(Effect.map(idOf(third), (id) => id === before?.id))
      assert.strictEqual(yield* idOf(first), before?.id)
    })
  )

  it.effect("are joined by the phone that a button asked for, and by no card that is sent on U-HID-06", () =>
    Effect.gen(function* () {
      const { contacts, heard } = yield* hiddenStage
      const user_id = "BR.7400000000000021"
      const card = (origin: string, wa_id: string) => ({
        type: "contacts",
        contacts: [{ name: { formatted_name: "Ana" }, phones: [{ phone: `+${wa_id}`, wa_id }], origin }]
      })
      yield* heard({ user_id }, "", card("other", "5511974000022"))
      assert.strictEqual((yield* contacts(`&user_id=${user_id}`))[0]?.phone, "")
      yield* heard({ user_id }, "", card("contact_request", "5511974000021"))
      assert.strictEqual((yield* contacts(`&user_id=${user_id}`))[0]?.phone, "+5511974000021")
    })
  )
})
