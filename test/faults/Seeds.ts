/** Random choices that a seed repeats. Every actor draws from a fork of its own, so that timing moves no choice. */
export interface Seeds {
  /** Uniform in 0..1, 1 excluded. */
  next(): number
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number
  chance(probability: number): boolean
  pick<A>(choices: readonly [A, ...ReadonlyArray<A>]): A
  /** Returns the next of some choices at each call: all of them in a drawn order, those that go first in theirs, then anew. */
  deck<A>(choices: readonly [A, ...ReadonlyArray<A>], goesFirst?: (choice: A) => boolean): () => A
  /** A stream of its own, the same for the same seed and name. */
  fork(name: string): Seeds
}

/** The choices of one seed. */
export const makeSeeds = (seed: string): Seeds => {
  let state = hash(seed)
  // Mulberry32: a few lines, and even enough for choosing what a client does next.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: (choices) => choices[between(0, choices.length - 1)] ?? choices[0],
    deck: (choices, goesFirst = () => false) => {
      let left: Array<(typeof choices)[number]> = []
      return () => {
        if (left.length === 0) {
          const drawn = choices.filter((choice) => !goesFirst(choice)).map((choice) => [next(), choice] as const)
          const rest = drawn.toSorted(([a], [b]) => a - b).map(([, choice]) => choice)
          left = [...choices.filter(goesFirst), ...rest]
        }
        return left.shift() ?? choices[0]
      }
    },
    fork: (name) => makeSeeds(`${seed}/${name}`)
  }
}

const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193)
  return value
}
