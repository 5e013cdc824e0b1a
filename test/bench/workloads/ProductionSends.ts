import { randomBytes } from "node:crypto"
import { upstreamDemo } from "@carteiro/runtime/boot/simulators/UpstreamSimulator.ts"
import { parseMasterKeys } from "@carteiro/secrets/MasterKeys.ts"
import { Effect, Redacted } from "effect"
import { type Caller, caller } from "../Api.ts"
import { BenchFailure } from "../BenchFailure.ts"
import * as Peers from "../Peers.ts"
import { type Platform, platformSecrets, startPlatform } from "../Platform.ts"
import type { Running } from "../Processes.ts"
import { type Product, startProduct } from "../Product.ts"
import { atLeast, costsAtMost } from "../Report.ts"
import { alternate, type Cost, charged, type Sample } from "../Rounds.ts"
import { recipient } from "../Sends.ts"
import type { Workload } from "./Workload.ts"

const messages = 4000
const numbers = 8
const limitMillis = 120_000
const lookMillis = 100

/** Stored production messages until the platform's word that they are delivered is committed. */
export const productionSends: Workload = {
  name: "production-sends",
  about: `${messages} stored template messages of ${numbers} production numbers: each posted to a simulated platform without delay, until its signed statuses have come back and \`delivered\` is committed.`,
  needs: ["redis-server"],
  run: Effect.gen(function* () {
    const masterKey = randomBytes(32).toString("hex")
    const keys = parseMasterKeys(masterKey)
    if (keys === undefined) return yield* new BenchFailure({ message: "32 bytes in hex are a master key" })
    const account = upstreamDemo(Redacted.make(keys))
    const platform = yield* startPlatform([accountOf(account)])
    const product = yield* startProduct({
      name: "production-sends",
      env: { ...platformSecrets, CARTEIRO_MASTER_KEY: masterKey, CARTEIRO_UPSTREAM_API_BASE_URL: platform.url }
    })
    const senders = yield* seedNumbers(product, account.phone_number_id)
    const producer = yield* caller(product.url, product.dev.production.api_key)
    const peer = yield* Peers.bullMqSends(platform.url, {
      TOKEN: account.token,
      APP_SECRET: platformSecrets.CARTEIRO_UPSTREAM_APP_SECRET,
      NUMBERS: range(numbers)
        .map((n) => upstreamNumber(account.phone_number_id, n))
        .join(",")
    })
    const sides = yield* alternate([
      { name: "carteiro", round: productRound(platform, product, producer, senders) },
      { name: "bullmq", round: peerRound(platform, peer) }
    ])
    return {
      unit: "messages",
      sides,
      bars: [atLeast(sides, "bullmq", 1.1), costsAtMost(sides, 0.6)],
      facts: [
        "The platform is stopped while messages are accepted or queued: the time runs from when it goes on.",
        "BullMQ keeps its queue in Redis, which flushes every write; the peer stores neither steps nor events.",
        "At most 32 messages of a number, and no more than the node's share for one destination, are on the wire; the peer runs 256."
      ]
    }
  })
}

const range = (length: number) => Array.from({ length }, (_, n) => n)

/** The platform's id of the n-th number; that of the demonstration is the first. */
const upstreamNumber = (first: string, n: number): string => `${first.slice(0, -1)}${n + 1}`

/** The demonstration's account at the platform, with all numbers. */
const accountOf = ({ biz_account_id, phone_number_id, token }: ReturnType<typeof upstreamDemo>) => ({
  biz_account_id,
  token,
  numbers: range(numbers).map((n) => ({ id: upstreamNumber(phone_number_id, n), display_phone_number: `+1${n}` })),
  templates: [{ name: "welcome", language: "pt_BR", category: "UTILITY", body: 1 }]
})

/** Numbers like the demonstration's, as wide as a number gets, so that the product and not a limit is measured. */
const seedNumbers = Effect.fnUntraced(function* ({ database, dev }: Product, first: string) {
  const { phone_number_id } = dev.production
  yield* database.query(
    `insert into phone_numbers select (jsonb_populate_record(p, jsonb_build_object('id', left(p.id, -2)
          || case when p.id like '%z_' then 'y' else 'z' end || n,
        'phone', p.phone || n, 'upstream_phone_number_id', left($2::text, -1) || n))).*
      from phone_numbers p cross join generate_series(2, $3::int) n where p.id = $1`,
    [phone_number_id, first, numbers]
  )
  yield* database.query(`update phone_numbers set messaging_tier = 'unlimited', quality_rating = 'green',
    upstream_throughput_tier = 'unlimited' where environment = 'production'`)
  yield* database.query(`insert into account_plans select id, now(), 'plo_scale' from organizations`)
  const rows = yield* database.query("select id from phone_numbers where environment = 'production' order by phone")
  return rows.map(({ id }) => String(id))
})

