import { percentile } from "../bench/Steady.ts"
import { chart } from "./Chart.ts"
import type { Sample, TableSample } from "./Sample.ts"
import type { Soak } from "./SoakFile.ts"

/** The pictures of a soak by file name, and its section of docs/proof.md without the heading. */
export interface SoakPages {
  readonly pictures: Readonly<Record<string, string>>
  readonly text: string
}

const mb = 1_048_576

/** Draws a soak and says in words what it came to. */
export const pagesOf = (soak: Soak): SoakPages => {
  const { samples } = soak
  const minutes = samples.map(({ at }) => at / 60)
  const processes = samples[0]?.processes.map(({ name }) => name) ?? []
  const tables = largest(samples)
  const over = (value: (sample: Sample) => number) => samples.map(value)
  const processOf = (sample: Sample, name: string) => sample.processes.find((one) => one.name === name)
  const pictures = {
    "soak-memory.svg": chart({
      said: "Resident memory and heap in use of each process over the time of the soak",
      unit: "MB",
      minutes,
      lines: [
        ...processes.map((name) => ({ name, values: over((it) => (processOf(it, name)?.residentBytes ?? 0) / mb) })),
        ...processes.map((name) => ({
          name: `${name}, heap`,
          isDashed: true,
          values: over((it) => (processOf(it, name)?.heapBytes ?? 0) / mb)
        }))
      ]
    }),
    "soak-latency.svg": chart({
      said: "Half and 99 of 100 of the accepting and reading answers of each 30 seconds",
      unit: "ms",
      minutes,
      lines: [
        { name: "accepts, p50", values: over(({ accepts }) => accepts.p50) },
        { name: "accepts, p99", isDashed: true, values: over(({ accepts }) => accepts.p99) },
        { name: "reads, p50", values: over(({ reads }) => reads.p50) },
        { name: "reads, p99", isDashed: true, values: over(({ reads }) => reads.p99) }
      ]
    }),
    "soak-size.svg": chart({
      said: "Size of the largest tables with their indexes over the time of the soak",
      unit: "MB",
      minutes,
      lines: tables.map((name) => ({ name, values: over((it) => bytesOf(tableOf(it, name)) / mb) }))
    }),
    "soak-bloat.svg": chart({
      said: "Bytes of table and indexes for each living row of the largest tables over the time of the soak",
      unit: "bytes",
      minutes,
      lines: tables.map((name) => ({ name, values: over((it) => bytesARow(tableOf(it, name))) }))
    })
  }
  return { pictures, text: textOf(soak, processes, tables) }
}

/** The five tables that are largest at the end. */
const largest = (samples: ReadonlyArray<Sample>): ReadonlyArray<string> =>
  (samples.at(-1)?.tables ?? [])
    .toSorted((a, b) => bytesOf(b) - bytesOf(a))
    .slice(0, 5)
    .map(({ name }) => name)

const tableOf = (sample: Sample, name: string) => sample.tables.find((table) => table.name === name)
const bytesOf = (table: TableSample | undefined) => (table === undefined ? 0 : table.bytes + table.indexBytes)
const bytesARow = (table: TableSample | undefined) =>
  table === undefined || table.live < 1000 ? 0 : bytesOf(table) / table.live

const textOf = (soak: Soak, processes: ReadonlyArray<string>, tables: ReadonlyArray<string>): string => {
  const { about, day, end, samples } = soak
  const { plan } = about
  const quarter = Math.floor(samples.length / 4)
  const [first, last] = [samples.slice(0, quarter), samples.slice(-quarter)]
  const row = (name: string, value: (sample: Sample) => number, digits = 0) => {
    const middle = (some: ReadonlyArray<Sample>) => percentile(some.map(value), 0.5).toFixed(digits)
    return `| ${name} | ${middle(first)} | ${middle(last)} |`
  }
  const ofProcess = (name: string, key: "residentBytes" | "heapBytes") => (sample: Sample) =>
    (sample.processes.find((one) => one.name === name)?.[key] ?? 0) / mb
  const hours = (end.seconds / 3600).toFixed(1)
  const checked =
    end.breaches.length === 0
      ? `Every accepted message has ended, every event was delivered, and no repeated key got another answer: ${end.messages.toLocaleString("en-US")} messages, ${end.batches} batches, ${end.deliveries.toLocaleString("en-US")} deliveries.`
      : end.breaches.map((breach) => `**Broken:** ${breach}.`).join("\n")
  return `\`npm run soak\` starts an edge and two shards over one PostgreSQL and keeps a low, steady load on them: ${plan.sendsPerSecond} sends a second of
${plan.environments} environments, each with an idempotency key that one of ${plan.repeatedOneOf} sends uses again; ${plan.readsPerSecond} reads and lists a second, inbound messages, uploads,
a batch of ${plan.batchRecipients} each minute, webhooks to a receiver that refuses one of 500 deliveries once, and the request log. Run for ${hours} hours on
${day} at ${about.commit}, Node.js ${about.node}, PostgreSQL ${about.postgres}. Other work kept the two cores of the machine
busy all the time, so that the latencies include waiting for a processor: read their course over time, not their height.

${checked}

| median of 30 seconds | first quarter | last quarter |
|---|---|---|
${processes.map((name) => row(`resident memory of ${name}, MB`, ofProcess(name, "residentBytes"))).join("\n")}
${processes.map((name) => row(`heap of ${name}, MB`, ofProcess(name, "heapBytes"))).join("\n")}
${row("accepting answers, p50, ms", ({ accepts }) => accepts.p50, 1)}
${row("accepting answers, p99, ms", ({ accepts }) => accepts.p99, 1)}
${row("reading answers, p50, ms", ({ reads }) => reads.p50, 1)}
${row("reading answers, p99, ms", ({ reads }) => reads.p99, 1)}
${row("deliveries under way", ({ outstanding }) => outstanding)}
${tables.map((name) => row(`bytes a row of \`${name}\``, (sample) => bytesARow(tableOf(sample, name)))).join("\n")}
${tables.map((name) => row(`dead rows of \`${name}\``, (sample) => tableOf(sample, name)?.dead ?? 0)).join("\n")}

![Memory of each process over time](images/soak-memory.svg)

![Latency over time](images/soak-latency.svg)

![Size of the largest tables over time](images/soak-size.svg)

![Bytes of table and indexes for each row over time](images/soak-bloat.svg)`
}
