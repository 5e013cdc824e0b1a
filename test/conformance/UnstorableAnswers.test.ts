import { readCheckout } from "@carteiro/vendor-http/PixWire.ts"
import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { idOf, sendAnswer } from "../../packages/provider-upstream/UpstreamAnswers.ts"

/** Longer than an index of the database holds. */
const tooLong = "x".repeat(3000)

describe("An answer that could not be stored", () => {
  it("an answer to a send without an id leaves unknown whether the message was taken M-DLV-23", () => {
    const answer = (id: string) => sendAnswer({ _tag: "Answered", status: 200, json: { messages: [{ id }] } })._tag
    assert.deepStrictEqual([answer("wamid.1"), answer(tooLong)], ["Accepted", "Unknown"])
    assert.isTrue(Option.isNone(idOf({ id: tooLong })))
  })

  it("an answer about a Pix charge leaves out an instant and a page that cannot be shown", () => {
    const charge = {
      id: "chg_1",
      external_id: "pay_1",
      status: "pending",
      amount_centavos: 100,
      payment_url: "https://pay.example/1",
      expires_at: "2026-01-01T00:00:00Z"
    }
    const read = (more: object) => readCheckout({ ...charge, ...more })
    assert.isUndefined(read({ id: tooLong }))
    assert.deepInclude(read({}), { payment_url: charge.payment_url, expires_at: Date.parse(charge.expires_at) })
    for (const expires_at of ["-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", "soon"]) {
      assert.isNull(read({ expires_at })?.expires_at)
    }
    for (const payment_url of ["javascript:alert(1)", "data:text/html,x", "pay", `https://pay.example/${tooLong}`]) {
      assert.isNull(read({ payment_url })?.payment_url)
    }
  })
})
