import { randomUUID } from "node:crypto"
import type { CallLog } from "../kit/CallLog.ts"
import { isWebAddress, recordOf, type SimulatedAnswer } from "../kit/Routes.ts"
import { badParameter } from "./MercadopagoErrors.ts"
import type { Merchant } from "./Merchants.ts"
import { badReference, centavosOf, instantOf, isReference, type PaymentRequest, pixLifetime } from "./PaymentRules.ts"
import { instant } from "./PaymentView.ts"

/** The page where a person pays what its merchant asked for. Times are epoch milliseconds. */
export interface Preference {
  readonly id: string
  readonly merchant: Merchant
  readonly createdAt: number
  /** The members of the request, with later changes. */
  body: Readonly<Record<string, unknown>>
  amountCentavos: number
  externalReference: string | null
}

/** Preferences of all merchants. */
export class Preferences {
  private readonly byId = new Map<string, Preference>()
  private readonly ended = new Set<string>()
  private readonly log: CallLog
  private readonly now: () => number

  constructor(log: CallLog, now: () => number) {
    this.log = log
    this.now = now
  }

  /** Makes a preference of a checked body. */
  make(merchant: Merchant, body: Readonly<Record<string, unknown>>, amountCentavos: number): Preference {
    const id = `${merchant.userId}-${randomUUID()}`
    const externalReference = referenceOf(body)
    const preference = { id, merchant, createdAt: this.now(), body, amountCentavos, externalReference }
    this.byId.set(id, preference)
    return preference
  }

  of(merchant: Merchant, id: string): Preference | undefined {
    const preference = this.byId.get(id)
    return preference?.merchant === merchant ? preference : undefined
  }

  ofMerchant(merchant: Merchant): ReadonlyArray<Preference> {
    return [...this.byId.values()].filter((preference) => preference.merchant === merchant)
  }

  /** Returns a preference of any merchant, for people and checks: by id or reference; the newest of several. */
  any(name: string): Preference | undefined {
    return (
      this.byId.get(name) ?? [...this.byId.values()].findLast(({ externalReference }) => externalReference === name)
    )
  }

  /** Changes members; the amount and reference follow. */
  change(preference: Preference, body: Readonly<Record<string, unknown>>, amountCentavos: number): void {
    preference.body = body
    preference.amountCentavos = amountCentavos
    preference.externalReference = referenceOf(body)
  }

  /** True while a person can pay at its page. */
  isOpen({ body }: Preference): boolean {
    const until = instantOf(body.expiration_date_to)
    return body.expires !== true || until === undefined || this.now() < until
  }

  /** Closes the page, as its merchant does with `expiration_date_to`. */
  close(preference: Preference, outcome: "cancelled" | "expired"): void {
    preference.body = { ...preference.body, expires: true, expiration_date_to: instant(this.now()) }
    this.noteEnd(preference, outcome)
  }

  /** Logs the end of a preference that nobody paid, once. Mercado Pago tells its merchant nothing. */
  noteEnd({ amountCentavos, externalReference, id }: Preference, outcome: "cancelled" | "expired"): void {
    if (this.ended.has(id)) return
    this.ended.add(id)
    const facts = { id, external_id: externalReference, amount_centavos: amountCentavos }
    this.log.add("outcome", { ...facts, status: outcome })
  }

  /** Returns the Pix payment that a person begins at the page. */
  paymentOf({ amountCentavos, body, externalReference }: Preference): PaymentRequest {
    const payer = recordOf(body.payer)
    const [item] = Array.isArray(body.items) ? body.items.map(recordOf) : []
    const until = instantOf(body.date_of_expiration) ?? instantOf(body.expiration_date_to)
    return {
      amountCentavos,
      description: typeof item?.title === "string" ? item.title : null,
      externalReference,
      notificationUrl: typeof body.notification_url === "string" ? body.notification_url : null,
      metadata: body.metadata ?? {},
      payer: {
        email: typeof payer.email === "string" ? payer.email : "payer@example.com",
        first_name: null,
        last_name: null,
        identification: { type: "CPF", number: "12345678909" }
      },
      expiresAt: until ?? this.now() + pixLifetime.standard
    }
  }
}

