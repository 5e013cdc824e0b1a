import { execFile } from "node:child_process"
import { randomBytes } from "node:crypto"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect } from "effect"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { type Loaded, load, quote, type Requests } from "../Load.ts"
import { run } from "../Processes.ts"
import { type Product, startProduct } from "../Product.ts"
import { limit, medianOf } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import type { Workload } from "./Workload.ts"

const limitMillis = 120_000
const lookMillis = 100
const centavos = 12_550
/** Both fees of one payment in 1/10,000 BRL: 0.49, and a hundredth of the amount. gaps-3 E "Rate card seed" */
const feesOfOne = 4900 + centavos

// The newest of those that are left, by an index: counting rows ten times a second would be work for the server being measured.
const waiting = `select count(*) from (select id from payment_requests where environment_id = any($1)
  and status = 'link_pending' order by id desc limit 1) p`
const linked =
  "select count(*) from payment_requests where status = 'link_generated' and payment_link_url is not null and provider_payment_id is not null"
const events = `select count(distinct (source_id, type)) from outbox_events where type = any($1)`
const eventTypes = ["payment.created", "payment.approval_available", "payment.link_generated"]
const held = `select count(*) from reservations where state = 'open' and account_id = any(select account_id from payment_requests)`

const creates = (apiKey: string): Requests => ({
  method: "POST",
  headers: { Authorization: `Bearer ${apiKey}` },
  path: '"/v1/payments"',
  body: quote(JSON.stringify({ amount_brl_centavos: centavos, description: "Order", customer_name: "Ana Souza" }))
})

/** POSTs over 64 connections; whatever is not accepted fails the round. */
const accepting = Effect.fnUntraced(function* (product: Product, apiKey: string) {
  const { folder, options } = yield* Bench
  const loaded = yield* load(folder, product.url, creates(apiKey), options.seconds)
  if (loaded.refused > 0 || loaded.broken > 0 || loaded.requests === 0) {
    const message = `${loaded.refused} of ${loaded.requests} payments refused, ${loaded.broken} without an answer`
    return yield* new BenchFailure({ message })
  }
  return loaded
})

/** Waits until every payment has its link; answers how often it looked. */
const allLinked = Effect.fnUntraced(function* ({ database, dev }: Product) {
  const environments = [[dev.sandbox.environment_id, dev.production.environment_id]]
  const started = performance.now()
  let looks = 1
  while ((yield* database.count(waiting, environments)) > 0) {
    looks++
    if (performance.now() - started > limitMillis) {
      const message = `payments without a link ${limitMillis / 1000} s after the load ended`
      return yield* new BenchFailure({ message })
    }
    yield* Effect.sleep(lookMillis)
  }
  return looks
})

/** From the create to the committed link, with hold and events of each. */
const linkRound = (product: Product, apiKey: string) =>
  Effect.gen(function* () {
    const { database } = product
    const work = Effect.gen(function* () {
      const before = yield* database.count(linked)
      const started = performance.now()
      const loaded: Loaded = yield* accepting(product, apiKey)
      const looks = yield* allLinked(product)
      const seconds = (performance.now() - started) / 1000
      return { loaded, looks, seconds, done: (yield* database.count(linked)) - before }
    })
    const { result, statements, ...spent } = yield* charged(product, work, ({ done }) => done)
    const { done, loaded, looks, seconds } = result
    if (done < loaded.requests) {
      return yield* new BenchFailure({ message: `${loaded.requests} payments answered, ${done} have a link` })
    }
    const sample: Sample = {
      perSecond: done / seconds,
      p50Ms: loaded.p50Ms,
      p99Ms: loaded.p99Ms,
      ...spent,
      statements: (statements ?? 0) - (looks + 2) / done
    }
    return sample
  })

