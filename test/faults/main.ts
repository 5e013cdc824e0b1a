import { appendFileSync } from "node:fs"
import { parseArgs } from "node:util"
import { NodeRuntime } from "@effect/platform-node"
import { Effect } from "effect"
import { type FaultName, faults } from "./Nemesis.ts"
import { type RunPlan, type RunReport, run } from "./Run.ts"
import { summaryOf } from "./Summary.ts"

const everyFault = Object.keys(faults) as Array<FaultName>

const usage = `Usage: npm run test:faults -- [options]

Runs the product as real processes under load, hurts them, and checks what callers and receivers saw.

  --seed <text>       repeats the choices of an earlier run; a fresh one is printed otherwise
  --seconds <n>       how long faults go on, 60 unless given
  --rounds <n>        at most so many faults
  --faults <list>     comma-separated: ${everyFault.join(",")}; all that suit the mode unless given
  --mode <mode>       single (the default) or cluster
  --shards <n>        nodes that own, in cluster mode: 3 unless given
  --edges <n>         nodes that listen, in cluster mode: 2 unless given
  --processes <n>     equal processes of the single node, or of the first shard: 1 unless given
  --clients <n>       concurrent senders, 8 unless given
  --merchants <n>     callers that ask for payments, 2 unless given
  --batch <n>         recipients of a sandbox batch, 200 unless given; in production four times as many
  --cards <driver>    the card processor: stripe (the default) or bridge
  --pix <driver>      Pix provider 2: mercadopago (the default), pix-api or bridge; or both: the service's own account at
                      Mercado Pago, and tenants at a bank
  --runs <n>          so many runs one after another, each with a seed of its own
  --results <file>    adds a line about each run to this file; npm run proof -- faults shows those in test/proof/fault-runs.jsonl

The exit code is 1 when a check fails; the logs are kept then.
`

const readPlan = () => {
  const text = { type: "string" } as const
  const { values } = parseArgs({
    options: {
      seed: text,
      seconds: text,
      rounds: text,
      faults: text,
      mode: text,
      shards: text,
      edges: text,
      processes: text,
      clients: text,
      merchants: text,
      batch: text,
      cards: text,
      pix: text,
      runs: text,
      results: text,
      help: { type: "boolean", short: "h" }
    }
  })
  if (values.help === true) return undefined
  const number = (
    name: "seconds" | "rounds" | "shards" | "edges" | "processes" | "clients" | "merchants" | "batch" | "runs",
    standard: number
  ) => {
    const given = values[name] === undefined ? standard : Number(values[name])
    if (!(given >= 1)) throw new Error(`--${name}: a number from 1`)
    return given
  }
  const mode = values.mode ?? "single"
  if (mode !== "single" && mode !== "cluster") throw new Error("--mode: single or cluster")
  const cards = values.cards ?? "stripe"
  if (cards !== "stripe" && cards !== "bridge") throw new Error("--cards: stripe or bridge")
  const pix = values.pix ?? "mercadopago"
  if (pix !== "mercadopago" && pix !== "pix-api" && pix !== "bridge" && pix !== "both") {
    throw new Error("--pix: mercadopago, pix-api, bridge or both")
  }
  const processes = number("processes", 1)
  const suits = (name: FaultName) =>
    (name !== "process" || processes > 1) && (name !== "link" || processes > 1 || mode === "cluster")
  const named = values.faults?.split(",") ?? everyFault.filter(suits)
  const [first, ...rest] = named.map((name) => {
    const known = everyFault.find((fault) => fault === name)
    if (known === undefined) throw new Error(`--faults: ${name} is none of ${everyFault.join(",")}`)
    return known
  })
  if (first === undefined) throw new Error("--faults: at least one")
  const plan: Omit<RunPlan, "seed"> = {
    mode,
    faults: [first, ...rest],
    seconds: number("seconds", 60),
    rounds: values.rounds === undefined ? Number.POSITIVE_INFINITY : number("rounds", 1),
    shards: number("shards", 3),
    edges: number("edges", 2),
    processes,
    clients: number("clients", 8),
    merchants: number("merchants", 2),
    batch: number("batch", 200),
    cards,
    pix
  }
  const { results } = values
  return {
    plan,
    results,
    runs: number("runs", 1),
    seed: values.seed ?? String(Math.floor(performance.timeOrigin % 1e9))
  }
}

