import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Fiber } from "effect"
import { askForBatches, type BatchStage, batcher, type UnansweredBatches } from "./Batches.ts"
import { judge, type Verdict } from "./Check.ts"
import { type Client, makeClient } from "./Client.ts"
import { counter } from "./Counter.ts"
import { isAtRest } from "./checks/Groups.ts"
import { isSettled } from "./checks/Money.ts"
import { allPaymentsRest } from "./checks/Payments.ts"
import { allAtRest } from "./checks/Production.ts"
import { registerEndpoints, switcher } from "./Endpoints.ts"
import { type Evidence, gather, gatherProduction } from "./Evidence.ts"
import { gatherGroups } from "./groups/GroupsSeen.ts"
import { askForGroups, type GroupStage, host, type UnansweredGroups } from "./groups/Hosts.ts"
import { listener } from "./Listeners.ts"
import { askAgain, type Stage, sender, type Unanswered } from "./Load.ts"
import { fields, makeLog } from "./Log.ts"
import { buyAgain, buyer, type Counter, crosser, pixPayer, signIn, type Unbought } from "./money/Buyers.ts"
import { gatherMoney } from "./money/MoneySeen.ts"
import { type CardDriver, chargesOf, moneyMoves, startCardVendor } from "./money/Vendors.ts"
import { type FaultName, nemesis } from "./Nemesis.ts"
import { type Mode, type Product, startProduct } from "./Nodes.ts"
import { startPlatform, wideTier } from "./Platform.ts"
import { startAgenticVendor } from "./payments/AgenticVendor.ts"
import { type AgentStage, agent, connectAgents, connectPix, gatherAgents } from "./payments/Agents.ts"
import { askForPaymentsAgain, merchant, type PaymentStage, type UnansweredPayments } from "./payments/Payer.ts"
import { gatherPayments } from "./payments/PaymentsSeen.ts"
import type { PixDriver } from "./payments/PixSimulators.ts"
import { type PixVendor, startPixVendor } from "./payments/PixVendor.ts"
import { startReceiver } from "./Receiver.ts"
import { makeSeeds, type Seeds } from "./Seeds.ts"
import { cardFaults, faultDeck, pixFaults } from "./VendorFaults.ts"

/** One run of the suite. */
export interface RunPlan {
  readonly seed: string
  /** Faults begin for this long; the run ends when the last one is over and nothing is under way. */
  readonly seconds: number
  /** At most so many faults. */
  readonly rounds: number
  readonly faults: readonly [FaultName, ...ReadonlyArray<FaultName>]
  readonly mode: Mode
  readonly shards: number
  readonly edges: number
  /** Equal processes (`CARTEIRO_PROCESSES`) of the single node, or of the first shard. */
  readonly processes: number
  readonly clients: number
  /** Callers that ask for production payments; those that a kill leaves in doubt are known a minute or two later. */
  readonly merchants: number
  /** The driver of the card processor. */
  readonly cards: CardDriver
  /** The driver of Pix provider 2, of payments and of the service's own account; or both vendors' at once. */
  readonly pix: PixDriver
  /** Recipients of a batch in the sandbox; in production it has four times as many. */
  readonly batch: number
  /** A database to use; an embedded one of its own when left out. */
  readonly databaseUrl?: string | undefined
}

export interface RunReport {
  readonly verdicts: ReadonlyArray<Verdict>
  /** Where logs and evidence are, when a check failed; undefined after a good run. */
  readonly folder: string | undefined
  readonly evidence: Evidence
}

/** How often the product is looked at until it has come to rest. */
const tries = 150

/** The same for keys: a node that died with a request leaves its key in progress for up to a minute. gaps-1 B */
const triesForKeys = 400

/** The same for production, once a second: an attempt that a crash cut off is judged after a minute. M-DLV-22 */
const triesForProduction = 120

/** The same for what a Pix provider is asked again 1 and 5 minutes after a doubt: a fault may spoil the first of the two. gaps-3 C */
const triesForProviders = 360

/** The same for groups: one whose create was cut off is left as it is for ever. C-GRP-43 */
const triesForGroups = 30

