import { parseBrl } from "@carteiro/schema/conventions/Money.ts"
import type { Evidence } from "../Evidence.ts"
import { callsOf, fields } from "../Log.ts"
import type { PaymentSeen } from "../payments/PaymentsSeen.ts"
import type { VendorLog } from "../payments/PixVendor.ts"

/** Every payment that was answered is there, once, under one id. C-PAY-14, A-IDEM-01 */
export const acceptedIsKept = ({ entries, payments: { payments } }: Evidence): ReadonlyArray<string> => {
  const stored = Map.groupBy(payments, ({ external_reference }) => external_reference ?? "")
  const answered = new Map<string, Set<string>>()
  for (const { end, operation } of callsOf(entries, "payment")) {
    if (end?.phase !== "ok") continue
    const ids = answered.get(operation.marker) ?? new Set()
    answered.set(operation.marker, ids.add(String(fields(end.text).id)))
  }
  const lost = [...answered].flatMap(([marker, ids]) =>
    [...ids].flatMap((id) => (stored.get(marker)?.some((one) => one.id === id) ? [] : [`${id} (${marker}) is gone`]))
  )
  const doubled = [...stored].flatMap(([marker, some]) =>
    some.length === 1 ? [] : [`${marker} was asked for under one key and is there ${some.length} times`]
  )
  return [...lost, ...doubled]
}

/** Every payment ends, and its held fee with it; one the vendor never had waits for the proof of that. C-FEE-31 */
export const everythingEnds = ({ payments: { payments, vendor } }: Evidence): ReadonlyArray<string> => {
  const known = knownTo(vendor)
  return payments.flatMap((payment) =>
    isAtRest(payment, known)
      ? []
      : [`${payment.id} rests as ${payment.status}, its fee ${payment.fees?.completion.state}`]
  )
}

/** Whether nothing is to come for any of these, but proofs that take an hour. */
export const allPaymentsRest = (payments: ReadonlyArray<PaymentSeen>, vendor: VendorLog): boolean => {
  const known = knownTo(vendor)
  return payments.every((payment) => isAtRest(payment, known))
}

/** A payment is created at the vendor once, whatever became of the answer. gaps-3 C "Link failure" */
export const createdOnce = ({ payments: { vendor } }: Evidence): ReadonlyArray<string> =>
  [...Map.groupBy(vendor.creates, ({ external_id }) => external_id)].flatMap(([id, creates]) =>
    creates.length === 1
      ? []
      : [`${id} was created ${creates.length} times: ${creates.map(({ outcome }) => outcome).join(", ")}`]
  )

/** The vendor hears of stored payments alone. */
export const createdIsStored = ({ payments: { payments, vendor } }: Evidence): ReadonlyArray<string> => {
  const stored = new Set(payments.map(({ id }) => id))
  return [...knownTo(vendor)].flatMap((id) => (stored.has(id) ? [] : [`${id} is at the vendor and not here`]))
}

/** What ended at the vendor ends here the same way, and nothing ends otherwise by itself. C-PAY-26, C-PCAN-04, C-PCAN-10 */
export const endsAsTheVendorSays = ({ payments: { payments, vendor } }: Evidence): ReadonlyArray<string> => {
  const said = new Map(vendor.ends.map(({ external_id, status }) => [external_id, status]))
  const refused = new Set(
    vendor.creates.flatMap(({ external_id, outcome }) => (made.has(outcome) ? [] : [external_id]))
  )
  return payments.flatMap(({ id, status }) => {
    if (!terminal.has(status)) return []
    const word = said.get(id)
    if (word === status) return []
    // A create that was refused by a fault is not in the log under our id.
    if (word === undefined && status === "failed" && (refused.has(id) || !knownTo(vendor).has(id))) return []
    return [`${id} is ${word ?? "open or unknown"} at the vendor and ${status} here`]
  })
}

/** One initiation debit and one hold a payment, and one end of the hold that fits its end. C-FEE-02, C-FEE-05..08, C-FEE-21 */
export const feesMoveOnce = ({ payments: { ledger, payments } }: Evidence): ReadonlyArray<string> => {
  const entries = Map.groupBy(ledger, ({ payment_fee }) => payment_fee?.id ?? "")
  return payments.flatMap(({ fees, id, status }) => {
    const moved = (entries.get(id) ?? []).map(({ meter_id, type }) => `${type} ${meter_id ?? ""}`.trim()).toSorted()
    const state = fees?.completion.state
    const ends = state === "settled" ? ["debit payment.completion"] : state === "released" ? ["release"] : []
    const wanted = ["debit payment.initiation", "hold", ...ends].toSorted()
    const fits = state === "settled" ? status === "paid" : state !== "released" || status !== "paid"
    return fits && moved.join() === wanted.join()
      ? []
      : [`${id} is ${status}, its fee ${state}, and the ledger has ${moved.join(", ") || "nothing"}`]
  })
}

/** No fee of a payment that is not there. */
export const feesHaveTheirPayment = ({ payments: { ledger, payments } }: Evidence): ReadonlyArray<string> => {
  const stored = new Set(payments.map(({ id }) => id))
  return ledger.flatMap(({ id, payment_fee }) =>
    payment_fee === null || payment_fee.object !== "payment_request" || stored.has(payment_fee.id)
      ? []
      : [`${id} is a fee of ${payment_fee.id}, which is not there`]
  )
}

/** Balance and held credit are what the ledger adds up to. gaps-3 D "Invariants" */
export const ledgerAddsUp = ({ payments: { balance, ledger, payments } }: Evidence): ReadonlyArray<string> => {
  const sum = (types: ReadonlyArray<string>) =>
    ledger.filter(({ type }) => types.includes(type)).reduce((total, { amount_brl }) => total + unitsOf(amount_brl), 0)
  const whole = unitsOf(balance.balance_brl) + unitsOf(balance.held_brl)
  const held = payments
    .filter(({ fees }) => fees?.completion.state === "held" || fees?.completion.state === "unresolved")
    .reduce((total, { fees }) => total + unitsOf(fees?.completion.amount_brl ?? "0.0000"), 0)
  return [
    ...(whole === sum(["credit"]) - sum(["debit"])
      ? []
      : [`balance and held are ${whole}, the ledger says ${sum(["credit"]) - sum(["debit"])}`]),
    ...(held === unitsOf(balance.held_brl) ? [] : [`${balance.held_brl} is held, payments hold ${held}`])
  ]
}

const terminal: ReadonlySet<string> = new Set(["paid", "failed", "expired", "cancelled"])

/** Outcomes of a create after which the vendor has it. */
const made: ReadonlySet<string> = new Set([
  "made",
  "repeated",
  "reset_after",
  "timeout_after",
  "error_500_after",
  "lands_late"
])

const knownTo = ({ creates }: VendorLog): ReadonlySet<string> =>
  new Set(creates.filter(({ outcome }) => made.has(outcome)).map(({ external_id }) => external_id))

const isAtRest = ({ fees, id, status }: PaymentSeen, known: ReadonlySet<string>): boolean =>
  terminal.has(status)
    ? fees === null || fees.completion.state === "settled" || fees.completion.state === "released"
    : status === "link_pending" && !known.has(id)

const unitsOf = (amount: string): number => parseBrl(amount) ?? Number.NaN
