/** Returns the lines of two texts: removed lines with a minus, added ones with a plus, the others with a blank. */
export const diff = (before: string, after: string): ReadonlyArray<string> => {
  const [old, young] = [before.split("\n"), after.split("\n")]
  // Lengths of the longest common subsequence of lines from each pair of positions to the ends.
  const common = Array.from({ length: old.length + 1 }, () => new Array<number>(young.length + 1).fill(0))
  const at = (one: number, other: number): number => common[one]?.[other] ?? 0
  for (let one = old.length - 1; one >= 0; one--) {
    const row = common[one] ?? []
    for (let other = young.length - 1; other >= 0; other--)
      row[other] =
        old[one] === young[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1))
  }
  const lines: Array<string> = []
  let [one, other] = [0, 0]
  while (one < old.length || other < young.length) {
    if (one < old.length && other < young.length && old[one] === young[other]) {
      lines.push(`  ${old[one++]}`)
      other++
    } else if (one < old.length && (other === young.length || at(one + 1, other) >= at(one, other + 1)))
      lines.push(`- ${old[one++]}`)
    else lines.push(`+ ${young[other++]}`)
  }
  return lines
}
