/**
 * Of the known names, the one that somebody who wrote `word` most likely meant: the fewest letters to add, drop, change
 * or swap, upper and lower case alike. Undefined when more than `most` are needed, by default a third of the word.
 */
export const nearestName = (
  word: string,
  known: Iterable<string>,
  most: number = Math.max(1, Math.floor(word.length / 3))
): string | undefined => {
  let nearest: string | undefined
  let best = most + 1
  for (const name of known) {
    // The lengths alone may rule a name out; words can be as long as a request.
    if (Math.abs(name.length - word.length) >= best) continue
    const steps = stepsBetween(word.toLowerCase(), name.toLowerCase())
    if (steps >= best) continue
    best = steps
    nearest = name
  }
  return nearest
}

/** Optimal string alignment: each pair of neighbours is swapped at most once. */
const stepsBetween = (from: string, to: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const changed = from[row - 1] === to[column - 1] ? 0 : 1
      const swapped =
        from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1] ? at(beforeLast, column - 2) + 1 : Infinity
      current.push(Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + changed, swapped))
    }
    beforeLast = last
    last = current
  }
  return at(last, to.length)
}

const at = (row: ReadonlyArray<number>, column: number): number => row[column] ?? Infinity
