import { makeSeeds } from "../faults/Seeds.ts"
import type { Recorded } from "./Recorded.ts"
import { type Outcome, type Plan, simulate } from "./Simulation.ts"

/** A million messages a minute. */
const perSecond = 1_000_000 / 60
/** The share of a core that processes are planned for. */
const planned = 0.7
const tenants = 1_000

/** The result of the arithmetic: nodes, and the share of a core that each is busy for. */
export interface Computed {
  readonly plan: Omit<Plan, "tenants">
  readonly edgeBusy: number
  readonly shardBusy: number
  readonly postgresBusy: number
  readonly logMbPerSecond: number
}

/** Returns the installation that carries a million messages a minute until they are read, one shard node more than needed. */
export const computed = ({ read }: Recorded): Computed => {
  const cores = (ms: number) => (perSecond * ms) / 1000
  const edges = Math.ceil(cores(read.edgeMs) / planned)
  const shardNodes = Math.ceil(cores(read.shardMs) / planned) + 1
  const postgresCores = Math.ceil(cores(read.postgresMs) / planned)
  return {
    plan: { perSecond, edges, shardNodes, postgresCores },
    edgeBusy: cores(read.edgeMs) / edges,
    shardBusy: cores(read.shardMs) / shardNodes,
    postgresBusy: cores(read.postgresMs) / postgresCores,
    logMbPerSecond: (perSecond * read.logBytes) / 1_000_000
  }
}

const alike = Array.from({ length: tenants }, () => 1)
/** The n-th largest tenant sends a n-th of what the largest sends. */
const byZipf = alike.map((_, n) => 1 / (n + 1))

/** Returns the simulated courses of the computed installation, by name; the same figures give the same outcomes. */
export const courses = (recorded: Recorded): Readonly<Record<"even" | "skewed" | "killed", Outcome>> => {
  const { plan } = computed(recorded)
  const play = (name: string, course: Pick<Plan, "tenants" | "killAtMs">) =>
    simulate({ ...plan, ...course }, recorded, makeSeeds(name))
  return {
    even: play("even", { tenants: alike }),
    skewed: play("skewed", { tenants: byZipf }),
    killed: play("killed", { tenants: alike, killAtMs: 2_000 })
  }
}

/** Returns the section of docs/scale.md about a million messages a minute, from its simulated courses. */
export const scaleSection = (recorded: Recorded, played: ReturnType<typeof courses>): string => {
  const { edgeBusy, logMbPerSecond, plan, postgresBusy, shardBusy } = computed(recorded)
  const { even, killed, skewed } = played
  const { edges, postgresCores, shardNodes } = plan
  const { read } = recorded
  const largest = 100 / byZipf.reduce((sum, weight) => sum + weight, 0)
  return `A million messages a minute are 16,667 a second. With the figures of [scale](benchmarks.md#scale) for 64 environments, until each message is read
(edge ${read.edgeMs} ms, shard ${read.shardMs} ms, PostgreSQL ${read.postgresMs} ms, ${(read.logBytes / 1000).toFixed(1)} KB of log), and processes at 70% of a core:

| part | work a second | needs | so busy |
|---|---|---|---|
| edges | 16,667 x ${read.edgeMs} ms = ${((perSecond * read.edgeMs) / 1000).toFixed(2)} cores | ${edges} processes | ${percent(edgeBusy)} |
| shards | 16,667 x ${read.shardMs} ms = ${((perSecond * read.shardMs) / 1000).toFixed(2)} cores | ${shardNodes} processes, of which one may be lost | ${percent(shardBusy)} |
| PostgreSQL | 16,667 x ${read.postgresMs} ms = ${((perSecond * read.postgresMs) / 1000).toFixed(2)} cores | ${postgresCores} cores | ${percent(postgresBusy)} |
| log | 16,667 x ${(read.logBytes / 1000).toFixed(1)} KB | ${logMbPerSecond.toFixed(0)} MB/s | |

\`npm run proof -- scale\` writes this section and plays the installation in a simulation: arrivals and times of service vary as exponential distributions
do, each edge and shard is a queue, a shard node has one commit of at most 256 sends under way that takes 4 ms beside PostgreSQL's work,
owners lie on 128 shards, and each message is followed by three statuses. ${tenants.toLocaleString("en-US")} tenants send: all alike; with sizes as in Zipf's law, where the largest
sends ${largest.toFixed(0)}% of everything from one number; and all alike while a shard node is killed, whose shards are elsewhere after the ${recorded.takeoverMs} ms that
[failover](benchmarks.md#failover) took at most. \`test/scale/Scale.test.ts\` holds this page to the simulation, and the arithmetic to both.

| simulated | edges busy, fullest | shards busy, fullest | PostgreSQL busy | accepted, p50 | p99 | worst |
|---|---|---|---|---|---|---|
${rowOf("all alike", even)}
${rowOf("Zipf", skewed)}
${rowOf("a shard node is killed", killed)}

- The arithmetic holds where tenants are alike: the simulated shares are those computed above.
- Skew is what it leaves out: the owner of the largest number adds its work to one node, which is ${percent(skewed.fullestShard)} busy while the mean is ${percent(skewed.shardBusy)}. Plan
  for the largest number, or give its organization a cell of its own.
- A killed node is noticed for ${killed.recoveredMs} ms: its calls wait for the takeover, and the nodes that are left work off what has gathered.
- The queues know no network, no garbage collection and no noisy neighbour: real latencies lie above these. ${recorded.run}`
}

const percent = (share: number): string => `${Math.round(share * 100)}%`

const rowOf = (name: string, outcome: Outcome): string =>
  `| ${[
    name,
    `${percent(outcome.edgeBusy)}, ${percent(outcome.fullestEdge)}`,
    `${percent(outcome.shardBusy)}, ${percent(outcome.fullestShard)}`,
    percent(outcome.postgresBusy),
    ...[outcome.p50, outcome.p99, outcome.worst].map((ms) => `${ms.toFixed(0)} ms`)
  ].join(" | ")} |`
