import { percentile } from "../bench/Steady.ts"
import type { Seeds } from "../faults/Seeds.ts"
import { Agenda, Cores } from "./Agenda.ts"
import type { Recorded } from "./Recorded.ts"

/** An installation, and what comes to it. */
export interface Plan {
  readonly perSecond: number
  readonly edges: number
  readonly shardNodes: number
  readonly postgresCores: number
  /** How often each tenant sends, in proportion to the others. */
  readonly tenants: ReadonlyArray<number>
  /** A shard node is killed at this instant. */
  readonly killAtMs?: number
}

/** The result of a simulated installation; times in milliseconds, shares of one processor. */
export interface Outcome {
  readonly edgeBusy: number
  readonly fullestEdge: number
  readonly shardBusy: number
  readonly fullestShard: number
  readonly postgresBusy: number
  readonly p50: number
  readonly p99: number
  readonly worst: number
  /** From the kill until answers are as fast as before it; undefined without a kill. */
  readonly recoveredMs: number | undefined
}

const shards = 128
/** Longer than the last status takes. */
const warmUpMs = 1_600
const measuredMs = 2_400
const commitFlushMs = 4
/** Sends that one commit takes at most. */
const commitAtMost = 256
/** Statuses that follow an accepted message, and the time between them. */
const statuses = 3
const statusEveryMs = 500

interface Message {
  readonly arrived: number
  readonly edge: Cores
  readonly shard: number
}

interface Node {
  readonly cores: Cores
  readonly waiting: Array<Message>
  isCommitting: boolean
  isDead: boolean
}

/** Plays an installation with recorded service times: arrivals and times of service vary as exponential distributions do. */
export const simulate = (plan: Plan, { accepted, read, takeoverMs }: Recorded, seeds: Seeds): Outcome => {
  const agenda = new Agenda()
  const vary = (mean: number) => -Math.log(1 - seeds.next()) * mean
  const edges = Array.from({ length: plan.edges }, () => new Cores(agenda, 1))
  const nodes = Array.from({ length: plan.shardNodes }, () => nodeOf(agenda))
  const postgres = new Cores(agenda, plan.postgresCores)
  const homes = Array.from({ length: shards }, (_, shard) => nodes[shard % nodes.length] as Node)
  const latencies: Array<number> = []
  const answers: Array<readonly [arrived: number, answered: number]> = []
  const drawTenant = drawing(plan.tenants, seeds)
  const later = {
    edgeMs: (read.edgeMs - accepted.edgeMs) / statuses,
    shardMs: (read.shardMs - accepted.shardMs) / statuses,
    postgresMs: (read.postgresMs - accepted.postgresMs) / statuses
  }
  const answer = ({ arrived, edge }: Message) =>
    edge.serve(vary(accepted.edgeMs / 2), () => {
      answers.push([arrived, agenda.now])
      if (arrived >= warmUpMs) latencies.push(agenda.now - arrived)
    })
  const follow = ({ edge, shard }: Message) => {
    for (let n = 1; n <= statuses; n++) {
      agenda.after(n * statusEveryMs, () => {
        homes[shard]?.cores.serve(vary(later.shardMs), () => postgres.serve(vary(later.postgresMs), () => {}))
        edge.serve(vary(later.edgeMs), () => {})
      })
    }
  }
  const commit = (node: Node) => {
    if (node.isCommitting || node.isDead || node.waiting.length === 0) return
    node.isCommitting = true
    const some = node.waiting.splice(0, commitAtMost)
    postgres.serve(some.length * accepted.postgresMs, () =>
      agenda.after(commitFlushMs, () => {
        node.isCommitting = false
        for (const message of some) {
          if (node.isDead) call(message)
          else {
            answer(message)
            follow(message)
          }
        }
        commit(node)
      })
    )
  }
  /** An owner that is nowhere is called again when another node has its shard. */
  const call = (message: Message): void => {
    const node = homes[message.shard] as Node
    if (node.isDead) {
      agenda.after(takenAt - agenda.now, () => call(message))
      return
    }
    node.cores.serve(vary(accepted.shardMs), () => {
      if (!node.isDead) node.waiting.push(message)
      if (node.isDead) call(message)
      else commit(node)
    })
  }
  let arrivals = 0
  const arrive = () => {
    const edge = edges[arrivals++ % edges.length] as Cores
    const message = { arrived: agenda.now, edge, shard: drawTenant() % shards }
    edge.serve(vary(accepted.edgeMs / 2), () => call(message))
    agenda.after(vary(1000 / plan.perSecond), arrive)
  }
  const takenAt = (plan.killAtMs ?? 0) + takeoverMs
  if (plan.killAtMs !== undefined) agenda.after(plan.killAtMs, () => kill(nodes, homes, agenda, takeoverMs, call))
  arrive()
  agenda.runUntil(warmUpMs)
  const before = [...edges, ...nodes.map(({ cores }) => cores), postgres].map(({ busyMs }) => busyMs)
  agenda.runUntil(warmUpMs + measuredMs)
  const busy = [...edges, ...nodes.map(({ cores }) => cores), postgres].map(
    ({ busyMs }, at) => (busyMs - (before[at] ?? 0)) / measuredMs
  )
  const ofEdges = busy.slice(0, edges.length)
  const ofShards = busy.slice(edges.length, -1)
  return {
    edgeBusy: mean(ofEdges),
    fullestEdge: Math.max(...ofEdges),
    shardBusy: mean(ofShards),
    fullestShard: Math.max(...ofShards),
    postgresBusy: (busy.at(-1) ?? 0) / plan.postgresCores,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    worst: percentile(latencies, 1),
    recoveredMs: plan.killAtMs === undefined ? undefined : recovery(answers, plan.killAtMs)
  }
}

