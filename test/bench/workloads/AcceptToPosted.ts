import { randomBytes } from "node:crypto"
import { Ids } from "@carteiro/owners/Ids.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { Effect, Layer, Redacted } from "effect"
import { caller } from "../Api.ts"
import { Bench } from "../Bench.ts"
import { BenchFailure } from "../BenchFailure.ts"
import { type FundedTenant, fundedTenants, platformAccounts } from "../FundedTenants.ts"
import { load, quote, type Requests } from "../Load.ts"
import { platformSecrets, startPlatform } from "../Platform.ts"
import { type Product, startProduct } from "../Product.ts"
import { atLeast, costsAtMost, limit } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import { recipient, sendBody } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const tenants = 64
/** Customers of each tenant. */
const customers = 100
const limitMillis = 120_000
const lookMillis = 100
const barMs = 1000

const unread = "select count(*) from messages where direction = 'outbound' and status <> 'read'"
const read = "select count(*) from messages where direction = 'outbound' and status = 'read'"
const unposted = "select count(*) from usage_records where posted_at is null"
const unfinished = `select status, status_reason, error_code, count(*)::int4 from messages
  where direction = 'outbound' and status <> 'read' group by 1, 2, 3`
const posted = "select count(*) from usage_records where posted_at is not null"
/** Milliseconds that usage waits, or has waited. */
const waiting = "select max(extract(epoch from now() - occurred_at) * 1000) from usage_records where posted_at is null"
const waited =
  "select max(extract(epoch from posted_at - occurred_at) * 1000) from usage_records where occurred_at >= $1"

// Billing cannot be switched off in the product: here its table keeps nothing, so that there is nothing to charge.
const withoutUsage = `create function no_usage() returns trigger language plpgsql as 'begin return null; end';
  create trigger no_usage before insert on usage_records for each row execute function no_usage();
  alter table usage_records disable trigger no_usage`
const billing = (on: boolean) => `alter table usage_records ${on ? "disable" : "enable"} trigger no_usage`

/** From the send to its charge in the ledger, with everything a message of a paying tenant causes. */
export const acceptToPosted: Workload = {
  name: "accept-to-posted",
  about: `POST /v1/messages of ${tenants} funded organizations in turn over 64 connections, each from a production number of its own at a simulated platform without delay, until the last message of the round is read and its usage posted; and the same while usage is kept from billing.`,
  needs: ["wrk"],
  run: Effect.gen(function* () {
    const master = randomBytes(32)
    const accounts = platformAccounts(tenants)
    const platform = yield* startPlatform(accounts)
    const product = yield* startProduct({
      name: "accept-to-posted",
      env: {
        ...platformSecrets,
        CARTEIRO_MASTER_KEY: master.toString("hex"),
        CARTEIRO_UPSTREAM_API_BASE_URL: platform.url
      }
    })
    const { database } = product
    const senders = yield* Effect.provide(
      fundedTenants(
        product,
        accounts,
        Array.from({ length: customers }, (_, n) => recipient(n))
      ),
      Layer.merge(Ids.layer, Secrets.layer(Redacted.make([master])))
    )
    yield* database.query(withoutUsage)
    yield* platform.tellsTo(`${product.url}/webhooks/upstream`)
    const asked = sendsOf(senders)
    // A refusal says why here, and owners are in memory, as those of busy organizations are.
    for (const { key, number } of senders) {
      yield* (yield* caller(product.url, key, 1)).post("/v1/messages", JSON.parse(sendBody(number, recipient(0))))
    }
    yield* finished(product)
    let charges = yield* database.count(posted)
    let longest = 0
    const sides = yield* alternate([
      {
        name: "carteiro",
        round: Effect.gen(function* () {
          const { done, lag, sample } = yield* round(product, asked, true)
          charges += done
          longest = Math.max(longest, lag)
          return sample
        })
      },
      { name: "without billing", round: Effect.map(round(product, asked, false), ({ sample }) => sample) }
    ])
    const found = yield* database.count(posted)
    return {
      unit: "messages",
      sides,
      bars: [
        atLeast(sides, "without billing", 0.9),
        costsAtMost(sides, 1.2),
        limit("posting lag under 1,000 ms", longest, (ms) => ms < barMs),
        {
          promise: "everything is charged once",
          measured: `${charges} read, ${found} charged`,
          passed: found === charges
        }
      ],
      facts: [
        "Both sides are the same process in turn; without billing a trigger drops usage, and accounts look for it in vain.",
        "The lag is the longest that usage waited, by its rows and by what a look every 100 ms found waiting.",
        "p50 and p99 are those of the accepting answer while everything else runs."
      ]
    }
  })
}

/** The tenants in turn; each goes on to its next customer. */
const sendsOf = (senders: ReadonlyArray<FundedTenant>): Requests => {
  const [head = "", tail = ""] = sendBody("NUMBER", "CUSTOMER").split("CUSTOMER")
  const heads = senders.map(({ number }) => quote(head.replace("NUMBER", number)))
  return {
    method: "POST",
    headers: {},
    path: '"/v1/messages"',
    setup: `local keys, heads = {${senders.map(({ key }) => quote(`Bearer ${key}`)).join(",")}}, {${heads.join(",")}}
local tail = ${quote(tail)}`,
    authorization: `keys[n % ${tenants} + 1]`,
    body: `heads[n % ${tenants} + 1] .. string.format("+55119%08d", math.floor(n / ${tenants}) % ${customers}) .. tail`
  }
}

/** Waits until every message is read and what was used is posted; answers how many statements looked. */
const finished = Effect.fnUntraced(function* ({ database }: Product) {
  const started = performance.now()
  let looks = 2
  for (; (yield* database.count(unread)) > 0 || (yield* database.count(unposted)) > 0; looks += 2) {
    if (performance.now() - started > limitMillis) {
      const left = JSON.stringify(yield* database.query(unfinished))
      return yield* new BenchFailure({ message: `not done ${limitMillis / 1000} s after the load ended: ${left}` })
    }
    yield* Effect.sleep(lookMillis)
  }
  return looks
})

/** Sends until the last message is read and, with billing, charged. */
const round = Effect.fnUntraced(function* (product: Product, asked: Requests, billed: boolean) {
  const { folder, options } = yield* Bench
  const { database } = product
  yield* database.query(billing(billed))
  const begun = new Date().toISOString()
  let looks = 0
  let lag = 0
  const look = Effect.gen(function* () {
    looks++
    lag = Math.max(lag, yield* database.count(waiting))
    yield* Effect.sleep(lookMillis)
  })
  const sent = Effect.gen(function* () {
    const before = yield* database.count(read)
    const started = performance.now()
    const loaded = yield* load(folder, product.url, asked, options.seconds)
    if (loaded.refused > 0 || loaded.broken > 0 || loaded.requests === 0) {
      const message = `${loaded.refused} of ${loaded.requests} sends refused, ${loaded.broken} without an answer`
      return yield* new BenchFailure({ message })
    }
    looks += yield* finished(product)
    const seconds = (performance.now() - started) / 1000
    return { loaded, done: (yield* database.count(read)) - before, seconds }
  })
  const { result, statements, ...spent } = yield* charged(
    product,
    Effect.raceFirst(sent, Effect.forever(look)),
    ({ done }) => done
  )
  const { done, loaded, seconds } = result
  const sample: Sample = {
    perSecond: done / seconds,
    p50Ms: loaded.p50Ms,
    p99Ms: loaded.p99Ms,
    ...spent,
    statements: (statements ?? 0) - (looks + 2) / done
  }
  return { sample, done, lag: Math.max(lag, yield* database.count(waited, [begun])) }
})
