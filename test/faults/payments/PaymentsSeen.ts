import { Effect } from "effect"
import type { Client } from "../Client.ts"
import { fields } from "../Log.ts"
import { listAll } from "../Reading.ts"
import type { VendorLog } from "./PixVendor.ts"

/** A payment as the API shows it at the end. */
export interface PaymentSeen {
  readonly id: string
  readonly status: string
  readonly amount_brl: string
  readonly external_reference: string | null
  readonly provider_payment_id: string | null
  readonly fees: {
    readonly initiation: { readonly amount_brl: string; readonly reservation_id: string }
    readonly completion: {
      readonly amount_brl: string
      readonly state: string
      readonly reservation_id: string
    }
  } | null
}

/** A ledger entry as the API shows it. */
export interface LedgerSeen {
  readonly id: string
  readonly type: "debit" | "credit" | "hold" | "release"
  readonly amount_brl: string
  readonly meter_id: string | null
  readonly payment_fee: { readonly object: string; readonly id: string; readonly reservation_id: string } | null
}

/** Payments, their money, and what the vendor knows of them, when all is over. */
export interface PaymentsSeen {
  readonly payments: ReadonlyArray<PaymentSeen>
  readonly ledger: ReadonlyArray<LedgerSeen>
  readonly balance: { readonly balance_brl: string; readonly held_brl: string }
  readonly vendor: VendorLog
}

/** Looks until every payment is at rest, then reads what there is; the ledger last, so that it holds what payments tell of. */
export const gatherPayments = Effect.fnUntraced(function* (
  client: Client,
  vendorLog: () => VendorLog,
  allAtRest: (payments: ReadonlyArray<PaymentSeen>, log: VendorLog) => boolean,
  tries: number
) {
  for (let attempt = 1; ; attempt++) {
    const payments = yield* listAll<PaymentSeen>(client, "/v1/payments?")
    const vendor = vendorLog()
    if (attempt >= tries || allAtRest(payments, vendor)) {
      const { balance, ledger } = yield* readMoney(client)
      return { payments, ledger, balance, vendor } satisfies PaymentsSeen
    }
    yield* Effect.sleep("1 second")
  }
})

/** The ledger between two equal balances: nothing moved meanwhile. */
const readMoney = Effect.fnUntraced(function* (client: Client) {
  for (let attempt = 1; ; attempt++) {
    const before = yield* readBalance(client)
    const ledger = yield* listAll<LedgerSeen>(client, "/v1/billing/ledger?")
    const balance = yield* readBalance(client)
    const isSteady = before.balance_brl === balance.balance_brl && before.held_brl === balance.held_brl
    if (isSteady || attempt >= steadyTries) return { balance, ledger }
    yield* Effect.sleep("1 second")
  }
})

const steadyTries = 20

const readBalance = Effect.fnUntraced(function* (client: Client) {
  const path = "/v1/billing/balance"
  for (let attempt = 1; ; attempt++) {
    const end = yield* client.call("reader", { kind: "harness", path }, { method: "GET", path })
    const { balance_brl = "", held_brl = "" } = fields(end.text)
    if (end.phase === "ok" || attempt >= steadyTries) {
      return { balance_brl: String(balance_brl), held_brl: String(held_brl) }
    }
    yield* Effect.sleep("250 millis")
  }
})
