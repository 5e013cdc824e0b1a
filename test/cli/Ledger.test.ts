import { NodeServices } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { inTime } from "../billing/Accounts.ts"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { auditOf, json, run } from "./Commands.ts"

const Ledger = WholeProduct().pipe(Layer.provideMerge(NodeServices.layer))

it.layer(Ledger, { excludeTestServices: true })("carteiro ledger", (it) => {
  it.effect("credits and debits by hand, which blocks and unblocks production (gaps-3 D production_blocked)", () =>
    Effect.gen(function* () {
      const { get, other } = yield* Api
      const organization = other.organization_id
      const posted = (...words: ReadonlyArray<string>) =>
        inTime(json("ledger", ...words, "-o", organization, "--reason", "agreed by phone"))
      const funded = yield* json("ledger", "list", "-o", organization)
      assert.deepStrictEqual([funded.data.length, funded.data[0].amount_brl], [1, "1000.0000"])
      assert.deepInclude(yield* posted("debit", "1000"), {
        amount_brl: "1000.0000",
        posted: true,
        balance_brl: "0.0000"
      })
      const blocked = yield* get("/v1/billing/balance", { key: other.sandbox.key })
      assert.isTrue(blocked.body.production_blocked)
      assert.deepInclude(yield* posted("credit", "25.5"), {
        amount_brl: "25.5000",
        posted: true,
        balance_brl: "25.5000"
      })
      const free = yield* get("/v1/billing/balance", { key: other.sandbox.key })
      assert.deepStrictEqual([free.body.production_blocked, free.body.balance_brl], [false, "25.5000"])
      const list = yield* json("ledger", "list", "-o", organization)
      assert.deepStrictEqual(
        list.data.map(({ type }: { readonly type: string }) => type),
        ["credit", "debit", "credit"]
      )
      assert.match((yield* run("ledger", "list", "-o", organization, "--limit", "1")).text, /credit +25\.5000/)
      const [last] = list.data
      assert.deepStrictEqual(yield* auditOf(organization, last.source_id), [
        ["billing.credit_added", '{"amount_brl":"25.5000"}']
      ])
    })
  )

  it.effect("refuses an invalid amount, a missing reason, and an unknown organization", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      for (const amount of ["0", "-1", "1e3", "1.00001", "x", "999999999999"]) {
        const words = ["ledger", "credit", amount, "-o", acme.organization_id, "--reason", "r"]
        assert.match((yield* run(...words)).refusal, /above zero|Unrecognized|Invalid/i, amount)
      }
      for (const reason of ["", " "]) {
        const words = ["ledger", "credit", "1", "-o", acme.organization_id, "--reason", reason]
        assert.match((yield* run(...words)).refusal, /--reason/, `reason ${JSON.stringify(reason)}`)
      }
      const unknown = yield* run("ledger", "debit", "1", "-o", "org_none", "--reason", "r")
      assert.isFalse(unknown.ok)
    })
  )

  it.effect(
    'records a business identity with a name and a tax id that a register may have gaps-3 "Amendments of November 2026"',
    () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const identity = (name: string, taxId: string) => {
          const words = ["--legal-name", name, "--tax-id", taxId]
          return run("orders", "identity", "-o", acme.organization_id, ...words)
        }
        for (const taxId of ["", "12", "1122233300018", "11.222.333/0001-82", "52998224726"]) {
          assert.match((yield* identity("Padaria Sol Ltda", taxId)).refusal, /--tax-id/, taxId)
        }
        assert.match((yield* identity(" ", "11222333000181")).refusal, /--legal-name/)
        const sql = yield* SqlClient.SqlClient
        for (const [written, taxId] of [
          ["11222333000181", "11222333000181"],
          ["11.222.333/0001-81", "11222333000181"],
          ["12.abc.345/01de-35", "12ABC34501DE35"],
          ["529.982.247-25", "52998224725"]
        ] as const) {
          assert.match((yield* identity("Padaria Sol Ltda", written)).text, /identity +approved/)
          const rows =
            yield* sql`select tax_id from business_identities where organization_id = ${acme.organization_id}`
          assert.deepStrictEqual(rows, [{ tax_id: taxId }])
        }
      })
  )

  it.effect("proves the invariants and names the account that breaks one (gaps-3 D Invariants)", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const sound = yield* json("ledger", "verify")
      assert.isAtLeast(sound.data.length, 5)
      assert.isTrue(sound.data.every(({ broken }: { readonly broken: ReadonlyArray<string> }) => broken.length === 0))
      yield* sql`update wallets set balance = balance + 1 where account_id = ${acme.organization_id}`
      const broken = yield* run("ledger", "verify")
      assert.isFalse(broken.ok)
      assert.include(broken.text, acme.organization_id)
    })
  )
})
