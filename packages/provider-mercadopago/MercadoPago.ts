import type { Calls } from "@carteiro/outbound/Calls.ts"
import type { PixBounds } from "@carteiro/provider/payments/PixBounds.ts"
import type { PixAccountNotices, PixCharges } from "@carteiro/provider/payments/PixCharges.ts"
import type { PixNotices } from "@carteiro/provider/payments/PixNotices.ts"
import type { PixAnswer, PixProvider } from "@carteiro/provider/payments/PixProvider.ts"
import { memberOf } from "@carteiro/vendor-http/VendorAnswers.ts"
import { makeVendorCalls, type VendorCalls, type VendorOptions } from "@carteiro/vendor-http/VendorCalls.ts"
import { callJson, type NothingBrought } from "@carteiro/vendor-http/VendorJson.ts"
import { Clock, Effect, Redacted } from "effect"
import { absent, idText, readAnswer, unknown } from "./Answers.ts"
import { noticedPayment, noticeUrl, proveNotice } from "./Notices.ts"
import { chargeOfPayment, codeRequest, leastPixSeconds, readPayment } from "./Payments.ts"
import { chargeOfPage, endRequest, pageRequest, readPage, type VendorPage } from "./Preferences.ts"

/** The settings of the adapter. */
export interface MercadoPagoOptions extends VendorOptions {
  /** How long a payment may be missing from a search, in milliseconds; a minute by default. */
  readonly searchSettlesMs?: number
}

/** The bounds of the vendor: a code lives half an hour at least; the life of a page has no least. */
const mercadoPagoBounds: PixBounds = {
  standardMode: "hosted_checkout",
  modes: { hosted_checkout: {}, transparent_pix: { leastSeconds: leastPixSeconds, demands: ["email"] } }
}

/** The vendor's port: without approvals, which it does not know. */
type MercadoPago = Required<Pick<PixProvider, "create" | "read" | "lookUp" | "cancel" | "bounds" | "notices">>

/** Mercado Pago over HTTP: pages of payment, and Pix by code. Issue "Cards, Pix, numbers and speech", "Drivers" */
export const makeMercadoPago = (options: MercadoPagoOptions): Effect.Effect<MercadoPago, never, Calls> =>
  Effect.map(makeVendorCalls(options), (calls) => providerOf(calls, options))

/** Proves a key by one read of its own account that changes nothing: `GET /users/me`. */
export const proveMercadoPago = (
  options: VendorOptions,
  key: Redacted.Redacted
): Effect.Effect<{ readonly _tag: "Done" } | NothingBrought, never, Calls> =>
  Effect.flatMap(makeVendorCalls(options), (calls) =>
    Effect.map(callJson(calls, { method: "GET", at: "/users/me", key: Redacted.value(key) }), (result) =>
      readAnswer(result, (json) => (idText(memberOf(json, "id")) === undefined ? undefined : { _tag: "Done" as const }))
    )
  )

const searchSettles = 60_000
/** The most payments of one page that are looked at, the newest first. */
const mostPayments = 50

/** Ids of payments are digits, those of pages have a dash. */
const isPaymentId = (id: string): boolean => /^\d+$/.test(id)

/** The vendor's routes that the port needs. */
const routesOf = (calls: VendorCalls) => {
  const get = <A>(key: Redacted.Redacted, at: string, read: (json: unknown) => A | undefined) =>
    Effect.map(callJson(calls, { method: "GET", at, key: Redacted.value(key) }), (result) => readAnswer(result, read))
  const send = <A>(
    key: Redacted.Redacted,
    request: { readonly method: "POST" | "PUT"; readonly at: string; readonly json: object; readonly once: string },
    read: (json: unknown) => A | undefined
  ) => {
    const { once, ...rest } = request
    const headers = { "x-idempotency-key": once }
    return Effect.map(callJson(calls, { ...rest, key: Redacted.value(key), headers }), (result) =>
      readAnswer(result, read)
    )
  }

  const payment = (key: Redacted.Redacted, id: string) =>
    get(key, `/v1/payments/${encodeURIComponent(id)}`, readPayment)
  const page = (key: Redacted.Redacted, id: string) =>
    get(key, `/checkout/preferences/${encodeURIComponent(id)}`, readPage)
  const paymentsOf = (key: Redacted.Redacted, externalId: string) =>
    get(
      key,
      `/v1/payments/search?external_reference=${encodeURIComponent(externalId)}&sort=date_created&criteria=desc&limit=${mostPayments}`,
      (json) => listOf(memberOf(json, "results"), readPayment)
    )
  const pagesOf = (key: Redacted.Redacted, externalId: string) =>
    get(key, `/checkout/preferences/search?external_reference=${encodeURIComponent(externalId)}`, (json) =>
      listOf(memberOf(json, "elements"), pageNamed)
    )
  return { send, payment, page, paymentsOf, pagesOf }
}

