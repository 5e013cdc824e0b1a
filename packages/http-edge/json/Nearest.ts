/** The longest text that is compared: callers may send megabytes. */
const longestCompared = 64

/**
 * Returns the known name that a caller most likely meant, or undefined when none is near: at most so many edits, by
 * default one for every four characters. Case does not count; a swap of neighbouring characters counts as one edit.
 */
export const findNearest = (
  sent: string,
  known: ReadonlyArray<string>,
  most: number = Math.max(1, Math.floor(sent.length / 4))
): string | undefined => {
  if (sent.length === 0 || sent.length > longestCompared) return undefined
  let nearest: string | undefined
  let least = most + 1
  for (const name of known) {
    const edits = countEdits(sent.toLowerCase(), name.toLowerCase(), least)
    if (edits < least) {
      least = edits
      nearest = name
    }
  }
  return nearest
}

/**
 * Returns the number of insertions, deletions, changes and swaps of neighbours between two texts; `bound` stands for
 * `bound` or more.
 */
const countEdits = (a: string, b: string, bound: number): number => {
  if (Math.abs(a.length - b.length) >= bound) return bound
  let before: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = a[i - 1] === b[j - 1] ? 0 : 1
      let edits = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + changed)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) edits = Math.min(edits, (before[j - 2] ?? 0) + 1)
      row.push(edits)
    }
    before = last
    last = row
  }
  return last[b.length] ?? bound
}