const nodeOf = (agenda: Agenda): Node => ({
  cores: new Cores(agenda, 1),
  waiting: [],
  isCommitting: false,
  isDead: false
})

/** The first node ends with what was in its memory; later its shards are at the others, and its callers ask there. */
const kill = (
  nodes: ReadonlyArray<Node>,
  homes: Array<Node>,
  agenda: Agenda,
  takeoverMs: number,
  call: (message: Message) => void
) => {
  const [dead, ...others] = nodes
  if (dead === undefined) return
  dead.isDead = true
  agenda.after(takeoverMs, () => {
    homes.forEach((node, shard) => {
      if (node === dead) homes[shard] = others[Math.floor(shard / nodes.length) % others.length] as Node
    })
  })
  for (const message of dead.waiting.splice(0)) call(message)
}

/** A tenant's number, as often as its weight says. */
const drawing = (weights: ReadonlyArray<number>, seeds: Seeds) => {
  const upTo: Array<number> = []
  for (const weight of weights) upTo.push((upTo.at(-1) ?? 0) + weight)
  return () => {
    const drawn = seeds.next() * (upTo.at(-1) ?? 0)
    let [low, high] = [0, upTo.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((upTo[middle] ?? 0) > drawn) high = middle
      else low = middle + 1
    }
    return low
  }
}

const mean = (values: ReadonlyArray<number>): number => values.reduce((sum, value) => sum + value, 0) / values.length

const windowMs = 50

/** From the kill until no answer of 50 ms takes more than twice the longest of the second before it. */
const recovery = (answers: ReadonlyArray<readonly [arrived: number, answered: number]>, killAtMs: number): number => {
  const slowest = (from: number, to: number) =>
    answers.reduce((most, [arrived, at]) => (at >= from && at < to ? Math.max(most, at - arrived) : most), 0)
  const usual = slowest(killAtMs - 1000, killAtMs)
  const end = answers.reduce((last, [, at]) => Math.max(last, at), 0)
  let recovered = killAtMs
  for (let from = killAtMs; from < end; from += windowMs) {
    if (slowest(from, from + windowMs) > 2 * usual) recovered = from + windowMs
  }
  return recovered - killAtMs
}
