import type { PixMode } from "@carteiro/provider/payments/PixBounds.ts"
import type { PixAnswer, PixCheckout, PixCheckoutOrder, PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { Clock, Effect, Redacted } from "effect"
import { type BridgeCheck, expected } from "./BridgeCheck.ts"

/** Key and names of one run: `id` makes them those of no other run. */
export interface PixCheckOptions {
  readonly key: Redacted.Redacted
  /** Three letters, an underscore, and at most 16 letters and digits. */
  readonly id: string
  /** What the vendor has, in the order in which it is looked at; the first is cancelled, where the vendor cancels. */
  readonly modes: ReadonlyArray<PixMode>
  /** A key that the vendor refuses, and the code of that; those of the bridge unless given. */
  readonly refused?: { readonly key: Redacted.Redacted; readonly code: string }
  /** False where a repeated create may bring another charge, and a look-up misses one for a while; true unless given. */
  readonly isExact?: boolean
}

/** Returns an id in the shape of the service's own, which API Pix demands: 30 characters. */
const externalIdOf = (id: string, name: string): string => `${id}${name}`.padEnd(30, "0")

const bridgeRefusal = { key: Redacted.make("invalid-carteiro-bridge-check-key"), code: "credentials_invalid" }

/** An amount whose conversion to a decimal and back would show. */
const amount = 1001

/** The promises of gaps-3 G "pixprov1 and pixprov2 calls" that can be seen from outside: what the vendor lacks is left out. */
export const pixChecks = (provider: PixProvider, options: PixCheckOptions): ReadonlyArray<BridgeCheck> => {
  const { id, key, modes, refused = bridgeRefusal } = options
  const never = externalIdOf(id, "never")
  const { cancel, requestApproval } = provider
  const [first] = modes
  return [
    {
      promise: `another key is refused with ${refused.code}`,
      writes: false,
      run: Effect.map(provider.lookUp(refused.key, never), (answer) =>
        answer._tag === "Refused" && answer.code === refused.code
          ? undefined
          : expected(`the refusal ${refused.code}`, answer)
      )
    },
    {
      promise: "a look-up by external_id of an id that was never used is an empty list",
      writes: false,
      run: Effect.map(provider.lookUp(key, never), (answer) =>
        answer._tag === "Absent" ? undefined : expected("an empty list", answer)
      )
    },
    {
      promise: "a charge that does not exist is answered 404",
      writes: false,
      run: Effect.map(provider.read(key, never.replace("_", "")), (answer) =>
        answer._tag === "Absent" ? undefined : expected("404", answer)
      )
    },
    ...modes.map((mode) => ({
      promise: `a charge with a ${wordOf[mode]} is made once for an id, to the centavo, and is found by both ids`,
      writes: true,
      run: Effect.map(charged(provider, options, mode), (charge) =>
        typeof charge === "string" ? charge : missingIn(charge, mode)
      )
    })),
    ...(cancel === undefined || first === undefined
      ? []
      : [
          {
            promise: `a charge with a ${wordOf[first]} is cancelled, and stays so`,
            writes: true,
            run: cancelled({ ...provider, cancel }, options, first)
          }
        ]),
    ...(requestApproval === undefined || first === undefined
      ? []
      : [
          {
            promise: "an approval is requested once for an id",
            writes: true,
            run: approved({ ...provider, requestApproval }, options, first)
          }
        ])
  ]
}

/** The word of a mode, which also names its charge. */
const wordOf = { hosted_checkout: "page", transparent_pix: "code" } as const

/** Returns what the payer misses in a charge; undefined for nothing. */
const missingIn = (charge: PixCheckout, mode: PixMode): string | undefined => {
  if (mode === "hosted_checkout") {
    return charge.payment_url === null ? expected("a payment_url that is http or https", charge) : undefined
  }
  return /^000201.*6304[0-9A-F]{4}$/.test(charge.pix_copy_paste ?? "")
    ? undefined
    : expected("a pix_copy_paste that begins with 000201 and ends with its checksum", charge)
}

const orderOf = (external_id: string, mode: PixMode): PixCheckoutOrder => ({
  external_id,
  amount_centavos: amount,
  description: "Check by Carteiro",
  expires_in_seconds: 3600,
  customer: { name: "Ana Souza", tax_id: "12345678909", phone: "+5511999990000", email: "ana@example.com" },
  mode,
  success_url: null
})

/** The pause between two looks at a charge, in milliseconds, and their number. */
const pauseMs = 2000
const mostLooks = 30

/** Returns the charge of an order that was looked at by both ids, and made twice where that is the same; or what is wrong. */
const charged = Effect.fnUntraced(function* (
  provider: PixProvider,
  { id, isExact = true, key }: PixCheckOptions,
  mode: PixMode
): Effect.fn.Return<PixCheckout | string> {
  const external_id = externalIdOf(id, wordOf[mode])
  const order = orderOf(external_id, mode)
  const first = yield* provider.create(key, order)
  if (first._tag !== "Charge") return expected("a charge", first)
  if (isExact) {
    const again = yield* provider.create(key, order)
    if (again._tag !== "Charge" || again.id !== first.id) {
      return expected(`the charge ${first.id} for the same id again`, again)
    }
  }
  let found = yield* provider.lookUp(key, external_id)
  for (let look = 1; look < mostLooks && !isExact && found._tag === "Absent"; look++) {
    yield* Effect.sleep(pauseMs)
    found = yield* provider.lookUp(key, external_id)
  }
  const seen = [yield* provider.read(key, first.id), found]
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

const cancelled = Effect.fnUntraced(function* (
  { cancel, create, read }: PixProvider & Required<Pick<PixProvider, "cancel">>,
  { id, key }: PixCheckOptions,
  mode: PixMode
): Effect.fn.Return<string | undefined> {
  const made = yield* create(key, orderOf(externalIdOf(id, "cancelled"), mode))
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
  { create, requestApproval }: PixProvider & Required<Pick<PixProvider, "requestApproval">>,
  { id, key }: PixCheckOptions,
  mode: PixMode
): Effect.fn.Return<string | undefined> {
  const made = yield* create(key, orderOf(externalIdOf(id, "approved"), mode))
  if (made._tag !== "Charge") return expected("a charge to approve", made)
  const approval = { external_id: externalIdOf(id, "approval"), note: null }
  const first = yield* requestApproval(key, made.id, approval)
  if (first._tag !== "Requested") return expected("an approval with its id", first)
  const again = yield* requestApproval(key, made.id, approval)
  return again._tag === "Requested" && again.id === first.id
    ? undefined
    : expected(`the approval ${first.id} for the same id again`, again)
})
