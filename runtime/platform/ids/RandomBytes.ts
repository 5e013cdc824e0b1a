import { randomFillSync } from "node:crypto"

/** A source of bytes: `next(count)` is a view that stays valid until the following call. */
export interface RandomBytes {
  next(count: number): Uint8Array
}

const blockSize = 8192

const drawn = (fill: (block: Uint8Array) => void): RandomBytes => {
  const block = new Uint8Array(blockSize)
  let used = blockSize
  return {
    next: (count) => {
      if (count > blockSize) {
        const own = new Uint8Array(count)
        fill(own)
        return own
      }
      if (used + count > blockSize) {
        fill(block)
        used = 0
      }
      const taken = block.subarray(used, used + count)
      used += count
      return taken
    }
  }
}

/** Cryptographic bytes, drawn from the system in blocks of 8 KiB: one call per id costs more than the rest of the id. */
export const systemBytes = (): RandomBytes => drawn(randomFillSync)

/** The same bytes for the same seed, for tests that compare whole answers; never for secrets. */
export const seededBytes = (seed: number): RandomBytes => {
  let state = seed >>> 0
  return drawn((block) => {
    for (let i = 0; i < block.length; i++) {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      block[i] = mixed >>> 24
    }
  })
}