/** Runs the product under load and faults, lets it askAgain, and judges what was seen. */
export const run = Effect.fnUntraced(function* (plan: RunPlan) {
  const folder = mkdtempSync(join(tmpdir(), "carteiro-faults-"))
  const log = makeLog(() => performance.now())
  const write = (name: string, lines: ReadonlyArray<unknown>) =>
    writeFileSync(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
  const evidence = yield* Effect.scoped(suffer(plan, folder, log)).pipe(
    Effect.onError(() =>
      Effect.sync(() => {
        write("history.jsonl", log.entries)
        process.stderr.write(`the run broke off; its logs are in ${folder}\n`)
      })
    )
  )
  const verdicts = judge(evidence)
  if (verdicts.every(({ violations }) => violations.length === 0)) {
    rmSync(folder, { recursive: true, force: true })
    return { verdicts, evidence, folder: undefined } satisfies RunReport as RunReport
  }
  write("history.jsonl", evidence.entries)
  write("received.jsonl", evidence.received)
  write("messages.jsonl", evidence.messages)
  write("production.jsonl", evidence.production.messages)
  write("platform.jsonl", [...evidence.production.log.posts, ...evidence.production.log.statuses])
  write("batches.jsonl", evidence.batches)
  write("payments.jsonl", [...evidence.payments.payments, ...evidence.payments.ledger])
  write("vendor.jsonl", [...evidence.payments.vendor.creates, ...evidence.payments.vendor.ends])
  write("agents.jsonl", [evidence.agents])
  write("money.jsonl", [evidence.money])
  write("groups.jsonl", [...evidence.groups.groups, ...evidence.groups.calls])
  write("rows.jsonl", evidence.rows)
  write("violations.jsonl", verdicts)
  return { verdicts, evidence, folder } satisfies RunReport as RunReport
})

const suffer = Effect.fnUntraced(function* (plan: RunPlan, folder: string, log: ReturnType<typeof makeLog>) {
  const seeds = makeSeeds(plan.seed)
  const receiver = yield* startReceiver
  const platform = yield* startPlatform
  const vendor = yield* startPixVendor(plan.pix, platform.masterKey, folder)
  const agents = yield* startAgenticVendor
  const cards = yield* startCardVendor(plan.cards)
  const product = yield* startProduct(
    {
      ...plan,
      folder,
      receiver: receiver.origin,
      proxied: plan.faults.includes("vanish"),
      vendors: { ...platform.env, ...vendor.env, ...agents.env, ...cards.env }
    },
    log
  )
  vendor.connect(product.targets[0].url, product.pixConnectionId)
  cards.connect(product.targets[0].url)
  const choice = seeds.fork("targets")
  const client = yield* makeClient(log, () => choice.pick(product.targets), product.sandbox.apiKey)
  const { phoneNumberId } = product.sandbox
  const producer = yield* makeClient(log, () => choice.pick(product.targets), product.production.apiKey)
  yield* platform.connect(product.targets[0].url, yield* phoneOf(producer, product.production.phoneNumberId))
  yield* widened(producer, product.production.phoneNumberId)
  yield* cardIsSaved(producer)
  const visitor = yield* signIn(() => choice.pick(product.targets), product.signInUrl)
  yield* connectAgents(producer, visitor, agents, product.targets[0].url)
  yield* connectPix(producer, visitor, vendor, product.pixConnectionId)
  yield* openWindows(client, phoneNumberId)
  const endpoints = yield* registerEndpoints(client, receiver)

  let over = false
  const stopped = () => over
  const stage: Stage = { client, phoneNumberId, recipients, stopped, pace: [10, 60], reads: 0.25, sends: "text" }
  const production: Stage = { ...stage, ...product.production, ...modest, client: producer, recipients: customers }
  const paid: PaymentStage = { client: producer, vendor, stopped }
  const unansweredPayments: UnansweredPayments = new Map()
  const authorized: AgentStage = { client: producer, vendor: agents, stopped }
  const purchases: Counter = { client: producer, stopped }
  const unbought: Unbought = new Set()
  const hosting: GroupStage = { client: producer, phoneNumberId: product.production.phoneNumberId, stopped }
  const unmade: UnansweredGroups = new Map()
  const unanswered: Unanswered = new Map()
  const unansweredInProduction: Unanswered = new Map()
  const unansweredBatches: UnansweredBatches = new Map()
  const sandboxBatches: BatchStage = {
    client,
    phoneNumberId,
    environment: "sandbox",
    recipients: plan.batch,
    stopped
  }
  const productionBatches: BatchStage = {
    ...sandboxBatches,
    client: producer,
    phoneNumberId: product.production.phoneNumberId,
    environment: "production",
    recipients: 4 * plan.batch
  }
  const load = yield* Effect.forEach(
    [
      ...range(plan.clients).map((name) => sender(stage, `c${name}`, seeds.fork(`sender ${name}`), unanswered)),
      ...range(2).map((name) => sender(production, `p${name}`, seeds.fork(`producer ${name}`), unansweredInProduction)),
      batcher(sandboxBatches, "b", seeds.fork("batches"), unansweredBatches),
      batcher(productionBatches, "pb", seeds.fork("batches of production"), unansweredBatches),
      ...range(plan.merchants).map((name) =>
        merchant(paid, `m${name}`, seeds.fork(`merchant ${name}`), unansweredPayments)
      ),
      ...range(plan.merchants).map((name) => agent(authorized, `a${name}`, seeds.fork(`agent ${name}`))),
      buyer(purchases, "b0", seeds.fork("buyer"), unbought),
      crosser(purchases, seeds.fork("crosser")),
      pixPayer(visitor, vendor, seeds.fork("payer"), stopped),
      host(hosting, "g0", seeds.fork("host"), unmade),
      ...range(2).map((name) => listener(client, `l${name}`, seeds.fork(`listener ${name}`), stopped)),
      switcher(client, endpoints, seeds.fork("switcher"), stopped),
      counter(
        { client, endpointId: endpoints.counted, inbound: { from: recipients[0], to: phoneNumberId } },
        stopped,
        tries
      )
    ],
    (actor) => Effect.forkChild(actor)
  )
  yield* moneyMoves(cards, vendor)
  const ends = performance.now() + plan.seconds * 1000
  const enough = () => performance.now() > ends
  const decks = {
    pix: faultDeck(pixFaults, vendor, seeds.fork("pix faults")),
    cards: faultDeck(cardFaults, cards, seeds.fork("card faults"))
  }
  const grief = { product, platform, vendor, agents, cards, decks, log, seeds: seeds.fork("nemesis") }
  yield* nemesis(grief, plan.faults, { rounds: plan.rounds, stopped: enough })
  yield* Effect.sleep("2 seconds")
  over = true
  yield* Effect.forEach(load, Fiber.join, { discard: true })
  yield* revive(product)
  yield* askAgain(stage, unanswered, triesForKeys)
  yield* askAgain(production, unansweredInProduction, triesForKeys)
  yield* askForBatches(unansweredBatches, triesForKeys)
  yield* askForPaymentsAgain(paid, unansweredPayments, triesForKeys)
  yield* buyAgain(purchases, unbought, triesForKeys)
  yield* askForGroups(hosting, unmade, triesForKeys)
  const payers = seeds.fork("payers")
  const elsewhere = Effect.all(
    {
      production: gatherProduction(producer, platform.log, allAtRest, triesForProduction),
      payments: gatherPayments(producer, () => endAll(vendor, payers), allPaymentsRest, triesForProviders),
      agents: gatherAgents(producer, agents, triesForProviders),
      money: gatherMoney(producer, () => chargesOf(cards, vendor), isSettled, triesForProduction),
      strikes: Effect.sync(() => ({ cards: cards.strikes(), pix: vendor.strikes() })),
      groups: gatherGroups(producer, platform.groupCalls, isAtRest, triesForGroups)
    },
    { concurrency: 6 }
  )
  return yield* gather(client, endpoints, log, receiver.log, elsewhere, tries)
})

/** Payers and time decide what is left, and what turns up at the vendor late. */
const endAll = (vendor: PixVendor, seeds: Seeds) => {
  vendor.decideAll(() => seeds.pick(["paid", "failed", "expired"]))
  return vendor.log()
}

/** Whoever ended unasked is started again, so that the rest can still be judged. */
const revive = (product: Product) =>
  Effect.forEach(product.nodes, (node) => (node.isUp() ? Effect.void : node.start), { discard: true })

const recipients = ["+5511987650001", "+5511987650002", "+5511987650003", "+5521987650004", "+5531987650005"] as const

/** Production sends beside the load: no rate stops them, and a template needs no window. */
const modest = { pace: [60, 240], reads: 0, sends: "template" } as const

/** Fewer than a number of unknown tier may begin conversations with. gaps-2 D "Daily new-recipient allowance" */
const customers = ["+5511912340000", ...Array.from({ length: 99 }, (_, n) => `+551191234${1000 + n}`)] as const

/** Free text needs an open service window, which an inbound message opens. gaps-2 B "Service window definition" */
const openWindows = (client: Client, to: string) =>
  Effect.forEach(
    recipients,
    Effect.fnUntraced(function* (from) {
      const path = "/v1/sandbox/inbound-messages"
      const body = { channel: "chatapp", from, to, type: "text", text: { body: "hello" } }
      const end = yield* client.call("setup", { kind: "harness", path }, { method: "POST", path, body })
      if (end.phase !== "ok") return yield* Effect.die(`no inbound message: ${end.status} ${end.text}`)
    }),
    { discard: true }
  )

const numberOf = (client: Client, id: string) => {
  const path = `/v1/phone-numbers/${id}`
  return Effect.map(client.call("setup", { kind: "harness", path }, { method: "GET", path }), ({ text }) =>
    fields(text)
  )
}

const phoneOf = (client: Client, id: string) => Effect.map(numberOf(client, id), ({ phone }) => String(phone))

/** Batches go to more new recipients a day than a number of unknown tier may write to: the platform tells of a wider one. */
const widened = (client: Client, id: string) =>
  Effect.gen(function* () {
    for (let look = 0; look < tries; look++) {
      if ((yield* numberOf(client, id)).messaging_tier === wideTier) return
      yield* Effect.sleep("100 millis")
    }
    return yield* Effect.die("the product did not take the tier that the platform told")
  })

/** The card of the demo account is read from its processor after the start; a purchase before that is refused for good. */
const cardIsSaved = (client: Client) =>
  Effect.gen(function* () {
    const path = "/v1/billing/payment-methods"
    for (let look = 0; look < tries; look++) {
      const { text } = yield* client.call("setup", { kind: "harness", path }, { method: "GET", path })
      if (text.includes('"last4"')) return
      yield* Effect.sleep("100 millis")
    }
    return yield* Effect.die("the product shows no saved card")
  })

const range = (length: number) => Array.from({ length }, (_, index) => index)
