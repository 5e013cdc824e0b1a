import { Calls, operatorUrl } from "@carteiro/outbound/Calls.ts"
import type { PixMode } from "@carteiro/provider/payments/PixBounds.ts"
import type { PixCharges } from "@carteiro/provider/payments/PixCharges.ts"
import type { PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { makeMercadoPago, mercadoPagoCharges } from "@carteiro/provider-mercadopago/MercadoPago.ts"
import { keyOf } from "@carteiro/provider-pix-api/Accounts.ts"
import { makePixApi, pixApiCharges } from "@carteiro/provider-pix-api/PixApi.ts"
import { txidOf } from "@carteiro/provider-pix-api/Txid.ts"
import { makePixprov1 } from "@carteiro/provider-pixprov1/Pixprov1.ts"
import { chargesOf, makePixprov2 } from "@carteiro/provider-pixprov2/Pixprov2.ts"
import type { CallLog } from "@carteiro/simulators/kit/CallLog.ts"
import type { Fault } from "@carteiro/simulators/kit/Faults.ts"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import { startMercadopago } from "@carteiro/simulators/mercadopago/Simulator.ts"
import { isTimeSigned } from "@carteiro/vendor-http/TimedSignature.ts"
import { Context, Effect, Layer, Redacted, type Scope } from "effect"
import { simulatedPix } from "../support/Pix.ts"
import { simulatedBank } from "../support/PixApi.ts"
import { type Heard, startReceiver } from "../support/VendorReceiver.ts"
import { overSockets } from "../support/Vendors.ts"

/** What a simulated vendor of any wire lets a test do. */
interface Simulated {
  /** Where its control routes and its payers' bank are. */
  readonly controlUrl: string
  readonly log: Pick<CallLog, "read">
  readonly faults: { readonly set: (faults: ReadonlyArray<Fault>, seed: number) => unknown }
}

/** A driver over sockets to its simulator, with the accounts of a merchant, of another one, and of nobody. */
export interface PixStage {
  readonly provider: PixProvider
  /** The service's own account; undefined where the role has none. */
  readonly charges: PixCharges | undefined
  readonly simulator: Simulated
  readonly key: Redacted.Redacted
  readonly stranger: Redacted.Redacted
  readonly invalid: Redacted.Redacted
  /** Where the vendor tells of an order; undefined where its account says so. */
  readonly noticeUrl: string | undefined
  readonly heard: (count: number) => Effect.Effect<ReadonlyArray<Heard>>
}

/** What a driver does in its own way. */
interface PixFacts {
  /** The simulator's name of a create in its log and faults. */
  readonly operation: string
  /** The simulator's name of our id. */
  readonly nameOf: (externalId: string) => string
  /** An id that no charge of the vendor has. */
  readonly unknownId: string
  readonly shows: "page" | "code"
  /** What a repeated create brings: the charge, the charge or no answer, or another charge that nothing tells apart. */
  readonly repeats: "same" | "same_or_unknown" | "another"
  /** Whether a look-up by our id may miss a charge that the vendor has. */
  readonly lookUp: "exact" | "lags"
  /** The vendor's words for refusals. */
  readonly codes: { readonly rejected: string; readonly amount: string; readonly credentials: string }
  /** The refusal of a cancel that is too late; `unsupported` where the mode cannot be cancelled, null without cancels. */
  readonly cancelRefusal: string | "unsupported" | null
  readonly approves: boolean
  /** How the port shows what the simulator decides. */
  readonly ends: Readonly<Record<string, string>>
  /** Whether faults can show a charge under another id or with another amount. */
  readonly showsFlaws: boolean
  /** Whether the simulator's unreadable amount is one that the driver reads exactly: a decimal text. */
  readonly readsAmountText: boolean
  /** How many notices the vendor sends when a charge is made, and when it is paid. */
  readonly notices: { readonly made: number; readonly paid: number }
  /** Faults of signatures; none where a path proves a notice. */
  readonly forgeries: ReadonlyArray<string>
}

/** One mode of a driver of the port. */
export interface PixDriverCase extends PixFacts {
  readonly name: string
  readonly mode: PixMode
  readonly stage: Effect.Effect<PixStage, never, Scope.Scope>
}

const secret = Redacted.make("secret")
const merchantKey = Redacted.make("TEST-merchant-key")
const timing = { totalTimeoutMs: 1000 }

const keyed = { key: merchantKey, stranger: Redacted.make("TEST-another"), invalid: Redacted.make("invalid") }

const bridgeStage = Effect.fnUntraced(function* (vendor: "pixprov1" | "pixprov2") {
  const receiver = yield* startReceiver
  const accounts = [{ key: Redacted.value(merchantKey), webhook_secret: "secret", webhook_url: receiver.url }]
  const simulator = yield* simulatedPix(vendor, { accounts })
  const options = { url: operatorUrl(simulator.url), ...timing }
  const { log, faults, url } = simulator
  const common = { ...keyed, simulator: { log, faults, controlUrl: url }, noticeUrl: undefined, heard: receiver.heard }
  if (vendor === "pixprov1") {
    const { pix } = yield* overSockets(makePixprov1(options))
    if (pix === undefined) return yield* Effect.die("pixprov1 takes payments")
    return { ...common, provider: pix, charges: undefined } satisfies PixStage
  }
  const provider = yield* overSockets(makePixprov2(options))
  return { ...common, provider, charges: chargesOf(provider, merchantKey) } satisfies PixStage
})

const mercadoPagoStage = Effect.gen(function* () {
  const receiver = yield* startReceiver
  const accounts = [{ key: Redacted.value(merchantKey), webhook_secret: "secret", webhook_url: receiver.url }]
  const { faults, log, url } = yield* Effect.acquireRelease(
    Effect.promise(() => startMercadopago({ now: vendorClock, accounts })),
    (running) => Effect.promise(() => running.close())
  )
  const provider = yield* overSockets(makeMercadoPago({ url: operatorUrl(url), ...timing, searchSettlesMs: 0 }))
  return {
    ...keyed,
    provider,
    charges: mercadoPagoCharges(provider, merchantKey, "billing@example.com"),
    simulator: { log, faults, controlUrl: url },
    noticeUrl: undefined,
    heard: receiver.heard
  } satisfies PixStage
})

const pixApiStage = Effect.gen(function* () {
  const receiver = yield* startReceiver
  const { calls, credential, key, simulator } = yield* simulatedBank
  const context = yield* Layer.build(calls)
  const provider = yield* Effect.provideService(makePixApi(timing), Calls, Context.get(context, Calls))
  const of = (client_id: string) => Redacted.make(keyOf({ ...credential, client_id }))
  const { controlUrl, faults, log } = simulator
  // The token is there before any fault.
  yield* provider.lookUp(key, "pay_00000000000000000000000000")
  return {
    provider,
    charges: pixApiCharges(provider, key),
    simulator: { controlUrl, faults, log },
    key,
    stranger: of("client-2"),
    invalid: of("invalid"),
    noticeUrl: provider.notices.url(receiver.url.slice(0, -1), secret),
    heard: receiver.heard
  } satisfies PixStage
})

const same = { paid: "paid", failed: "failed", expired: "expired", cancelled: "cancelled" }

const bridge = {
  nameOf: (externalId: string) => externalId,
  unknownId: "nothing",
  repeats: "same",
  lookUp: "lags",
  codes: { rejected: "charge_rejected", amount: "amount_invalid", credentials: "credentials_invalid" },
  ends: { ...same, approved: "approved" },
  showsFlaws: true,
  readsAmountText: false,
  notices: { made: 0, paid: 1 },
  forgeries: ["bad_signature", "stale_webhook"]
} as const

const mercadoPago = {
  stage: mercadoPagoStage,
  operation: "checkout",
  nameOf: (externalId: string) => externalId,
  lookUp: "lags",
  approves: false,
  readsAmountText: true,
  forgeries: ["bad_signature", "stale_webhook"]
} as const

/** Every driver of Pix in each of its modes. */
export const pixDrivers: ReadonlyArray<PixDriverCase> = [
  {
    ...bridge,
    name: "pixprov1 bridge",
    mode: "hosted_checkout",
    stage: bridgeStage("pixprov1"),
    operation: "charge",
    shows: "page",
    cancelRefusal: null,
    approves: false
  },
  {
    ...bridge,
    name: "pixprov2 bridge",
    mode: "hosted_checkout",
    stage: bridgeStage("pixprov2"),
    operation: "checkout",
    shows: "page",
    cancelRefusal: "already_ended",
    approves: true
  },
  {
    ...bridge,
    name: "pixprov2 bridge",
    mode: "transparent_pix",
    stage: bridgeStage("pixprov2"),
    operation: "checkout",
    shows: "code",
    cancelRefusal: "unsupported",
    approves: true
  },
  {
    ...mercadoPago,
    name: "mercadopago",
    mode: "hosted_checkout",
    unknownId: "1-nothing",
    shows: "page",
    // No key makes two creates one page: the payments room looks up before it repeats one.
    repeats: "another",
    codes: { rejected: "4", amount: "invalid_items", credentials: "unauthorized" },
    cancelRefusal: "already_ended",
    // A payer whose attempt failed may try again, and only a cancel of ours leaves a mark.
    ends: { paid: "paid", failed: "pending", expired: "expired", cancelled: "expired" },
    // A page shows the request that made it, and no amount of its own.
    showsFlaws: false,
    notices: { made: 0, paid: 2 }
  },
  {
    ...mercadoPago,
    name: "mercadopago",
    mode: "transparent_pix",
    unknownId: "999999999",
    shows: "code",
    // The time of its end makes a repeated create another request under its key.
    repeats: "same_or_unknown",
    codes: { rejected: "4", amount: "2072", credentials: "unauthorized" },
    cancelRefusal: "2063",
    ends: same,
    showsFlaws: true,
    notices: { made: 1, paid: 1 }
  },
  {
    name: "pix-api",
    mode: "transparent_pix",
    stage: pixApiStage,
    operation: "checkout",
    nameOf: (externalId) => txidOf(externalId) ?? "",
    unknownId: "pay00000000000000000000000000",
    shows: "code",
    repeats: "same",
    lookUp: "exact",
    codes: { rejected: "AcessoNegado", amount: "CobOperacaoInvalida", credentials: "invalid_client" },
    cancelRefusal: "CobOperacaoInvalida",
    approves: false,
    // The standard knows no failure, and an institution that removes a charge before its time has failed it.
    ends: { paid: "paid", failed: "failed", expired: "failed", cancelled: "cancelled" },
    showsFlaws: true,
    readsAmountText: false,
    notices: { made: 0, paid: 1 },
    forgeries: []
  }
]

/** Returns our ids that a received notice proves; undefined unless the account's secret, or its path, proves it. */
export const provenIds = Effect.fnUntraced(function* (
  { key, provider: { notices } }: PixStage,
  { at, body, headers, path, signature }: Heard,
  secrets: ReadonlyArray<Redacted.Redacted> = [secret]
): Effect.fn.Return<ReadonlyArray<string> | undefined> {
  if (notices === undefined) {
    return isTimeSigned(signature, body, secrets, at) ? [JSON.parse(body.toString()).data.external_id] : undefined
  }
  const { pathname, search } = new URL(path, "http://receiver")
  const token = pathname.split("/")[1] || null
  const call = { headers, search: search.slice(1), token, body, now: at }
  return notices.prove(call, secrets) === undefined ? undefined : yield* notices.about(key, body)
})
