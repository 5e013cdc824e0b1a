import { distance } from "fastest-levenshtein"

/** Returns the known name with the fewest edits, at most one for every three characters; undefined when none is near. */
export const nearestOf = (word: string, known: ReadonlyArray<string>): string | undefined => {
  const most = Math.max(1, Math.floor(word.length / 3))
  const [nearest] = known
    .map((name) => ({ name, edits: distance(word.slice(0, longestCompared).toLowerCase(), name.toLowerCase()) }))
    .toSorted((one, other) => one.edits - other.edits)
  return nearest === undefined || nearest.edits > most ? undefined : nearest.name
}

const longestCompared = 64
