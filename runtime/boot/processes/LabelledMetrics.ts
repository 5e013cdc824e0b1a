/** One family of the Prometheus text format: its comments, and its samples. */
interface Family {
  readonly comments: ReadonlyArray<string>
  readonly samples: Array<string>
}

/** Joins metrics of several processes, each family once and each sample with the label `process`. */
export const labelledMetrics = (texts: ReadonlyArray<readonly [process: string, text: string]>): string => {
  const families = new Map<string, Family>()
  for (const [process, text] of texts) addFamilies(families, process, text)
  const lines = [...families.values()].flatMap(({ comments, samples }) => [...comments, ...samples])
  return lines.map((line) => `${line}\n`).join("")
}

const addFamilies = (families: Map<string, Family>, process: string, text: string): void => {
  let comments: ReadonlyArray<string> = []
  let family: Family | undefined
  for (const line of text.split("\n")) {
    if (line === "") continue
    if (!line.startsWith("#")) {
      family?.samples.push(labelled(line, process))
      continue
    }
    comments = [...comments, line]
    const name = /^# TYPE (\S+) /.exec(line)?.[1]
    if (name === undefined) continue
    family = families.get(name) ?? { comments, samples: [] }
    families.set(name, family)
    comments = []
  }
}

/** A sample is `name value` or `name{labels} value`; values of labels may hold spaces and braces, names hold none. */
const labelled = (sample: string, process: string): string => {
  const end = sample.search(/[{ ]/)
  const label = `process="${process}"`
  return sample[end] === "{"
    ? `${sample.slice(0, end)}{${label},${sample.slice(end + 1)}`
    : `${sample.slice(0, end)}{${label}}${sample.slice(end)}`
}
