/** One family of the Prometheus text format. */
export interface MetricFamily {
  readonly name: string
  readonly type: string
  readonly help: string | undefined
  readonly samples: ReadonlyArray<string>
}

const sample =
  /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(?:[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*",?)*\})? (?:NaN|[+-]Inf|[-+\d.e]+)$/

/** Returns the families of a `/metrics` page, in their order; throws at a line that is not of the format. */
export const familiesOf = (text: string): ReadonlyArray<MetricFamily> => {
  const families: Array<{ name: string; type: string; help: string | undefined; samples: Array<string> }> = []
  let help: readonly [name: string, text: string] | undefined
  for (const line of text.split("\n").slice(0, -1)) {
    const [, keyword, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? []
    if (keyword === "HELP") help = [name, rest]
    else if (keyword === "TYPE") {
      families.push({ name, type: rest, help: help?.[0] === name ? help[1] : undefined, samples: [] })
    } else {
      const family = families.at(-1)
      const [, measured = ""] = sample.exec(line) ?? []
      const own = measured === family?.name || (family?.type === "histogram" && isPart(measured, family.name))
      if (family === undefined || !own) throw new Error(`not a line of the format: ${line}`)
      family.samples.push(line)
    }
  }
  return families
}

const isPart = (measured: string, name: string): boolean =>
  ["_bucket", "_sum", "_count"].some((part) => measured === `${name}${part}`)

/** Returns the faults that `promtool check metrics` would report, for machines without it. */
export const objections = (families: ReadonlyArray<MetricFamily>): ReadonlyArray<string> => {
  const names = families.map(({ name }) => name)
  return families.flatMap(({ help, name, samples, type }) => [
    ...(names.indexOf(name) === names.lastIndexOf(name) ? [] : [`${name}: declared twice`]),
    ...(help === undefined ? [`${name}: no help text`] : []),
    ...(/^[a-z][a-z0-9_]*$/.test(name) ? [] : [`${name}: not in snake case`]),
    ...(type === "counter" && !name.endsWith("_total") ? [`${name}: a counter ends in _total`] : []),
    ...(type !== "counter" && name.endsWith("_total") ? [`${name}: only a counter ends in _total`] : []),
    ...(/_(?:count|sum|bucket)$/.test(name) ? [`${name}: the suffix belongs to histograms`] : []),
    ...(/_(?:milliseconds|millis|ms|minutes|hours|kilobytes)(?:_|$)/.test(name) ? [`${name}: not a base unit`] : []),
    ...(samples.length === 0 ? [`${name}: no sample`] : []),
    ...(new Set(samples.map((line) => line.replace(/ \S+$/, ""))).size === samples.length
      ? []
      : [`${name}: a series twice`])
  ])
}
