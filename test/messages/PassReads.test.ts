import { SpendStandings } from "@carteiro/runtime/access/Access.ts"
import { MediaJobRepo } from "@carteiro/runtime/media/job/MediaJobRepo.ts"
import { NoticeRepo } from "@carteiro/runtime/messages/notices/NoticeRepo.ts"
import * as Messages from "@carteiro/runtime/messages/room.ts"
import { TransferRepo } from "@carteiro/runtime/messages/transfer/TransferRepo.ts"
import { ConnectionRepo } from "@carteiro/runtime/provider-connections/connection/ConnectionRepo.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { nodesOf, planOf, Statements } from "../contract/Planned.ts"
import { seedSender, type TestNumber } from "../support/Numbers.ts"
import { OwnerTest } from "../support/OwnerTest.ts"
import { seedTenant } from "../support/Tenants.ts"
import { accept, hear } from "./Sending.ts"
import { coverNumber } from "./Templates.ts"

const repos = Layer.mergeAll(
  NoticeRepo.layer,
  ConnectionRepo.layer,
  SpendStandings.layer,
  MediaJobRepo.layer,
  TransferRepo.layer
)
const product = Layer.provideMerge(repos, OwnerTest(Messages.room.owners)).pipe(Layer.provideMerge(Statements.layer))

/** The results of concurrent reads; fails unless they share one statement that scans no table. */
const together = Effect.fnUntraced(function* <A, E, R>(asks: ReadonlyArray<Effect.Effect<A, E, R>>) {
  const statements = yield* Statements
  const [found, asked] = yield* statements.during(Effect.all(asks, { concurrency: "unbounded" }))
  assert.lengthOf(asked, 1)
  for (const statement of asked) {
    const kinds = nodesOf(yield* planOf(statement)).map((node) => node["Node Type"])
    assert.notInclude(kinds, "Seq Scan")
  }
  return found
})

/** A number with a message that the provider knows by this id. */
const sentFrom = Effect.fnUntraced(function* (number: TestNumber, provider_message_id: string | null) {
  const sql = yield* SqlClient.SqlClient
  yield* hear(number)
  const { id } = yield* accept(number)
  yield* sql`update messages set provider = 'upstream', provider_message_id = ${provider_message_id} where id = ${id}`
  return id
})

it.layer(product, { excludeTestServices: true })("Concurrent passes of many numbers", (it) => {
  it.effect("find each number's own messages among those that calls name, each once", () =>
    Effect.gen(function* () {
      const repo = yield* NoticeRepo
      const one = yield* seedSender()
      const other = yield* seedSender()
      const [ofOne, ofOther] = [yield* sentFrom(one, "up-same"), yield* sentFrom(other, "up-same")]
      const unanswered = yield* sentFrom(one, null)
      const ours = [ofOne, ofOther, unanswered]
      const found = yield* together([
        repo.find(one, ["up-same", "up-unknown"], ours),
        repo.find(other, ["up-same"], []),
        repo.find(other, ["up-unknown"], ours),
        repo.find({ ...one, environment_id: other.environment_id }, [], ours)
      ])
      assert.deepStrictEqual(
        found.map((messages) => messages.map(({ environment_id, id }) => [environment_id, id]).sort()),
        [
          [
            [one.environment_id, ofOne],
            [one.environment_id, unanswered]
          ].sort(),
          [[other.environment_id, ofOther]],
          [[other.environment_id, ofOther]],
          []
        ]
      )
      const statements = yield* Statements
      const [, asked] = yield* statements.during(repo.find(one, [], []))
      assert.lengthOf(asked, 0)
    })
  )

  it.effect("find the connection of each number's own environment A-CONV-21", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* ConnectionRepo
      const [one, other, bare] = [yield* seedSender("production"), yield* seedSender("production"), yield* seedSender()]
      yield* Effect.forEach([one, other], coverNumber)
      yield* sql`update provider_connections set biz_account_send_capabilities = '[]'`
      const found = yield* together([
        repo.ofNumber(one.environment_id, one.id),
        repo.ofNumber(other.environment_id, other.id),
        repo.ofNumber(bare.environment_id, bare.id),
        repo.ofNumber(one.environment_id, other.id)
      ])
      assert.deepStrictEqual(
        found.map((connection) => connection && [connection.biz_account_id, connection.connection?.id]),
        [[`waba-${one.id}`, `pcn_${one.id}`], [`waba-${other.id}`, `pcn_${other.id}`], ["", undefined], undefined]
      )
    })
  )

  it.effect("read what each environment's own organization and project may spend (gaps-1 N Monthly spend cap)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const standings = yield* SpendStandings
      const [blocked, capped, free] = yield* Effect.forEach(["blocked", "capped", "free"], (name) =>
        seedTenant(name, 0)
      )
      if (blocked === undefined || capped === undefined || free === undefined) return assert.fail("no tenants")
      yield* sql`update organizations set credit_blocked = true where id = ${blocked.organization_id}`
      yield* sql`update projects set monthly_spend_cap = 100 where id = ${capped.project.id}`
      yield* sql`insert into project_spending (organization_id, project_id, month, spent)
        values (${capped.organization_id}, ${capped.project.id}, '2026-01', 100)`
      const environments = [blocked.production, blocked.sandbox, capped.production, capped.sandbox, free.production]
      const found = yield* together([...environments.map(({ id }) => standings.read(id)), standings.read("env_nobody")])
      assert.deepStrictEqual(
        found.map(({ credit_blocked, over_spend_cap }) => [credit_blocked, over_spend_cap]),
        [
          [true, false],
          [false, false],
          [false, true],
          [false, false],
          [false, false],
          [false, false]
        ]
      )
    })
  )

  it.effect("find the results of each environment's own files", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* MediaJobRepo
      for (const environment of ["env_one", "env_other"]) {
        yield* sql`insert into media_jobs (environment_id, id, kind, environment, input, trace_id, created_at, result)
          values (${environment}, 'msg_same', 'send', 'production', '{}', 't', now(), ${environment})`
      }
      const found = yield* together([
        repo.results("env_one", ["msg_same", "msg_unknown"]),
        repo.results("env_other", ["msg_same"]),
        repo.results("env_third", ["msg_same"])
      ])
      assert.deepStrictEqual(
        found.map((jobs) => jobs.map(({ id, result }) => [id, result])),
        [[["msg_same", "env_one"]], [["msg_same", "env_other"]], []]
      )
    })
  )

  it.effect("read when messages are due that each number left behind (gaps-2 K Transfer fields)", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const repo = yield* TransferRepo
      const [moved, settled] = [yield* seedSender(), yield* seedSender()]
      const left = yield* sentFrom(moved, null)
      const due = new Date("2026-01-01T00:05:00Z")
      yield* sql`update messages set status = 'sent', due_at = ${due} where id = ${left}`
      yield* sql`insert into phone_number_transfers (environment_id, phone_number_id, transferred_at, target_environment_id)
        values (${moved.environment_id}, ${moved.id}, now(), 'env_new')`
      yield* sql`update phone_numbers set environment_id = 'env_new' where id = ${moved.id}`
      const found = yield* together([moved.id, settled.id, "pn_nobody"].map((id) => repo.nextFormer(id)))
      assert.deepStrictEqual(
        found.map((places) => places.map(({ due_at, environment_id }) => [environment_id, due_at])),
        [[[moved.environment_id, due.getTime()]], [], []]
      )
    })
  )
})
