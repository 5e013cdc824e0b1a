import type { Load } from "./Load.ts"
import { type NodeFigures, readFigures } from "./Metrics.ts"
import type { Cluster, DemoNode } from "./Nodes.ts"
import type { Receiver } from "./Receiver.ts"
import { recoverEndpoints, type Tenant } from "./Tenants.ts"
import type { NodeLine, Scene } from "./View.ts"

/** Seconds that the bars cover. */
const barSeconds = 30
const logLines = 6

/** What the demo runs on, and the load that it sends. */
export interface ShowParts {
  readonly cluster: Cluster
  readonly receiver: Receiver
  readonly tenants: ReadonlyArray<Tenant>
  readonly load: Load
}

/** A running demo: it is measured once a second, and broken by commands. */
export class Show {
  private selected = 0
  private adding = 0
  private brokenSince: string | undefined
  private readonly began = performance.now()
  private readonly log: Array<string> = []
  private readonly figures = new Map<
    DemoNode,
    { readonly now: NodeFigures; readonly cpu: number | undefined; readonly at: number }
  >()
  private readonly accepted: Array<number> = []
  private readonly webhooks: Array<number> = []
  private totals = { accepted: 0, webhooks: 0 }

  private readonly parts: ShowParts

  constructor(parts: ShowParts) {
    this.parts = parts
  }

  /** Selects the node at that place, from 1. */
  select(position: number): void {
    if (this.parts.cluster.nodes[position - 1] !== undefined) this.selected = position - 1
  }

  kill(): void {
    const node = this.node()
    if (node === undefined || !this.parts.cluster.isRunning(node)) return
    this.parts.cluster.kill(node)
    this.tell(`${node.name} was killed; its shards move to the others`)
  }

  freeze(): void {
    const node = this.node()
    if (node === undefined || !this.parts.cluster.isRunning(node)) return
    this.parts.cluster.freeze(node)
    this.tell(node.frozen ? `${node.name} is frozen: alive, and silent` : `${node.name} goes on`)
  }

  async addShard(): Promise<void> {
    this.adding++
    this.tell("a shard is starting")
    try {
      const node = await this.parts.cluster.addShard()
      this.tell(`${node.name} is ready and takes shards over`)
    } catch (error) {
      this.tell(`a shard could not start: ${error instanceof Error ? error.message.split("\n").at(-1) : error}`)
    } finally {
      this.adding--
    }
  }

  breakReceiver(): void {
    const { load, receiver } = this.parts
    if (receiver.broken) return
    receiver.broken = true
    this.brokenSince = load.newest()
    this.tell("the receiver answers 500 from now on")
  }

  /** Answers 200 again, enables the endpoints that the breaker disabled and recovers the gap. */
  async heal(): Promise<void> {
    const { receiver, tenants } = this.parts
    if (!receiver.broken) return
    receiver.broken = false
    const from = this.brokenSince
    this.tell("the receiver answers again; its endpoints recover the gap")
    if (from !== undefined) await recoverEndpoints(tenants, from)
  }

  tell(line: string): void {
    const seconds = Math.floor((performance.now() - this.began) / 1000)
    this.log.push(`${String(seconds).padStart(4)} s  ${line}`)
    if (this.log.length > logLines) this.log.shift()
  }

  /** Reads the metrics of all nodes and closes one second of the bars. */
  async measure(): Promise<void> {
    const { cluster, load, receiver } = this.parts
    await Promise.all(
      cluster.nodes.map(async (node) => {
        const before = this.figures.get(node)
        const now = cluster.isRunning(node) && !node.frozen ? await readFigures(node.admin) : undefined
        if (now === undefined) return this.figures.delete(node)
        const at = performance.now()
        const cpu =
          before === undefined ? undefined : ((now.cpuSeconds - before.now.cpuSeconds) * 1000) / (at - before.at)
        return this.figures.set(node, { now, cpu, at })
      })
    )
    const totals = { accepted: load.accepted(), webhooks: receiver.verified() }
    push(this.accepted, totals.accepted - this.totals.accepted)
    push(this.webhooks, totals.webhooks - this.totals.webhooks)
    this.totals = totals
  }

  scene(): Scene {
    const { cluster, load, receiver, tenants } = this.parts
    return {
      seconds: (performance.now() - this.began) / 1000,
      tenants: tenants.length,
      nodes: [...cluster.nodes.map((node) => this.line(node)), ...Array.from({ length: this.adding }, () => starting)],
      selected: this.selected,
      accepted: load.accepted(),
      failed: load.failed(),
      missing: load.missing(),
      acceptedBySecond: this.accepted,
      webhooksBySecond: this.webhooks,
      latencies: load.latencies(),
      webhooks: receiver.verified(),
      refused: receiver.refused(),
      receiverBroken: receiver.broken,
      log: this.log
    }
  }

  private node(): DemoNode | undefined {
    return this.parts.cluster.nodes[this.selected]
  }

  private line(node: DemoNode): NodeLine {
    const figures = this.figures.get(node)
    const state = !this.parts.cluster.isRunning(node) ? "killed" : node.frozen ? "frozen" : "running"
    return {
      name: node.name,
      state,
      shards: node.role === "shard" ? figures?.now.shards : undefined,
      owners: node.role === "shard" ? figures?.now.owners : undefined,
      memoryBytes: figures?.now.memoryBytes,
      cpu: figures?.cpu
    }
  }
}

const starting: NodeLine = {
  name: "shard",
  state: "starting",
  shards: undefined,
  owners: undefined,
  memoryBytes: undefined,
  cpu: undefined
}

const push = (values: Array<number>, value: number) => {
  values.push(value)
  if (values.length > barSeconds) values.shift()
}
