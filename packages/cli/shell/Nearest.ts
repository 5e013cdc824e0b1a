/** Returns the known name with the fewest edits, at most one for every three characters; undefined when none is near. */
export const nearestOf = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const most = Math.max(1, Math.floor(word.length / 3))
  const [nearest] = known
    .map((name) => ({ name, edits: editsOf(word.slice(0, 64).toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits)
  return nearest === undefined || nearest.edits > most ? undefined : nearest.name
}

/** Returns the number of letters to insert, leave out or change. */
const editsOf = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1]
    for (const [at, other] of [...to].entries())
      next.push(Math.min((row[at] ?? 0) + (letter === other ? 0 : 1), (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    row = next
  }
  return row.at(-1) ?? 0
}
