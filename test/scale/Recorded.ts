import { readFileSync } from "node:fs"

/** The cost of one message for each part, as `npm run bench -- scale` recorded it for 64 environments. */
export interface ServiceTimes {
  readonly edgeMs: number
  readonly shardMs: number
  readonly postgresMs: number
  readonly logBytes: number
}

/** Recorded service times: up to the answer, and with everything that follows until a message is read. */
export interface Recorded {
  readonly accepted: ServiceTimes
  readonly read: ServiceTimes
  /** When and of what they were taken. */
  readonly run: string
  /** The longest time without an answer after a shard was killed, in milliseconds. */
  readonly takeoverMs: number
}

const page = new URL("../../docs/benchmarks.md", import.meta.url)

/** Reads the recorded figures from docs/benchmarks.md. */
export const recorded = (): Recorded => {
  const text = readFileSync(page, "utf8")
  const section = (name: string) => text.split(/^## /m).find((part) => part.startsWith(`${name}\n`)) ?? ""
  const timesOf = (side: string): ServiceTimes => {
    const line = section("scale").match(
      new RegExp(
        `^- (?:edge and shard, )?${side}: edge ([\\d.]+) ms, shard ([\\d.]+) ms, PostgreSQL ([\\d.]+) ms of a processor, [\\d.]+ statements, (\\d+) bytes`,
        "m"
      )
    )
    if (line === null) throw new Error(`docs/benchmarks.md has no figures of ${side}`)
    const [edgeMs = 0, shardMs = 0, postgresMs = 0, logBytes = 0] = line.slice(1).map(Number)
    return { edgeMs, shardMs, postgresMs, logBytes }
  }
  const gaps = section("failover").match(/^- longest gap a round, ms: ([\d, ]+);/m)?.[1] ?? ""
  return {
    accepted: timesOf("accepted, 64"),
    read: timesOf("read, 64"),
    run: section("scale").match(/^Measured on .*$/m)?.[0] ?? "",
    takeoverMs: Math.max(...gaps.split(", ").map(Number))
  }
}