type Routes = ReturnType<typeof routesOf>

/** Returns what cancels charges: pages with the codes that payers took from them, and codes. */
const endsOf = (
  { page, paymentsOf, send }: Routes,
  chargeAt: (key: Redacted.Redacted, known: VendorPage) => Effect.Effect<PixAnswer>,
  searchSettlesMs: number
) => {
  /** Ends a page, and the codes that payers took from it; the answer shows it as it is then. */
  const endPage = Effect.fnUntraced(function* (key: Redacted.Redacted, id: string): Effect.fn.Return<PixAnswer> {
    const before = yield* page(key, id)
    if ("_tag" in before) return before
    const payments = yield* paymentsOf(key, before.external_reference)
    if (!isList(payments)) return unknown
    const charge = chargeOfPage(before, payments, yield* Clock.currentTimeMillis, searchSettlesMs)
    if (charge === undefined) return unknown
    if (charge.status === "cancelled") return charge
    if (charge.status !== "pending") return { _tag: "Refused", code: "already_ended" }
    const json = endRequest(yield* Clock.currentTimeMillis)
    const at = `/checkout/preferences/${encodeURIComponent(id)}`
    const ended = yield* send(key, { method: "PUT", at, json, once: `${id}:end` }, readPage)
    if ("_tag" in ended) return ended
    const open = payments.filter(
      ({ external_reference, status }) => status === "pending" && external_reference === before.external_reference
    )
    yield* Effect.forEach(open, (one) => endPayment(key, one.id), { concurrency: 4, discard: true })
    return yield* chargeAt(key, ended)
  })

  const endPayment = (key: Redacted.Redacted, id: string): Effect.Effect<PixAnswer> =>
    Effect.map(
      send(
        key,
        {
          method: "PUT",
          at: `/v1/payments/${encodeURIComponent(id)}`,
          json: { status: "cancelled" },
          once: `${id}:end`
        },
        readPayment
      ),
      (ended) => ("_tag" in ended ? ended : (chargeOfPayment(ended) ?? unknown))
    )

  return { endPage, endPayment }
}