/** Holds and events of every payment, once. */
const complete = Effect.fnUntraced(function* ({ database }: Product) {
  const all = yield* database.count(linked)
  const told = yield* database.count(events, [eventTypes])
  const holds = yield* database.count(held)
  const measured = `${all} links, ${told} events, ${holds} holds`
  return { promise: "nothing missing", measured, passed: told === all * eventTypes.length && holds === all }
})

/** Sandbox payments until the fixture's link. Issue bar: 500 a second. */
export const sandboxPayments: Workload = {
  name: "sandbox-payments",
  about:
    "POST /v1/payments of one sandbox over 64 connections until the last payment of the round is link_generated, with hold and events committed.",
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "sandbox-payments", env: { CARTEIRO_SANDBOX_STATUS_DELAY_MS: "1" } })
    const sides = yield* alternate([{ name: "carteiro", round: linkRound(product, product.dev.sandbox.api_key) }])
    return {
      unit: "payments",
      sides,
      bars: [
        limit("at least 500 payments/s until the link", medianOf(sides[0], "perSecond"), (rate) => rate >= 500),
        yield* complete(product)
      ],
      facts: ["p50 and p99 are those of the accepting answer while everything else runs."]
    }
  })
}

/** Production payments through the simulated provider until its link. Issue bars: 300 a second, one statement a payment. */
export const productionPayments: Workload = {
  name: "production-payments",
  about:
    "POST /v1/payments of one funded organization over 64 connections until the last payment of the round has the provider's link, with hold and events committed.",
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const { options, root, say } = yield* Bench
    const provider = yield* run({
      name: "pixprov2 simulator",
      command: process.execPath,
      arguments: [join(root, "packages/simulators/main.ts"), "pixprov2", "--work-ms", "0"],
      env: {},
      ready: /^ready (http:\S+)$/m
    })
    const env = {
      CARTEIRO_MASTER_KEY: randomBytes(32).toString("hex"),
      CARTEIRO_PIXPROV2_DRIVER: "bridge",
      CARTEIRO_PIXPROV2_API_BASE_URL: provider.match[1] ?? ""
    }
    const product = yield* startProduct({ name: "production-payments", env })
    const { api_key } = product.dev.production
    yield* fund(product, join(root, "runtime/cli/main.ts"), env)
    const sides = yield* alternate([{ name: "carteiro", round: linkRound(product, api_key) }])
    // What the accepting path itself writes: the provider stands still meanwhile.
    const perPayment = yield* Effect.gen(function* () {
      yield* provider.kill("SIGSTOP")
      const { statements } = yield* charged(product, accepting(product, api_key), ({ requests }) => requests)
      return statements
    }).pipe(Effect.ensuring(provider.kill("SIGCONT")))
    say(`  accepting alone: ${perPayment?.toFixed(2)} statements a payment`)
    yield* allLinked(product)
    return {
      unit: "payments",
      sides,
      bars: [
        limit("at least 300 payments/s until the link", medianOf(sides[0], "perSecond"), (rate) => rate >= 300),
        limit("at most 1 statement a payment to accept", perPayment, (count) => count <= 1, 2),
        yield* complete(product)
      ],
      facts: [
        `Statements of the table are those of a whole payment: accept, reservation, answer. ${options.rounds} rounds.`,
        "p50 and p99 are those of the accepting answer while everything else runs."
      ]
    }
  })
}

/** Credit for more payments than any run makes. */
const fund = ({ database, dev }: Product, program: string, env: Readonly<Record<string, string>>) =>
  Effect.tryPromise({
    try: () => {
      const amount = String((feesOfOne * 1_000_000) / 10_000)
      const words = ["ledger", "credit", "-o", dev.organization_id, amount, "--reason", "bench", "--json"]
      return promisify(execFile)(process.execPath, [program, ...words], {
        env: { ...process.env, ...env, DATABASE_URL: database.url, CARTEIRO_LOG: "warn" }
      })
    },
    catch: (error) => new BenchFailure({ message: `ledger credit: ${String(error)}` })
  })
