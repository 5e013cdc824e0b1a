import { fileURLToPath } from "node:url"
import { commitOf } from "../bench/Machine.ts"
import type { Evidence } from "./Evidence.ts"
import type { CardDriver } from "./money/Vendors.ts"
import type { PixDriver } from "./payments/PixSimulators.ts"
import type { RunPlan, RunReport } from "./Run.ts"

/** One run in one line, for the page of proof. */
export interface RunSummary {
  readonly day: string
  readonly commit: string
  readonly seed: string
  readonly mode: RunPlan["mode"]
  /** Nodes that listen and that own, in cluster mode. */
  readonly edges: number
  readonly shards: number
  /** Equal processes of the single node, or of the first shard. */
  readonly processes: number
  readonly seconds: number
  /** Who played the card processor and Pix provider 2: the drivers of their wires. */
  readonly drivers: { readonly cards: CardDriver; readonly pix: PixDriver }
  /** What was done to the product, each with its target. */
  readonly faults: ReadonlyArray<string>
  readonly sends: number
  readonly lostAnswers: number
  /** Of both environments, those of batches included. */
  readonly messages: number
  readonly deliveries: number
  readonly payments: number
  readonly topups: number
  readonly groups: number
  /** What vendors of money did wrong; unknown of earlier runs. */
  readonly strikes?: Evidence["strikes"]
  readonly checks: number
  /** The promises that were broken. */
  readonly broken: ReadonlyArray<string>
}

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Returns what a run has come to. */
export const summaryOf = (plan: RunPlan, { evidence, verdicts }: RunReport): RunSummary => ({
  day: new Date().toISOString().slice(0, 10),
  commit: commitOf(root),
  seed: plan.seed,
  mode: plan.mode,
  edges: plan.edges,
  shards: plan.shards,
  processes: plan.processes,
  seconds: plan.seconds,
  drivers: { cards: plan.cards, pix: plan.pix },
  faults: evidence.entries.flatMap((entry) =>
    entry.phase === "fault" && entry.stage === "end" ? [`${entry.name} ${entry.target}`] : []
  ),
  sends: evidence.entries.filter((entry) => entry.phase === "invoke" && entry.operation.kind === "send").length,
  lostAnswers: evidence.entries.filter(({ phase }) => phase === "unknown").length,
  messages: evidence.messages.length + evidence.production.messages.length,
  deliveries: evidence.received.length,
  payments: evidence.payments.payments.length,
  topups: evidence.money.topups.length,
  groups: evidence.groups.groups.length,
  strikes: evidence.strikes,
  checks: verdicts.length,
  broken: verdicts.filter(({ violations }) => violations.length > 0).map(({ promise }) => promise)
})