/** Returns the amount of a preference's items, or Mercado Pago's refusal of its body. */
export const checkPreference = (body: Readonly<Record<string, unknown>>): number | SimulatedAnswer => {
  const items = Array.isArray(body.items) ? body.items.map(recordOf) : []
  if (items.length === 0) return invalid("invalid_items", "items needed")
  let amountCentavos = 0
  for (const { quantity, title, unit_price } of items) {
    const centavos = centavosOf(unit_price)
    if (typeof title !== "string" || title === "") return invalid("invalid_items", "title needed")
    if (centavos === undefined) return invalid("invalid_items", "unit_price invalid")
    if (typeof quantity !== "number" || !Number.isSafeInteger(quantity) || quantity < 1) {
      return invalid("invalid_items", "quantity invalid")
    }
    amountCentavos += centavos * quantity
  }
  if (!isReference(body.external_reference)) return badReference
  for (const name of ["date_of_expiration", "expiration_date_from", "expiration_date_to"]) {
    if (body[name] !== undefined && instantOf(body[name]) === undefined) {
      return invalid(`invalid_${name}`, `${name} invalid. Should be a date with milliseconds and offset`)
    }
  }
  const { notification_url } = body
  if (notification_url !== undefined && !(isWebAddress(notification_url) && notification_url.length <= 248)) {
    return badParameter(4020, "notification_url invalid. 248 characters at most")
  }
  const { success } = recordOf(body.back_urls)
  if (body.auto_return !== undefined && typeof success !== "string") {
    return invalid("invalid_auto_return", "auto_return invalid. back_url.success must be defined")
  }
  return amountCentavos
}

/** Returns a preference as the API shows it; `host` serves its page. */
export const preferenceView = (preference: Preference, host: string): object => {
  const { body, createdAt, externalReference, id, merchant } = preference
  const page = `http://${host}/checkout/v1/redirect?pref_id=${id}`
  return {
    additional_info: "",
    auto_return: "",
    back_urls: { success: "", pending: "", failure: "" },
    binary_mode: false,
    coupon_code: null,
    date_of_expiration: null,
    expiration_date_from: null,
    expiration_date_to: null,
    expires: false,
    marketplace: "NONE",
    metadata: {},
    notification_url: null,
    operation_type: "regular_payment",
    ...body,
    external_reference: externalReference ?? "",
    client_id: "1",
    collector_id: merchant.userId,
    date_created: instant(createdAt),
    id,
    init_point: page,
    sandbox_init_point: page,
    site_id: "MLB"
  }
}

/** Returns a preference as the search shows it, with less than a read. */
export const preferenceElement = ({ body, createdAt, externalReference, id, merchant }: Preference): object => ({
  id,
  client_id: "1",
  collector_id: merchant.userId,
  concept_id: null,
  date_created: instant(createdAt),
  expiration_date_from: body.expiration_date_from ?? null,
  expiration_date_to: body.expiration_date_to ?? null,
  expires: body.expires === true,
  external_reference: externalReference ?? "",
  items: Array.isArray(body.items) ? body.items.map((item) => recordOf(item).title) : [],
  last_updated: instant(createdAt),
  live_mode: true,
  marketplace: "NONE",
  operation_type: "regular_payment",
  payer_email: recordOf(body.payer).email ?? "",
  processing_modes: ["aggregator"],
  purpose: "",
  site_id: "MLB"
})

const referenceOf = ({ external_reference }: Readonly<Record<string, unknown>>): string | null =>
  typeof external_reference === "string" ? external_reference : null

const invalid = (error: string, message: string): SimulatedAnswer => ({
  status: 400,
  body: { message, error, status: 400, cause: null }
})
