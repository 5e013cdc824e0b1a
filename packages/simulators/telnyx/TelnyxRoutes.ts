import { type Call, jsonOf, type RouteList, recordOf } from "../kit/Routes.ts"
import { type Done, type NamedMake, type VendorRoutes, vendorRoute } from "../kit/VendorRoute.ts"
import type { Numbers } from "./Numbers.ts"
import type { TelnyxAccount, TelnyxNumber } from "./TelnyxAccount.ts"
import { refusalOf, type TelnyxRefusal } from "./TelnyxErrors.ts"
import { availableView, messagingView, numberView, orderView } from "./TelnyxViews.ts"

/** The services of Telnyx's routes. */
export interface TelnyxContext extends VendorRoutes<TelnyxAccount, TelnyxRefusal> {
  readonly numbers: Numbers
  /** Epoch milliseconds. */
  readonly now: () => number
}

/** Makes a refusal and its name in the log. */
export const refuse = (code: TelnyxRefusal, parameter?: string, facts?: Done["facts"]): Done => ({
  answer: refusalOf(code, parameter),
  outcome: code,
  ...(facts === undefined ? undefined : { facts })
})

const done = (data: unknown, outcome = "ok", facts: Done["facts"] = {}): Done => ({
  answer: { status: 200, body: { data } },
  outcome,
  facts
})

/** Telnyx's routes about orders of numbers. */
export const orderRoutes = (context: TelnyxContext): RouteList => {
  const { faults, now, numbers } = context
  const of = vendorRoute(context, "idempotency_key_in_use")

  const available = ({ query }: Call): Done => {
    const area = query.get("filter[national_destination_code]") ?? ""
    const country = query.get("filter[country_code]") ?? "US"
    const limit = Number(query.get("filter[limit]") ?? 100)
    const features = query.get("filter[features]")?.split(",") ?? []
    const isKnown = country === "BR" && /^[1-9]\d$/.test(area)
    const found = isKnown ? numbers.available(area, limit, features.includes("sms")) : []
    const meta = { total_results: found.length, best_effort_results: 0 }
    const body = { data: found.map(availableView), meta, metadata: meta }
    return { answer: { status: 200, body }, outcome: found.length === 0 ? "none" : "ok", facts: { ddd: area } }
  }

  const create = (call: Call, account: TelnyxAccount): Done => {
    const { connection_id, customer_reference, messaging_profile_id, phone_numbers } = recordOf(jsonOf(call.body))
    const facts = factsOf(call)
    const wanted = Array.isArray(phone_numbers) ? phone_numbers.map((one) => recordOf(one).phone_number) : []
    if (wanted.length === 0) return refuse("invalid_request", "phone_numbers", facts)
    const isFree = (one: unknown): one is string => typeof one === "string" && numbers.isFree(one)
    if (!wanted.every(isFree)) return refuse("number_unavailable", "phone_numbers", facts)
    const order = numbers.order(account, wanted, {
      customerReference: textOf(customer_reference),
      messagingProfileId: textOf(messaging_profile_id),
      connectionId: textOf(connection_id)
    })
    return done(orderView(order), "made", { ...facts, id: order.id })
  }

  const list = ({ query }: Call, account: TelnyxAccount): Done => {
    const operation = "order_lookup"
    const lag = faults.hit(["lagging_lookup"], { operation })
    const youngest = now() - (lag === undefined ? 0 : (lag.value ?? 1000))
    const isUnfiltered = faults.hit(["unfiltered_lookup"], { operation }) !== undefined
    const reference = query.get("filter[customer_reference]")
    const status = query.get("filter[status]")
    const found = numbers
      .ordersOf(account)
      .filter(
        (order) =>
          order.createdAt <= youngest &&
          (reference === null || isUnfiltered || order.customerReference === reference) &&
          (status === null || order.status === status)
      )
    return paged(query, found.map(orderView), { external_id: reference })
  }

  const show = ({ places: [id = ""] }: Call, account: TelnyxAccount): Done => {
    const order = numbers.orderOf(account, id)
    return order === undefined
      ? refuse("not_found")
      : done(orderView(order), order.status, { id, external_id: order.customerReference })
  }

  const named: NamedMake<TelnyxAccount> = {
    nameOf: (call, { key }) => `${key}\n${String(recordOf(jsonOf(call.body)).customer_reference)}`,
    factsOf
  }
  return [
    ["GET /available_phone_numbers", of("available", available)],
    ["POST /number_orders", of("order", create, named)],
    ["GET /number_orders", of("order_lookup", list)],
    ["GET /number_orders/{}", of("order_status", show)]
  ]
}

