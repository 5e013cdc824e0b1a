import { nearestName } from "@carteiro/schema/conventions/NearestName.ts"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"

const names = ["message.received", "message.sent", "message.delivered", "message.read", "message.failed"]
const Word = Schema.String.check(Schema.isMinLength(3), Schema.isMaxLength(30))

describe("the nearest name", () => {
  it("is the one with the fewest letters added, dropped, changed or swapped, whatever their case", () => {
    assert.strictEqual(nearestName("message.recieved", names), "message.received")
    assert.strictEqual(nearestName("message.send", names), "message.sent")
    assert.strictEqual(nearestName("messagesent", names), "message.sent")
    assert.strictEqual(nearestName("MESSAGE.READ", names), "message.read")
  })

  it("is none when more than a third of the word would change", () => {
    assert.isUndefined(nearestName("payment.paid", names))
    assert.isUndefined(nearestName("", names))
    assert.isUndefined(nearestName("message.sent", []))
    assert.strictEqual(nearestName("payment.paid", names, 12), "message.read")
  })

  it.prop("is the word itself when that is known, and what one step led away from", [Word, Word], ([word, other]) => {
    assert.strictEqual(nearestName(word, [other, word])?.toLowerCase(), word.toLowerCase())
    assert.strictEqual(nearestName(word.slice(1), [word]), word)
    assert.strictEqual(nearestName(`${word}x`, [word]), word)
  })
})
