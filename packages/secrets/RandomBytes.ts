import { randomFillSync } from "node:crypto"

/** A source of randomness. */
export interface RandomBytes {
  /** Returns a view of so many bytes that stays valid until the following call. */
  next(count: number): Uint8Array
  /** Returns a number of 20 bits. */
  bits20(): number
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
    },
    bits20: () => {
      if (used + 3 > blockSize) {
        fill(block)
        used = 0
      }
      const bits = ((block[used] as number) << 16) | ((block[used + 1] as number) << 8) | (block[used + 2] as number)
      used += 3
      return bits & 0xfffff
    }
  }
}

/**
 * Returns cryptographic bytes, read from the system in blocks of 8 KiB: one system call per id would cost more than the
 * rest of the id.
 */
export const systemBytes = (): RandomBytes => drawn(randomFillSync)

/** Returns equal bytes for an equal seed, for tests that compare whole responses; never for secrets. */
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
