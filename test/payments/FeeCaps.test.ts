import { acceptFee } from "@carteiro/runtime/billing/fees/AcceptFee.ts"
import { BillingAccountEntity } from "@carteiro/runtime/billing/owner/BillingAccountEntity.ts"
import { Spending } from "@carteiro/runtime/billing/wallet/Spending.ts"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import fc from "fast-check"
import { correct } from "../billing/Accounts.ts"
import { type Answer, Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { agentic, connectAgentic, disagreements } from "./AgenticStage.ts"
import { apart, connect, paying } from "./PaymentsStage.ts"
import { ScriptedAgentic } from "./ScriptedAgentic.ts"
import { ScriptedPix } from "./ScriptedPix.ts"

/** In 1/10,000 BRL. */
const initiation = 4900
const creates = 40

const agents = new ScriptedAgentic()
const vendors = Layer.merge(agents.layer, new ScriptedPix().layer)

/** The spending of acme's project this month, as the table has it. */
const spentByAcme = Effect.gen(function* () {
  const { acme } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const month = new Date(yield* Clock.currentTimeMillis).toISOString().slice(0, 7)
  const [row] = yield* Effect.orDie(sql<{ readonly spent: number }>`select spent from project_spending
    where project_id = ${acme.project.id} and month = ${month}`)
  return row?.spent ?? 0
})

/** Raises the cap of acme's project to that much above its spending. */
const leaveRoom = Effect.fnUntraced(function* (room: number) {
  const { acme } = yield* Api
  const sql = yield* SqlClient.SqlClient
  const cap = (yield* spentByAcme) + room
  yield* Effect.orDie(sql`update projects set monthly_spend_cap = ${cap} where id = ${acme.project.id}`)
})

/** The number of responses by status. */
const counted = (answers: ReadonlyArray<Answer>) => {
  const counts: Record<string, number> = {}
  for (const { body, status } of answers) {
    const name = status === 201 ? "accepted" : `${status} ${body.error.code}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const atOnce = <A, E, R>(create: () => Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: creates }, () => create()),
    { concurrency: "unbounded" }
  )

it.layer(WholeProduct({ sweeps: false, vendors }), { excludeTestServices: true })("A spend cap and fees", (it) => {
  it.effect('of 40 payments at once, one passes a cap with room for one fee gaps-3 D "Spend cap and fees"', () =>
    Effect.gen(function* () {
      const { acme, create } = yield* paying("production")
      yield* connect("pixprov2")
      yield* correct(acme.organization_id, "credit", 10_000_000)
      yield* leaveRoom(initiation)
      const before = yield* spentByAcme
      assert.deepStrictEqual(counted(yield* atOnce(() => create())), {
        accepted: 1,
        "402 spend_limit_exceeded": creates - 1
      })
      assert.strictEqual((yield* spentByAcme) - before, initiation)
      assert.deepStrictEqual(yield* apart, [])
    })
  )

  it.effect(
    'of 40 agentic payments at once, one passes a cap with room for one fee gaps-3 D "Spend cap and fees"',
    () =>
      Effect.gen(function* () {
        const { authorize, pay } = yield* agentic("production")
        yield* connectAgentic
        yield* leaveRoom(1_000_000)
        const { id } = (yield* authorize({ bank_id: "b1" })).body
        yield* turnBy(10)
        agents.decide(id, "authorized")
        yield* turnBy(60_000)
        yield* leaveRoom(initiation)
        const before = yield* spentByAcme
        assert.deepStrictEqual(counted(yield* atOnce(() => pay(id))), {
          accepted: 1,
          "402 spend_limit_exceeded": creates - 1
        })
        assert.strictEqual((yield* spentByAcme) - before, initiation)
        assert.deepStrictEqual(yield* disagreements, [])
      })
  )

  it.effect('payments of both kinds at once share the room of their project gaps-3 D "Spend cap and fees"', () =>
    Effect.gen(function* () {
      const { create } = yield* paying("production")
      const { authorize, pay } = yield* agentic("production")
      yield* leaveRoom(1_000_000)
      const { id } = (yield* authorize({ bank_id: "b1" })).body
      yield* turnBy(10)
      agents.decide(id, "authorized")
      yield* turnBy(60_000)
      yield* leaveRoom(3 * initiation)
      const answers = yield* Effect.all([atOnce(() => create()), atOnce(() => pay(id))], { concurrency: 2 })
      assert.deepStrictEqual(counted(answers.flat()), {
        accepted: 3,
        "402 spend_limit_exceeded": 2 * creates - 3
      })
    })
  )

  it.effect('an owner that loads again knows the earlier spending gaps-3 D "Spend cap and fees"', () =>
    Effect.gen(function* () {
      const { acme, create } = yield* paying("production")
      yield* leaveRoom(initiation)
      assert.strictEqual((yield* create()).status, 201)
      // An owner without work for longer leaves memory.
      yield* turnBy(20 * 60_000)
      ;(yield* BillingAccountEntity.client).wake(acme.organization_id)
      assert.deepStrictEqual(counted([yield* create()]), { "402 spend_limit_exceeded": 1 })
    })
  )
})

describe("The fee of a payment", () => {
  const prices = { rate_card_id: "rct_1", initiation, completion_rate: 100 }
  const asked = {
    project_id: "prj_1",
    amount: 10_000,
    initiation_reservation_id: "rsv_1",
    completion_reservation_id: "rsv_2"
  }

  it('accepts as many as the cap has room for, and never more gaps-3 D "Spend cap and fees"', () => {
    const nat = fc.nat({ max: 20 * initiation })
    fc.assert(
      fc.property(nat, nat, fc.integer({ min: 1, max: 60 }), (cap, spent, tries) => {
        const spending = new Spending([{ project_id: "prj_1", month: "2026-01", spent }])
        const account = {
          account: { environment: "production" } as const,
          balance: () => Number.MAX_SAFE_INTEGER,
          spent: (id: string) => spending.of(id, "2026-01")
        }
        let accepted = 0
        for (let one = 0; one < tries; one++) {
          const result = acceptFee({ prices, caps: new Map([["prj_1", cap]]) }, asked, account)
          if (Result.isFailure(result)) continue
          accepted++
          spending.add("prj_1", "2026-01", result.success.initiation_amount)
        }
        const room = Math.max(0, Math.floor((cap - spent) / initiation))
        assert.strictEqual(accepted, Math.min(tries, room))
      })
    )
  })

  it("forgets the oldest of three months", () => {
    const spending = new Spending([])
    for (const month of ["2026-01", "2026-02", "2026-03"]) spending.add("prj_1", month, 100)
    assert.deepStrictEqual(
      ["2026-01", "2026-02", "2026-03"].map((month) => spending.of("prj_1", month)),
      [0, 100, 100]
    )
  })
})