/** Telnyx's routes about an account and its numbers. */
export const numberRoutes = (context: TelnyxContext): RouteList => {
  const { numbers } = context
  const of = vendorRoute(context, "idempotency_key_in_use")

  const balance = (): Done =>
    done({
      record_type: "balance",
      pending: "0.00",
      balance: "300.00",
      credit_limit: "100.00",
      available_credit: "400.00",
      currency: "USD"
    })

  const whoAmI = (_call: Call, { id, name }: TelnyxAccount): Done =>
    done({ record_type: "whoami", user_id: id, organization_id: id, organization_name: name })

  const ofAccount = ({ query }: Call, account: TelnyxAccount, separator?: string): ReadonlyArray<TelnyxNumber> => {
    const filter = query.get("filter[phone_number]")
    const phones = separator === undefined ? filter && [filter] : filter?.split(separator)
    const [reference, status] = [query.get("filter[customer_reference]"), query.get("filter[status]")]
    return [...account.numbers.values()].filter(
      (number) =>
        (!phones || phones.some((phone) => number.phoneNumber.includes(phone))) &&
        (reference === null || number.customerReference === reference) &&
        (status === null || number.status === status)
    )
  }

  const withNumber =
    (then: (number: TelnyxNumber, call: Call, account: TelnyxAccount) => Done) =>
    (call: Call, account: TelnyxAccount): Done => {
      const number = numbers.numberOf(account, call.places[0] ?? "")
      return number === undefined ? refuse("not_found") : then(number, call, account)
    }

  const change = (view: (number: TelnyxNumber) => object) =>
    withNumber((number, call) => {
      const { messaging_profile_id } = recordOf(jsonOf(call.body))
      if (typeof messaging_profile_id === "string") number.messagingProfileId = messaging_profile_id
      return done(view(number), "changed", { id: number.id })
    })

  const release = withNumber((number, _call, account) => {
    numbers.release(account, number)
    return done(numberView(number), "released", { id: number.id, external_id: number.customerReference })
  })

  return [
    ["GET /balance", of("account", balance)],
    ["GET /whoami", of("account", whoAmI)],
    [
      "GET /phone_numbers",
      of("numbers", (call, account) => paged(call.query, ofAccount(call, account).map(numberView)))
    ],
    [
      "GET /phone_numbers/messaging",
      of("numbers", (call, account) => paged(call.query, ofAccount(call, account, ",").map(messagingView)))
    ],
    [
      "GET /phone_numbers/{}",
      of(
        "number",
        withNumber((number) => done(numberView(number)))
      )
    ],
    ["PATCH /phone_numbers/{}", of("number_change", change(numberView))],
    ["DELETE /phone_numbers/{}", of("release", release)],
    [
      "GET /phone_numbers/{}/messaging",
      of(
        "number",
        withNumber((number) => done(messagingView(number)))
      )
    ],
    ["PATCH /phone_numbers/{}/messaging", of("number_change", change(messagingView))]
  ]
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null)

const factsOf = (call: Call): Readonly<Record<string, unknown>> => {
  const body = recordOf(jsonOf(call.body))
  return { ...body, external_id: body.customer_reference ?? null, path: call.path }
}

/** Returns one page of a list, which begins at page 1. */
const paged = (query: URLSearchParams, items: ReadonlyArray<object>, facts: Done["facts"] = {}): Done => {
  const whole = (name: string, standard: number, most: number) => {
    const value = Number(query.get(name) ?? standard)
    return Number.isSafeInteger(value) && value >= 1 ? Math.min(most, value) : standard
  }
  const [page_number, page_size] = [whole("page[number]", 1, 1_000_000), whole("page[size]", 20, 250)]
  const total_pages = Math.ceil(items.length / page_size)
  const meta = { total_pages, total_results: items.length, page_number, page_size }
  const data = items.slice((page_number - 1) * page_size, page_number * page_size)
  return { answer: { status: 200, body: { data, meta } }, outcome: items.length === 0 ? "none" : "ok", facts }
}
