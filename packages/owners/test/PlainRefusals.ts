import { Schema } from "effect"
import type { Refusal } from "../ProductTypes.ts"
import { Refusals } from "../Refusals.ts"

class Away extends Schema.TaggedError<Away>()("away", {}) {}
class KeyTaken extends Schema.TaggedError<KeyTaken>()("key_taken", {}) {}

/** The codec of refusals as a product without a contract has them. */
export const plainRefusal = Schema.Union([Away, KeyTaken]) as unknown as Schema.Codec<Refusal, unknown>

/** The refusals of such a product. */
export const plainRefusals = Refusals.layer({
  codec: plainRefusal,
  unavailable: () => new Away(),
  duplicate: () => new KeyTaken()
})