/** How it is seen that every message is delivered: first whether those that end last are, and only then how many are. */
interface Told {
  readonly left: () => Effect.Effect<number, BenchFailure>
  readonly done: Effect.Effect<number, BenchFailure>
}

/** Messages that a look asks about. */
const looked = 64

// Those accepted last, by their ids: counting all messages ten times a second, or finding the newest without knowing them,
// would be work for the server being measured.
const toldOf = ({ database, dev }: Product, ids: ReadonlyArray<string>): Told => ({
  left: () =>
    database.count(
      `select count(*) from messages where environment_id = $1 and id = any($2) and status in ('queued', 'sending', 'sent')`,
      [dev.production.environment_id, ids.slice(-looked)]
    ),
  done: database.count(
    `select count(*) from messages where environment_id = $1 and direction = 'outbound'
      and status in ('delivered', 'read')`,
    [dev.production.environment_id]
  )
})

const productRound = Effect.fnUntraced(function* (
  platform: Platform,
  product: Product,
  producer: Caller,
  senders: ReadonlyArray<string>
) {
  yield* platform.tellsTo(`${product.url}/webhooks/upstream`)
  const ids: Array<string> = []
  const told = toldOf(product, ids)
  const before = yield* told.done
  const accepting = Effect.forEach(
    range(messages),
    (n) => Effect.map(producer.post("/v1/messages", sendOf(senders, n)), ({ body }) => ids.push(body.id)),
    { concurrency: 64, discard: true }
  )
  return yield* drained(platform, accepting, Effect.void, product, told, before)
})

const sendOf = (senders: ReadonlyArray<string>, n: number) => ({
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: senders[n % senders.length] },
  recipient: { type: "phone_e164", id: recipient(n) },
  message: { type: "template", template: { name: "welcome", language: "pt_BR", variables: { 1: "Maria" } } }
})

type Peer = Effect.Success<ReturnType<typeof Peers.bullMqSends>>

const peerRound = Effect.fnUntraced(function* (platform: Platform, peer: Peer) {
  yield* platform.tellsTo(peer.url)
  const recorded = "delivered_at is not null and provider_message_id is not null"
  const { database } = peer
  const told: Told = {
    left: () => database.count(`select count(*) from (select id from peer.messages where not (${recorded}) limit 1) m`),
    done: database.count(`select count(*) from peer.messages where ${recorded}`)
  }
  const cost = { pids: () => [peer.pid, ...peer.extra], database }
  return yield* drained(platform, peer.tell(`fill ${messages}`), peer.tell("go"), cost, told, 0)
})

/** Stores messages while the platform stands still, lets it go on and waits for the last one to be delivered. */
const drained = Effect.fnUntraced(function* <A, B, E, F>(
  platform: Running,
  store: Effect.Effect<A, E>,
  go: Effect.Effect<B, F>,
  cost: Cost,
  told: Told,
  before: number
) {
  let seconds = 0
  let looks = 0
  const work = Effect.gen(function* () {
    const started = performance.now()
    yield* platform.kill("SIGCONT")
    yield* go
    for (;;) {
      looks++
      const left = yield* told.left()
      seconds = (performance.now() - started) / 1000
      const isLate = seconds * 1000 > limitMillis
      if (left === 0 || isLate) {
        looks++
        const done = (yield* told.done) - before
        if (done >= messages) return
        if (isLate) return yield* new BenchFailure({ message: `${done} of ${messages} after ${limitMillis / 1000} s` })
      }
      yield* Effect.sleep(lookMillis)
    }
  })
  yield* platform.kill("SIGSTOP")
  const { statements, ...spent } = yield* Effect.ensuring(
    Effect.andThen(
      store,
      charged(cost, work, () => messages)
    ),
    platform.kill("SIGCONT")
  )
  const { cpuMs, databaseCpuMs } = spent
  const sample: Sample = {
    perSecond: messages / seconds,
    cpuMs,
    ...(databaseCpuMs === undefined ? {} : { databaseCpuMs }),
    statements: (statements ?? 0) - looks / messages
  }
  return sample
})
