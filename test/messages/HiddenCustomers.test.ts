import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { UpstreamProduct } from "../support/Upstream.ts"
import { upstreamCase } from "../support/UpstreamCase.ts"
import { hiddenStage } from "./HiddenStage.ts"

const idsOf = (input: {
  readonly entry: ReadonlyArray<{
    readonly changes: ReadonlyArray<{ readonly value: { readonly messages: ReadonlyArray<{ readonly id: string }> } }>
  }>
}): ReadonlyArray<string> => input.entry[0]?.changes[0]?.value.messages.map(({ id }) => id) ?? []

it.layer(UpstreamProduct(), { excludeTestServices: true })("Customers who hide their phone", (it) => {
  it.effect("are named by id and username in event, read and contact, and open a window U-HID-01", () =>
    Effect.gen(function* () {
      const { contacts, messageOf, read, received, sql, tell } = yield* hiddenStage
      const { input } = upstreamCase("bsuid-text")
      yield* tell(input)
      const id = yield* messageOf(idsOf(input)[0] ?? "")
      const sender = {
        type: "phone_e164",
        id: "",
        profile_name: "Sem Telefone",
        user_id: "BR.2000000000000002",
        username: "@semfone"
      }
      assert.deepStrictEqual((yield* received(id)).sender, sender)
      assert.deepStrictEqual((yield* read(id)).sender, sender)
      const [contact] = yield* contacts()
      assert.deepInclude(contact, { phone: "", user_id: sender.user_id, username: "@semfone", source: "inbound" })
      const windows = yield* sql`select 1 from service_windows where customer_key = ${sender.user_id}`
      assert.lengthOf(windows, 1)
    })
  )

  it.effect("opt out by a word U-HID-03", () =>
    Effect.gen(function* () {
      const { contacts, messageOf, tell } = yield* hiddenStage
      const { input } = upstreamCase("bsuid-opt-out")
      yield* tell(input)
      yield* messageOf(idsOf(input)[0] ?? "")
      const found = (yield* contacts()).filter(({ user_id }) => user_id === "BR.2000000000000003")
      assert.deepStrictEqual(
        found.map(({ opt_in_status, source }) => [opt_in_status, source]),
        [["opted_out", "inbound_keyword"]]
      )
    })
  )

  it.effect("each keep the profile name of their own entry U-INB-01", () =>
    Effect.gen(function* () {
      const { messageOf, read, tell } = yield* hiddenStage
      const { input } = upstreamCase("bsuid-two-people-names")
      yield* tell(input)
      const names = yield* Effect.forEach(idsOf(input), (id) =>
        Effect.map(Effect.flatMap(messageOf(id), read), ({ sender }) => sender.profile_name)
      )
      assert.deepStrictEqual(names, ["BsUm", "BsDois"])
    })
  )

  it.effect("without an entry of their own have no profile name U-INB-01", () =>
    Effect.gen(function* () {
      const { messageOf, read, tell } = yield* hiddenStage
      const { input } = upstreamCase("bsuid-two-people-names")
      const value = input.entry[0].changes[0].value
      value.messages = [{ ...value.messages[0], id: "wamid.stranger", from_user_id: "BR.33" }]
      yield* tell(input)
      assert.isNull((yield* read(yield* messageOf("wamid.stranger"))).sender.profile_name)
    })
  )

  it.effect("become one contact with their phone when a notice names both; the older id stays U-HID-03", () =>
    Effect.gen(function* () {
      const { api, contacts, heard, key, sql } = yield* hiddenStage
      const user_id = "BR.7000000000000001"
      yield* heard({ user_id, username: "@bia" })
      const [hidden] = (yield* contacts()).filter((one) => one.user_id === user_id)
      yield* heard({ from: "5511970000001" })
      const [phoned] = yield* contacts("&phone=%2B5511970000001")
      assert.notStrictEqual(hidden?.id, phoned?.id)
      yield* heard({ from: "5511970000001", user_id })
      const joined = (yield* contacts()).filter((one) => one.phone === "+5511970000001" || one.user_id === user_id)
      assert.deepStrictEqual(
        joined.map(({ id, phone, user_id: shown, username }) => [id, phone, shown, username]),
        [[hidden?.id ?? "", "+5511970000001", user_id, "@bia"]]
      )
      assert.strictEqual((yield* api.get(`/v1/contacts/${phoned?.id}`, { key })).body.id, hidden?.id)
      const rows = yield* sql`select distinct customer_key from messages where customer_user_id = ${user_id}
        or customer_id = '+5511970000001'`
      assert.deepStrictEqual(rows, [{ customer_key: "5511970000001" }])
      assert.lengthOf(yield* sql`select 1 from service_windows where customer_key = ${user_id}`, 0)
    })
  )

  it.effect("who opted out stay opted out when they are joined to a phone that opted in U-HID-03", () =>
    Effect.gen(function* () {
      const { api, contacts, heard, key } = yield* hiddenStage
      const user_id = "BR.7000000000000002"
      yield* heard({ user_id }, "PARAR")
      yield* api.post("/v1/contacts/opt-in", { phone: "+5511970000002" }, { key })
      yield* heard({ from: "5511970000002", user_id })
      const [contact] = yield* contacts("&phone=%2B5511970000002")
      assert.deepInclude(contact, { user_id, opt_in_status: "opted_out" as const })
    })
  )

  it.effect("are joined once when two notices name both ids at the same moment U-HID-03", () =>
    Effect.gen(function* () {
      const { contacts, heard, messageOf, write } = yield* hiddenStage
      const user_id = "BR.7000000000000003"
      yield* heard({ user_id })
      const ids = yield* Effect.all(
        [
          write({ from: "5511970000003", user_id }),
          write({ user_id }),
          write({ from: "5511970000003", user_id }),
          write({ user_id })
        ],
        { concurrency: "unbounded" }
      )
      yield* Effect.forEach(ids, messageOf)
      const found = (yield* contacts()).filter((one) => one.user_id === user_id || one.phone === "+5511970000003")
      assert.lengthOf(found, 1)
      assert.strictEqual(found[0]?.phone, "+5511970000003")
    })
  )
})
