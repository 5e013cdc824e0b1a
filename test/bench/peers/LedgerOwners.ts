import { Activations, layerSingle } from "@carteiro/owners/Cluster.ts"
import { Commit, CommitFollowers } from "@carteiro/owners/Commit.ts"
import { commitLayer } from "@carteiro/owners/CommitLayer.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { OutboundBudget } from "@carteiro/owners/Queue.ts"
import { room } from "@carteiro/runtime/billing/room.ts"
import { insertUsage } from "@carteiro/runtime/billing/usage/UsageWrites.ts"
import { Outbox } from "@carteiro/runtime/outbox/Outbox.ts"
import { contractRefusals } from "@carteiro/runtime/room/EngineTypes.ts"
import { followersOf } from "@carteiro/runtime/room/Room.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { migrate } from "@carteiro/tables/Migrations.ts"
import * as Sql from "@carteiro/tables/Sql.ts"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { billingOwners, testHold, testRelease, testSettle } from "../../billing/TestActs.ts"
import { serveLedger } from "./LedgerLoad.ts"

// Wallets behind their owners, as a node hosts them, without HTTP in front. Environment: DATABASE_URL, WALLETS.

const url = process.env.DATABASE_URL ?? ""
const wallets = Number(process.env.WALLETS ?? 1)

const context = Layer.mergeAll(commitLayer, Outbox.layer).pipe(
  Layer.provideMerge(
    Layer.mergeAll(
      Activations.layer,
      OutboundBudget.layer(),
      Ids.layer,
      contractRefusals,
      Layer.succeed(CommitFollowers, followersOf([room])),
      Secrets.layer(Redacted.make([new Uint8Array(32).fill(7)]))
    )
  ),
  Layer.provideMerge(Sql.layer(url, { applicationName: "carteiro-ledger", maxConnections: 16 }))
)
const runtime = ManagedRuntime.make(
  billingOwners.pipe(
    Layer.provideMerge(room.services),
    Layer.provideMerge(layerSingle({ url })),
    Layer.provideMerge(context),
    Layer.provideMerge(
      Layer.effectDiscard(migrate()).pipe(Layer.provide(Sql.layer(url, { applicationName: "carteiro-migrations" })))
    )
  )
)

/** Organizations with credit for the whole run. */
const seed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = yield* Ids
  const now = Date.now()
  const made = Array.from({ length: wallets }, () => ({
    organization: ids.mint("org", now),
    project: ids.mint("prj", now),
    environment: ids.mint("env", now),
    entry: ids.mint("led", now),
    topup: ids.mint("ctu", now)
  }))
  const columns = (["organization", "project", "environment", "entry", "topup"] as const).map(
    (name) => `{${made.map((row) => row[name]).join(",")}}`
  )
  yield* sql.unsafe(
    `with r as (select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
        r (organization, project, environment, entry, topup)),
      o as (insert into organizations (id, name, created_at) select organization, organization, now() from r),
      p as (insert into projects (organization_id, id, name, slug, created_at, updated_at)
        select organization, project, 'bench', 'bench', now(), now() from r),
      e as (insert into environments (id, organization_id, project_id, kind, created_at)
        select environment, organization, project, 'production', now() from r),
      w as (insert into wallets (account_id, organization_id, environment, balance, created_at, updated_at)
        select organization, organization, 'production', 1000000000000, now(), now() from r)
      insert into ledger_entries (organization_id, id, account_id, type, is_listed, from_account, to_account, amount,
        source_type, source_id, recorded_at)
      select organization, entry, organization, 'credit', true, 'funding:manual', 'available', 1000000000000,
        'credit_topup', topup, now() from r`,
    columns
  )
  return made
})

const { commit, hold, ids, made, release, settle, sql } = await runtime.runPromise(
  Effect.gen(function* () {
    return {
      made: yield* seed,
      hold: yield* testHold.caller,
      settle: yield* testSettle.caller,
      release: yield* testRelease.caller,
      commit: yield* Commit,
      ids: yield* Ids,
      sql: yield* SqlClient.SqlClient
    }
  })
)

const at = (n: number) => {
  const wallet = made[n]
  if (wallet === undefined) throw new Error(`no wallet ${n}`)
  return wallet
}

const held = (n: number, end: typeof settle) => {
  const { environment, organization, project } = at(n)
  const id = ids.mint("rsv", Date.now())
  const request = {
    id,
    amount: 1,
    meter_id: "payment.completion",
    source_type: "payment_fee_hold",
    project_id: project,
    environment_id: environment,
    trace_id: "bench",
    payment: { object: "payment_request", id: `pay_of_${id}` }
  } as const
  return [() => runtime.runPromise(hold(organization, request)), () => runtime.runPromise(end(organization, { id }))]
}

// Every owner is in memory, as those of busy organizations are.
await runtime.runPromise(
  Effect.forEach(made, ({ organization }) => release(organization, { id: ids.mint("rsv", Date.now()) }), {
    concurrency: 16,
    discard: true
  })
)

// A profile is written by a process that ends by itself.
process.once("SIGTERM", () => process.exit(0))

const unposted = "select count(*)::int4 as count from usage_records where posted_at is null"

serveLedger(wallets, {
  holdAndSettle: (n) => held(n, settle),
  holdAndRelease: (n) => held(n, release),
  use: (n) => {
    const { environment, organization, project } = at(n)
    const now = Date.now()
    const id = ids.mint("usg", now)
    return runtime.runPromise(
      commit.write([
        insertUsage.row({
          organization_id: organization,
          id,
          project_id: project,
          environment_id: environment,
          meter_id: "message.transport.service",
          source_type: "message",
          source_id: `msg_of_${id}`,
          phone_number_id: null,
          occurred_at: now
        })
      ])
    )
  },
  settled: async () => {
    for (;;) {
      const [row] = await runtime.runPromise(sql.unsafe<{ readonly count: number }>(unposted))
      if (row?.count === 0) return
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
})
