import type { PixMode } from "@carteiro/provider/payments/PixBounds.ts"
import type {
  ApprovingPix,
  PixAnswer,
  PixCheckout,
  PixCheckoutOrder,
  PixProvider
} from "@carteiro/provider/payments/PixProvider.ts"
import { Clock, Effect, Redacted } from "effect"
import { type BridgeCheck, expected } from "./BridgeCheck.ts"

/** Key and names of one run: `id` makes them those of no other run. */
export interface PixCheckOptions {
  readonly key: Redacted.Redacted
  readonly id: string
}

const wrongKey = Redacted.make("invalid-carteiro-bridge-check-key")

/** An amount whose conversion to a decimal and back would show. */
const amount = 1001

/** The promises of gaps-3 G "pixprov1 and pixprov2 calls" that Pix provider 1 makes and that can be seen from outside. */
export const pixChecks = (provider: PixProvider, { id, key }: PixCheckOptions): ReadonlyArray<BridgeCheck> => [
  {
    promise: "another key is refused with credentials_invalid",
    writes: false,
    run: Effect.map(provider.lookUp(wrongKey, `${id}.never`), (answer) =>
      answer._tag === "Refused" && answer.code === "credentials_invalid"
        ? undefined
        : expected("the refusal credentials_invalid", answer)
    )
  },
  {
    promise: "a look-up by external_id of an id that was never used is an empty list",
    writes: false,
    run: Effect.map(provider.lookUp(key, `${id}.never`), (answer) =>
      answer._tag === "Absent" ? undefined : expected("an empty list", answer)
    )
  },
  {
    promise: "a charge that does not exist is answered 404",
    writes: false,
    run: Effect.map(provider.read(key, `${id}.never`), (answer) =>
      answer._tag === "Absent" ? undefined : expected("404", answer)
    )
  },
  {
    promise: "a charge with a page is made once for an id, to the centavo, and is found by both ids",
    writes: true,
    run: Effect.map(charged(provider, key, orderOf(`${id}.page`, "hosted_checkout")), (charge) =>
      typeof charge === "string" || charge.payment_url !== null
        ? problemOf(charge)
        : expected("a payment_url that is http or https", charge)
    )
  }
]

/** The promises of Pix provider 2, which also has codes, cancels and approvals. */
export const approvingPixChecks = (provider: ApprovingPix, options: PixCheckOptions): ReadonlyArray<BridgeCheck> => {
  const { id, key } = options
  return [
    ...pixChecks(provider, options),
    {
      promise: "a charge with a code is made once for an id, to the centavo, and is found by both ids",
      writes: true,
      run: Effect.map(charged(provider, key, orderOf(`${id}.code`, "transparent_pix")), (charge) =>
        typeof charge === "string" || /^000201.*6304[0-9A-F]{4}$/.test(charge.pix_copy_paste ?? "")
          ? problemOf(charge)
          : expected("a pix_copy_paste that begins with 000201 and ends with its checksum", charge)
      )
    },
    { promise: "a charge with a page is cancelled, and stays so", writes: true, run: cancelled(provider, options) },
    { promise: "an approval is requested once for an id", writes: true, run: approved(provider, options) }
  ]
}

const problemOf = (charge: PixCheckout | string): string | undefined =>
  typeof charge === "string" ? charge : undefined

const orderOf = (external_id: string, mode: PixMode): PixCheckoutOrder => ({
  external_id,
  amount_centavos: amount,
  description: "Check of a bridge",
  expires_in_seconds: 3600,
  customer: { name: "Ana Souza", tax_id: "12345678909", phone: "+5511999990000", email: "ana@example.com" },
  mode,
  success_url: null
})

/** Returns the charge of an order that was made twice and looked at by both ids, or what is wrong. */
const charged = Effect.fnUntraced(function* (
  provider: PixProvider,
  key: Redacted.Redacted,
  order: PixCheckoutOrder
): Effect.fn.Return<PixCheckout | string> {
  const { external_id } = order
  const first = yield* provider.create(key, order)
  if (first._tag !== "Charge") return expected("a charge", first)
  const again = yield* provider.create(key, order)
  if (again._tag !== "Charge" || again.id !== first.id) {
    return expected(`the charge ${first.id} for the same id again`, again)
  }
  const seen = [yield* provider.read(key, first.id), yield* provider.lookUp(key, external_id)]
  for (const charge of [first, ...seen]) {
    const isSame =
      charge._tag === "Charge" &&
      charge.id === first.id &&
      charge.external_id === external_id &&
      charge.amount_centavos === amount &&
      charge.status === "pending"
    if (!isSame) return expected(`the pending charge ${first.id} of ${external_id} and ${amount} centavos`, charge)
  }
  const now = yield* Clock.currentTimeMillis
  return first.expires_at !== null && first.expires_at > now
    ? first
    : expected("an expires_at that is ahead, in ISO 8601", first)
})

/** The pause between two looks at a charge, in milliseconds, and their number. */
const pauseMs = 2000
const mostLooks = 30

const cancelled = Effect.fnUntraced(function* (
  { cancel, create, read }: ApprovingPix,
  { id, key }: PixCheckOptions
): Effect.fn.Return<string | undefined> {
  const made = yield* create(key, orderOf(`${id}.cancelled`, "hosted_checkout"))
  if (made._tag !== "Charge") return expected("a charge to cancel", made)
  const requested = yield* cancel(key, made.id)
  if (!isOneOf(requested, "pending", "cancelled")) return expected("pending or cancelled from the cancel", requested)
  let seen = yield* read(key, made.id)
  for (let look = 1; look < mostLooks && isOneOf(seen, "pending"); look++) {
    yield* Effect.sleep(pauseMs)
    seen = yield* read(key, made.id)
  }
  if (!isOneOf(seen, "cancelled")) return expected("a charge that is cancelled within a minute", seen)
  const again = yield* cancel(key, made.id)
  return again._tag === "Refused" || isOneOf(again, "cancelled")
    ? undefined
    : expected("cancelled, or a refusal, from a second cancel", again)
})

const isOneOf = (answer: PixAnswer, ...statuses: ReadonlyArray<PixCheckout["status"]>): boolean =>
  answer._tag === "Charge" && statuses.includes(answer.status)

const approved = Effect.fnUntraced(function* (
  { create, requestApproval }: ApprovingPix,
  { id, key }: PixCheckOptions
): Effect.fn.Return<string | undefined> {
  const made = yield* create(key, orderOf(`${id}.approved`, "hosted_checkout"))
  if (made._tag !== "Charge") return expected("a charge to approve", made)
  const approval = { external_id: `${id}.approval`, note: null }
  const first = yield* requestApproval(key, made.id, approval)
  if (first._tag !== "Requested") return expected("an approval with its id", first)
  const again = yield* requestApproval(key, made.id, approval)
  return again._tag === "Requested" && again.id === first.id
    ? undefined
    : expected(`the approval ${first.id} for the same id again`, again)
})