const print = (text: string) => Effect.sync(() => process.stdout.write(`${text}\n`))

const tell = ({ evidence, folder, verdicts }: RunReport): string => {
  const count = (kind: string) =>
    evidence.entries.filter((entry) => entry.phase === "invoke" && entry.operation.kind === kind).length
  const hurt = evidence.entries.flatMap((entry) =>
    entry.phase === "fault" && entry.stage === "end" ? [`${entry.name} ${entry.target}`] : []
  )
  const lost = evidence.entries.filter(({ phase }) => phase === "unknown").length
  return [
    `${hurt.length} faults: ${hurt.join(", ")}`,
    `${count("send")} sends, ${count("read")} reads, ${count("listen")} listens, ${lost} lost answers;`,
    `${evidence.messages.length} messages, ${evidence.received.length} deliveries;`,
    `${evidence.batches.length} batches of ${evidence.batches.reduce((sum, one) => sum + one.recipient_count, 0)} recipients;`,
    tellProduction(evidence),
    tellPayments(evidence),
    tellMoney(evidence),
    tellGroups(evidence),
    ...verdicts.map(({ promise, violations }) => `  ${violations.length === 0 ? "ok  " : "FAIL"}  ${promise}`),
    ...verdicts.flatMap(({ violations }) => violations.slice(0, 5).map((violation) => `    ${violation}`)),
    ...(folder === undefined ? [] : [`logs and evidence: ${folder}`])
  ].join("\n")
}

const tellProduction = ({ production: { log, messages } }: RunReport["evidence"]): string => {
  const posts = (outcome: string) => log.posts.filter((post) => post.outcome === outcome).length
  const unconfirmed = messages.filter((message) => typeof message.delivery_unconfirmed_at === "string").length
  return `${messages.length} in production, ${posts("accepted")} taken, ${posts("refused")} refusals, ${posts("dropped")} dropped, ${unconfirmed} unconfirmed`
}

const tellMoney = ({ money: { entries, topups, vendors } }: RunReport["evidence"]): string => {
  const taken = vendors.charges.filter((charge) => charge.taken).length
  return `${topups.length} top-ups, ${vendors.charges.length} charges at vendors, ${taken} of them paid, ${entries.length} credits`
}

const tellGroups = ({ groups: { calls, groups } }: RunReport["evidence"]): string => {
  const ended = (status: string) => groups.filter((group) => group.status === status).length
  const ends = ["active", "failed", "deleted", "pending", "deleting"].map((status) => `${ended(status)} ${status}`)
  return `${groups.length} groups, ${calls.length} calls at the platform, ${ends.join(", ")}`
}

const tellPayments = ({ payments: { ledger, payments, vendor } }: RunReport["evidence"]): string => {
  const ended = (status: string) => payments.filter((payment) => payment.status === status).length
  const ends = ["paid", "failed", "expired", "cancelled", "link_pending"].map((status) => `${ended(status)} ${status}`)
  return `${payments.length} payments, ${vendor.creates.length} creates at the provider, ${ends.join(", ")}, ${ledger.length} ledger entries`
}

const program = Effect.gen(function* () {
  const asked = yield* Effect.try({ try: readPlan, catch: (error) => error as Error })
  if (asked === undefined) return yield* print(usage)
  for (let turn = 0; turn < asked.runs; turn++) {
    const seed = turn === 0 ? asked.seed : `${asked.seed}.${turn}`
    yield* print(`seed ${seed} mode ${asked.plan.mode} faults ${asked.plan.faults.join(",")}`)
    const report = yield* run({ ...asked.plan, seed })
    yield* print(tell(report))
    if (asked.results !== undefined) {
      appendFileSync(asked.results, `${JSON.stringify(summaryOf({ ...asked.plan, seed }, report))}\n`)
    }
    if (report.folder !== undefined) process.exitCode = 1
  }
}).pipe(
  Effect.catch((error) => {
    process.exitCode = 2
    return print(`${error.message}\n\n${usage}`)
  })
)

NodeRuntime.runMain(program, {
  teardown: (exit, onExit) => onExit(exit._tag === "Failure" ? 1 : Number(process.exitCode ?? 0))
})
