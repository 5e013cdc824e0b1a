import { assert, describe, it } from "@effect/vitest"
import { consoleImports } from "./ConsoleImports.ts"
import { readSource } from "./SourceText.ts"

const page = (text: string) => new Map([["runtime/dashboard/billing/BillingHttp.ts", readSource(text)]])
const told = (text: string) => consoleImports(page(text)).map(({ message, path }) => `${path}: ${message}`)

describe("The console's imports", () => {
  it("of a room are refused, types too", () => {
    assert.deepStrictEqual(told('import { AccountDirectory, type LedgerRow } from "../../billing/Billing.ts"'), [
      "runtime/dashboard/billing/BillingHttp.ts: AccountDirectory of billing: a page calls an operation",
      "runtime/dashboard/billing/BillingHttp.ts: LedgerRow of billing: a page calls an operation"
    ])
  })

  it("of the session and of shared grounds are taken", () => {
    assert.deepStrictEqual(
      told(`import { type EnvironmentEntry, Environments } from "../../access/Access.ts"
import { formatReais } from "../../locale/Reais.ts"`),
      []
    )
  })

  it("of what payers see are taken by their pages alone", () => {
    const text = 'import { PaymentPages } from "../../payments/Payments.ts"'
    assert.deepStrictEqual(consoleImports(new Map([["runtime/dashboard/payments/PayHttp.ts", readSource(text)]])), [])
    assert.deepStrictEqual(told(text), [
      "runtime/dashboard/billing/BillingHttp.ts: PaymentPages of payments: a page calls an operation"
    ])
  })
})
