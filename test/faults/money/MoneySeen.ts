import { Effect } from "effect"
import type { Client } from "../Client.ts"
import { listAll } from "../Reading.ts"
import type { ChargeLog } from "./Vendors.ts"

/** A top-up as the API shows it at the end. */
export interface TopupSeen {
  readonly id: string
  readonly kind: string
  readonly status: string
  readonly amount_brl: string
  readonly provider?: string
}

/** A ledger entry as the API shows it at the end. */
export interface EntrySeen {
  readonly id: string
  readonly type: "credit" | "debit" | "hold" | "release"
  readonly amount_brl: string
  readonly source_type: string
  readonly source_id: string
}

/** An organization's money as the API and the vendors show it at the end. */
export interface MoneySeen {
  readonly entries: ReadonlyArray<EntrySeen>
  readonly topups: ReadonlyArray<TopupSeen>
  readonly vendors: ChargeLog
}

/** Looks until nothing is to come any more, once a second, then answers what there is. */
export const gatherMoney = Effect.fnUntraced(function* (
  client: Client,
  vendorLog: () => ChargeLog,
  isSettled: (seen: MoneySeen) => boolean,
  tries: number
) {
  for (let attempt = 1; ; attempt++) {
    const topups = yield* listAll<TopupSeen>(client, "/v1/billing/packages?")
    const entries = yield* listAll<EntrySeen>(client, "/v1/billing/ledger?source_type=credit_topup")
    const seen: MoneySeen = { topups, entries, vendors: vendorLog() }
    if (attempt >= tries || isSettled(seen)) return seen
    yield* Effect.sleep("1 second")
  }
})
