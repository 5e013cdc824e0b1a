import { readUnlistedPhone } from "@carteiro/spellings/Phone.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedTenant } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const cited = 'gaps-2 A "Phones outside `recipient.id`"'

/** Whole numbers of ranges that no plan lists, in spellings of people. */
const unlisted = ["+1 271 555 0100", "00351 999 999 999", "+86 102 0000 0000", "+55 (11) 8888-77777"]

describe("A number whose range is newer than the numbering plan", () => {
  it("is read when it is international, whole and suggests no other", () => {
    assert.deepStrictEqual(
      unlisted.map((written) => readUnlistedPhone(written, "BR")),
      ["+12715550100", "+351999999999", "+8610200000000", "+5511888877777"]
    )
  })

  it("is not read from a listed one, a national one, one that suggests another, or one too short or too long", () => {
    for (const written of [
      "+5511987654321",
      "+11987654321",
      "+5500999990001",
      "+55 11 9 9999-00010",
      "+98765-4321",
      "11888877777",
      "12715550100",
      // A mobile of São José dos Campos to which somebody added a plus.
      "+1 291 555 0100",
      "+5511888877777.0",
      "+999 1234 56789",
      `+${"9".repeat(16)}`,
      "+".padEnd(70, "1")
    ])
      assert.isUndefined(readUnlistedPhone(written, "BR"), written)
  })

  it("is `+` and the digits that were written, whatever the text", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(?:\+|00)[\d ().-]{6,20}$/), (written) => {
        const phone = readUnlistedPhone(written, "BR")
        if (phone !== undefined) assert.strictEqual(phone, `+${written.replace(/^00/, "").replaceAll(/\D/g, "")}`)
      })
    )
  })
})

it.layer(WholeProduct({ sweeps: false }), { excludeTestServices: true })("An opt-out of such a number", (it) => {
  it.effect(`is taken with a warning, found by the filter, and stops messages, ${cited}, M-CON-13`, () =>
    Effect.gen(function* () {
      const api = yield* Api
      const { sandbox } = yield* seedTenant("unlisted")
      const number = yield* seedNumber(sandbox)
      const { key } = sandbox
      for (const phone of unlisted) {
        const id = readUnlistedPhone(phone, "BR") ?? ""
        const send = api.post(
          "/v1/messages",
          {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: number.id },
            recipient: { type: "phone_e164", id },
            message: { type: "text", text: { body: "oi" } }
          },
          { key }
        )
        assert.notStrictEqual((yield* send).body.error?.code, "contact_opted_out")
        const stopped = yield* api.post("/v1/contacts/opt-out", { phone }, { key })
        assert.deepStrictEqual(
          [stopped.status, stopped.body.phone, stopped.body.opt_in_status, stopped.headers["svc-warning"]],
          [200, id, "opted_out", "invalid_phone_number"],
          phone
        )
        assert.strictEqual((yield* send).body.error.code, "contact_opted_out", phone)
        const { body } = yield* api.get(`/v1/contacts?phone=${encodeURIComponent(phone)}`, { key })
        assert.deepStrictEqual(
          body.data.map((one: { readonly id: string }) => one.id),
          [stopped.body.id]
        )
        const optIn = yield* api.post("/v1/contacts/opt-in", { phone }, { key })
        assert.deepStrictEqual([optIn.status, optIn.body.error.code], [400, "invalid_phone_e164"])
      }
      const listed = yield* api.post("/v1/contacts/opt-out", { phone: "+5511987654321" }, { key })
      assert.deepStrictEqual([listed.status, listed.headers["svc-warning"]], [200, undefined])
      const mistyped = yield* api.post("/v1/contacts/opt-out", { phone: "+11987654321" }, { key })
      assert.match(mistyped.body.error.message, /Did you mean \+5511987654321\?$/)
    })
  )
})