const providerOf = (calls: VendorCalls, { searchSettlesMs = searchSettles }: MercadoPagoOptions): MercadoPago => {
  const routes = routesOf(calls)
  const { page, pagesOf, payment, paymentsOf, send } = routes

  const chargeAt = Effect.fnUntraced(function* (
    key: Redacted.Redacted,
    known: VendorPage
  ): Effect.fn.Return<PixAnswer> {
    const payments = yield* paymentsOf(key, known.external_reference)
    if (!isList(payments)) return unknown
    return chargeOfPage(known, payments, yield* Clock.currentTimeMillis, searchSettlesMs) ?? unknown
  })

  const read = Effect.fnUntraced(function* (key: Redacted.Redacted, id: string): Effect.fn.Return<PixAnswer> {
    if (isPaymentId(id)) {
      const known = yield* payment(key, id)
      return "_tag" in known ? known : (chargeOfPayment(known) ?? unknown)
    }
    const known = yield* page(key, id)
    return "_tag" in known ? known : yield* chargeAt(key, known)
  })

  const lookUp = Effect.fnUntraced(function* (key: Redacted.Redacted, externalId: string): Effect.fn.Return<PixAnswer> {
    const pages = yield* pagesOf(key, externalId)
    if (!isList(pages)) return pages._tag === "Absent" ? unknown : pages
    const known = pages.find(({ external_reference }) => external_reference === externalId)
    if (known !== undefined) return yield* read(key, known.id)
    const payments = yield* paymentsOf(key, externalId)
    if (!isList(payments)) return payments._tag === "Absent" ? unknown : payments
    const made = payments.find(({ external_reference }) => external_reference === externalId)
    if (made !== undefined) return yield* read(key, made.id)
    // Charges under another reference say nothing about this one.
    return pages.length + payments.length === 0 ? absent : unknown
  })

  const { endPage, endPayment } = endsOf(routes, chargeAt, searchSettlesMs)

  /** The payments of a page are found by the search alone: a notice of one counts once the search shows what it told. */
  const about = Effect.fnUntraced(function* (
    key: Redacted.Redacted,
    body: Uint8Array
  ): Effect.fn.Return<ReadonlyArray<string> | undefined> {
    const id = noticedPayment(body)
    if (id === undefined) return []
    const told = yield* payment(key, id)
    if ("_tag" in told) return told._tag === "Absent" ? [] : undefined
    const { external_reference, status } = told
    if (external_reference === "") return []
    const listed = yield* paymentsOf(key, external_reference)
    if (!isList(listed)) return undefined
    const shown = listed.find((one) => one.id === told.id)
    if (shown?.status === status) return [external_reference]
    const pages = yield* pagesOf(key, external_reference)
    if (!isList(pages) || pages.length > 0) return undefined
    // While neither search shows anything, an ended payment may be of a page that the searches do not show yet.
    return shown === undefined && status !== "pending" ? undefined : [external_reference]
  })

  return {
    bounds: mercadoPagoBounds,
    create: Effect.fnUntraced(function* (key, order): Effect.fn.Return<PixAnswer> {
      const now = yield* Clock.currentTimeMillis
      const once = order.external_id
      if (order.mode === "hosted_checkout") {
        const json = pageRequest(order, now)
        const made = yield* send(key, { method: "POST", at: "/checkout/preferences", json, once }, readPage)
        return "_tag" in made ? refusedOf(made) : (chargeOfPage(made, [], now, searchSettlesMs) ?? unknown)
      }
      const json = codeRequest(order, now)
      const made = yield* send(key, { method: "POST", at: "/v1/payments", json, once }, readPayment)
      return "_tag" in made ? refusedOf(made) : (chargeOfPayment(made) ?? unknown)
    }),
    read,
    lookUp,
    cancel: (key, id) => (isPaymentId(id) ? endPayment(key, id) : endPage(key, id)),
    notices: {
      url: noticeUrl,
      prove: proveNotice,
      about
    } satisfies PixNotices
  }
}

/** A thing that is to be made cannot be absent: the vendor does not have the route, or not for this account. */
const refusedOf = <A extends PixAnswer>(answer: A): PixAnswer =>
  answer._tag === "Absent" ? { _tag: "Refused", code: "not_found" } : answer

const isList = <A>(value: ReadonlyArray<A> | { readonly _tag: string }): value is ReadonlyArray<A> =>
  Array.isArray(value)

/** Returns the members of a list; undefined where there is no list, or one that cannot be read: it may be the one that counts. */
const listOf = <A>(list: unknown, read: (json: unknown) => A | undefined): ReadonlyArray<A> | undefined => {
  const members = Array.isArray(list) ? list.map(read) : [undefined]
  return members.every((one) => one !== undefined) ? members : undefined
}

/** Reads the two members of a page that its search shows and a look-up needs. */
const pageNamed = (json: unknown) => {
  const id = idText(memberOf(json, "id"))
  return id === undefined ? undefined : { id, external_reference: memberOf(json, "external_reference") }
}

/**
 * Returns the charges of the service's own account, paid by a code in a bank's app. The vendor demands an address of every
 * payer; these payers are organizations, so one of the service stands for all. gaps-3 G "Shape of the adapters"
 */
export const mercadoPagoCharges = (
  provider: MercadoPago,
  key: Redacted.Redacted,
  payerEmail: string | undefined
): PixCharges & { readonly notices: PixAccountNotices } => {
  const customer = payerEmail === undefined ? null : { name: null, tax_id: null, phone: null, email: payerEmail }
  return {
    create: (order) => provider.create(key, { ...order, customer, mode: "transparent_pix", success_url: null }),
    read: (id) => provider.read(key, id),
    lookUp: (externalId) => provider.lookUp(key, externalId),
    cancel: (id) => provider.cancel(key, id),
    notices: {
      url: provider.notices.url,
      prove: provider.notices.prove,
      about: (body) => provider.notices.about(key, body)
    }
  }
}
