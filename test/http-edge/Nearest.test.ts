import { findNearest } from "@carteiro/http-edge/Json.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const names = ["message.received", "message.sent", "message.delivered", "message.read", "message.failed"]
const Word = Schema.String.check(Schema.isMinLength(3), Schema.isMaxLength(30))

describe("the nearest name", () => {
  it("is the one with the fewest letters added, dropped, changed or swapped, whatever their case", () => {
    assert.strictEqual(findNearest("message.recieved", names), "message.received")
    assert.strictEqual(findNearest("message.send", names), "message.sent")
    assert.strictEqual(findNearest("messagesent", names), "message.sent")
    assert.strictEqual(findNearest("MESSAGE.READ", names), "message.read")
  })

  it("is none when more than a quarter of the word would change", () => {
    assert.isUndefined(findNearest("payment.paid", names))
    assert.isUndefined(findNearest("", names))
    assert.isUndefined(findNearest("message.sent", []))
    assert.strictEqual(findNearest("payment.paid", names, 12), "message.read")
  })

  it.prop("is the word itself when that is known, and what one step led away from", [Word, Word], ([word, other]) => {
    assert.strictEqual(findNearest(word, [other, word])?.toLowerCase(), word.toLowerCase())
    assert.strictEqual(findNearest(word.slice(1), [word]), word)
    assert.strictEqual(findNearest(`${word}x`, [word]), word)
  })
})
