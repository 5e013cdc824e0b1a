import { type RandomBytes, seededBytes, systemBytes } from "@carteiro/secrets/RandomBytes.ts"
import { Context, Layer } from "effect"
import type { IdPrefix } from "../ProductTypes.ts"
import { firstSequence, ulidTail, ulidTime } from "./Ulid.ts"

export { lowestIdAt, lowestUlidAt, parseId, ulidTimeOf } from "./Ulid.ts"

/**
 * Makes values that must be unguessable or unique. Every method is synchronous and cheap. gaps-1 A "Identifier format"
 */
export class Ids extends Context.Service<
  Ids,
  {
    /**
     * Returns `<prefix>_<lowercase ULID>` whose time is the given instant in milliseconds, which is also its
     * `created_at`. Ids of one instant and process sort in the order they were made, so that lists keep the order of
     * decisions.
     */
    mint(prefix: IdPrefix, atMillis: number): string
    /** Returns 32 lowercase hex characters. gaps-1 A "Trace id" */
    traceId(): string
    /** Returns a copy of `count` random bytes, for secrets and salts. */
    bytes(count: number): Uint8Array
  }
>()("@carteiro/owners/ids/Ids") {
  /** Uses the system's cryptographic randomness. */
  static readonly layer = Layer.sync(Ids, () => Ids.of(make(systemBytes())))

  /** Returns equal ids for an equal seed and equal calls; for tests only. */
  static readonly layerSeeded = (seed: number) => Layer.sync(Ids, () => Ids.of(make(seededBytes(seed))))
}

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

const make = (random: RandomBytes): Ids["Service"] => {
  let lastMillis = -1
  let lastTime = ""
  let sequence = 0
  return {
    mint: (prefix, atMillis) => {
      if (atMillis !== lastMillis) {
        lastMillis = atMillis
        lastTime = ulidTime(atMillis)
        sequence = firstSequence(random)
      }
      return `${prefix}_${lastTime}${ulidTail(sequence++, random)}`
    },
    traceId: () => {
      let text = ""
      for (const byte of random.next(16)) text += hex[byte]
      return text
    },
    bytes: (count) => random.next(count).slice()
  }
}
