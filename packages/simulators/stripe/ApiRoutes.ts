import type { Faults } from "../kit/Faults.ts"
import { standardLandingMs } from "../kit/Landings.ts"
import { ok, type RouteList } from "../kit/Routes.ts"
import type { Account } from "./account/Account.ts"
import type { Charges } from "./account/ChargeView.ts"
import { sessionParameters } from "./account/CheckoutSessions.ts"
import { customerParameters } from "./account/Customers.ts"
import { confirmParameters, intentParameters } from "./account/IntentParameters.ts"
import { refundParameters } from "./account/Refunds.ts"
import { setupConfirmParameters, setupParameters } from "./account/SetupIntents.ts"
import type { Objects } from "./account/World.ts"
import type { Gate, Request } from "./Gate.ts"
import type { Done, StripeOperation } from "./Vendor.ts"
import { expanded } from "./wire/Expand.ts"
import { Fields } from "./wire/Fields.ts"
import { createdWithin, type Listed, limitOf, pageOf, pageParameters } from "./wire/Lists.ts"
import { invalid, missing } from "./wire/Refusal.ts"
import { type Searched, searchOf } from "./wire/Search.ts"

/** The services of the account's routes. */
export interface RouteContext {
  readonly account: Account
  readonly charges: Charges
  readonly gate: Gate
  readonly faults: Faults
  /** Milliseconds after which searches find a new object. */
  readonly searchLagMs: number
}

/** The first version without `payment_method_types` as a parameter. */
const withoutTypes = "2026-09-30"

const retrieval = ["expand", "client_secret", "key"]

/** The routes of the account that its key opens. */
export const apiRoutes = (context: RouteContext): RouteList => {
  const { account, charges, faults, gate } = context
  const { collections, customers, disputes, events, intents, methods, refunds, sessions, setups } = account

  const answer = (body: object, fields: Fields, outcome: string, facts: Done["facts"] = {}): Done => ({
    answer: ok(expanded(body, fields.texts("expand"), (id) => account.objectOf(id))),
    outcome,
    facts
  })
  const make =
    <Item extends { readonly id: string }>(
      parameters: ReadonlyArray<string>,
      create: (fields: Fields) => Item,
      outcomeOf: (item: Item) => string = () => "created",
      factsOf: (item: Item) => Done["facts"] = ({ id }) => ({ id })
    ) =>
    (request: Request): Done => {
      const fields = fieldsOf(request, parameters)
      const item = create(fields)
      return answer(item, fields, outcomeOf(item), factsOf(item))
    }
  const show =
    (read: (id: string) => object, factsOf: (id: string) => Done["facts"] = (id) => ({ id })) =>
    (request: Request): Done => {
      const [id = ""] = request.call.places
      const fields = new Fields(request.params, retrieval)
      return answer(read(id), fields, "found", factsOf(id))
    }
  const act =
    (parameters: ReadonlyArray<string>, outcome: string, change: (id: string, fields: Fields) => object) =>
    (request: Request): Done => {
      const [id = ""] = request.call.places
      const fields = fieldsOf(request, parameters)
      return answer(change(id, fields), fields, outcome, { id })
    }
  const list = <Item extends Listed>(
    operation: StripeOperation,
    filters: ReadonlyArray<string>,
    read: (fields: Fields, request: Request) => ReadonlyArray<Item>,
    more: ReadonlyArray<string> = []
  ) =>
    gate.route(operation, (request) => {
      const fields = new Fields(request.params, [...pageParameters, "created", ...filters, ...more])
      const isWithin = createdWithin(fields)
      const wanted = filters.flatMap((name) => (fields.has(name) ? [[name, fields.text(name)] as const] : []))
      const matching = read(fields, request).filter(
        (item) => isWithin(item) && wanted.every(([name, value]) => Reflect.get(item, name) === value)
      )
      const { hasMore, items } = pageOf(matching, fields)
      const body = { object: "list", data: items, has_more: hasMore, url: request.call.path }
      const facts = { ...Object.fromEntries(wanted), count: items.length }
      return answer(body, fields, items.length === 0 ? "absent" : "found", facts)
    })
  const search = <Item extends Listed>(
    operation: StripeOperation,
    objects: Objects<Item>,
    searched: (item: Item) => Searched,
    names: ReadonlyArray<string>
  ) =>
    gate.route(operation, (request) => {
      const fields = new Fields(request.params, ["query", "limit", "page", "expand"])
      const isMatch = searchOf(fields.required("query"), names)
      const lag = faults.hit(["lagging_lookup"], { operation })
      const lagMs = lag?.value ?? context.searchLagMs
      const limit = limitOf(fields)
      const start = Number(fields.text("page") ?? 0)
      if (!Number.isSafeInteger(start) || start < 0) throw invalid("Invalid page.", "page")
      const found = objects.list.filter((item) => !objects.isYoungerThan(item.id, lagMs) && isMatch(searched(item)))
      const items = found.toReversed().slice(start, start + limit)
      const hasMore = found.length > start + limit
      const next_page = hasMore ? String(start + limit) : null
      const body = { object: "search_result", data: items, has_more: hasMore, next_page, url: request.call.path }
      return answer(body, fields, items.length === 0 ? "absent" : "found", { count: items.length })
    })

  /** Returns the payments that a look-up sees, unless a fault hides or exchanges them. */
  const visible = (fields: Fields) => {
    const wrong = faults.hit(["unfiltered_lookup"], { operation: "charge_lookup" })
    if (wrong !== undefined)
      return intents.objects.list.map((one) => ({ ...one, metadata: {}, customer: fields.text("customer") }))
    const lag = faults.hit(["lagging_lookup"], { operation: "charge_lookup" })
    const lagMs = lag === undefined ? 0 : (lag.value ?? standardLandingMs)
    return intents.objects.list.filter(({ id }) => !intents.objects.isYoungerThan(id, lagMs))
  }
  const isBrowsers =
    (secretOf: (id: string) => string | null | undefined) =>
    ({ call, params }: Request) =>
      typeof params.client_secret === "string" && secretOf(call.places[0] ?? "") === params.client_secret

  return [
    ["GET /v1/balance", gate.route("balance", () => ({ answer: ok(balance), outcome: "found" }))],

    [
      "POST /v1/customers",
      gate.route(
        "customer",
        make(customerParameters, (fields) => customers.create(fields))
      )
    ],
    ["GET /v1/customers", list("customer_lookup", ["email"], () => customers.objects.list)],
    [
      "GET /v1/customers/search",
      search(
        "customer_search",
        customers.objects,
        ({ created, email, metadata, name, phone }) => ({
          metadata,
          fields: { created, email, name: name ?? null, phone: phone ?? null }
        }),
        ["created", "email", "name", "phone"]
      )
    ],
    [
      "GET /v1/customers/{}",
      gate.route(
        "customer_status",
        show((id) => customers.require(id))
      )
    ],
    [
      "GET /v1/customers/{}/payment_methods",
      list(
        "card_lookup",
        ["type"],
        (_, { call }) => {
          const { id } = customers.require(call.places[0] ?? "")
          return methods.of(id)
        },
        ["allow_redisplay"]
      )
    ],
    [
      "GET /v1/customers/{}/payment_methods/{}",
      gate.route("card", ({ call, params }) => {
        const [customer = "", id = ""] = call.places
        const fields = new Fields(params, retrieval)
        const method = methods.of(customers.require(customer).id).find((one) => one.id === id)
        if (method === undefined) throw missing("PaymentMethod", id)
        return answer(method, fields, "found", { id, customer })
      })
    ],

    [
      "POST /v1/setup_intents",
      gate.route(
        "setup",
        make(setupParameters, (fields) => setups.create(fields))
      )
    ],
    [
      "GET /v1/setup_intents",
      list("setup_lookup", ["customer", "payment_method"], () => setups.objects.list, ["attach_to_self"])
    ],
    [
      "GET /v1/setup_intents/{}",
      gate.route(
        "setup_status",
        show((id) => setups.require(id)),
        isBrowsers((id) => setups.objects.get(id)?.client_secret)
      )
    ],
    [
      "POST /v1/setup_intents/{}/confirm",
      gate.route(
        "setup_confirm",
        act(setupConfirmParameters, "confirmed", (id, fields) =>
          setups.confirm(setups.require(id), fields.text("payment_method"))
        ),
        isBrowsers((id) => setups.objects.get(id)?.client_secret)
      )
    ],

    [
      "POST /v1/checkout/sessions",
      gate.route(
        "checkout",
        make(sessionParameters, (fields) => sessions.create(fields))
      )
    ],
    [
      "GET /v1/checkout/sessions",
      list("checkout_lookup", ["customer", "payment_intent", "status"], () =>
        sessions.objects.list.map(({ id }) => sessions.require(id))
      )
    ],
    [
      "GET /v1/checkout/sessions/{}",
      gate.route(
        "checkout_status",
        show((id) => sessions.require(id))
      )
    ],
    [
      "POST /v1/checkout/sessions/{}/expire",
      gate.route(
        "checkout_expire",
        act(["expand"], "expired", (id) => sessions.expire(sessions.require(id)))
      )
    ],

    [
      "GET /v1/payment_methods",
      list(
        "card_lookup",
        ["type"],
        (fields) => {
          const customer = fields.text("customer")
          return customer === null ? [] : methods.of(customers.require(customer, "customer").id)
        },
        ["customer", "allow_redisplay"]
      )
    ],
    [
      "GET /v1/payment_methods/{}",
      gate.route(
        "card",
        show((id) => methods.require(id))
      )
    ],
    [
      "POST /v1/payment_methods/{}/attach",
      gate.route(
        "attach",
        act(["customer", "customer_account", "expand"], "attached", (id, fields) =>
          methods.attach(id, fields.required("customer"))
        )
      )
    ],
    [
      "POST /v1/payment_methods/{}/detach",
      gate.route(
        "detach",
        act(["expand"], "detached", (id) => methods.detach(id))
      )
    ],

    [
      "POST /v1/payment_intents",
      gate.route(
        "charge",
        make(
          intentParameters,
          (fields) => intents.create(fields),
          (intent) => charges.shown(intent).status,
          (intent) => ({ ...charges.shown(intent) })
        )
      )
    ],
    ["GET /v1/payment_intents", list("charge_lookup", ["customer"], visible)],
    [
      "GET /v1/payment_intents/search",
      search(
        "charge_search",
        intents.objects,
        ({ amount, created, currency, customer, metadata, status }) => ({
          metadata,
          fields: { amount, created, currency, customer: typeof customer === "string" ? customer : null, status }
        }),
        ["amount", "created", "currency", "customer", "status"]
      )
    ],
    [
      "GET /v1/payment_intents/{}",
      gate.route(
        "charge_status",
        show(
          (id) => {
            const intent = intents.require(id)
            const other = faults.hit(["other_amount"], { operation: "charge_status" })
            return other === undefined ? intent : { ...intent, amount: intent.amount + 1 }
          },
          (id) => {
            const { external_id, status } = charges.shown(intents.require(id))
            return { id, external_id, status }
          }
        ),
        isBrowsers((id) => intents.objects.get(id)?.client_secret)
      )
    ],
    [
      "POST /v1/payment_intents/{}/confirm",
      gate.route(
        "charge_confirm",
        act(confirmParameters, "confirmed", (id, fields) => intents.confirmBy(intents.require(id), fields)),
        isBrowsers((id) => intents.objects.get(id)?.client_secret)
      )
    ],
    [
      "POST /v1/payment_intents/{}/cancel",
      gate.route(
        "charge_cancel",
        act(["cancellation_reason", "expand"], "canceled", (id, fields) =>
          intents.cancel(
            intents.require(id),
            fields.oneOf("cancellation_reason", ["duplicate", "fraudulent", "requested_by_customer", "abandoned"])
          )
        )
      )
    ],

    ["GET /v1/charges", list("collection_lookup", ["customer", "payment_intent"], () => collections.objects.list)],
    [
      "GET /v1/charges/{}",
      gate.route(
        "collection_status",
        show((id) => collections.require(id))
      )
    ],
    [
      "POST /v1/refunds",
      gate.route(
        "refund",
        make(
          refundParameters,
          (fields) => refunds.create(fields),
          ({ status }) => String(status)
        )
      )
    ],
    ["GET /v1/refunds", list("refund_lookup", ["charge", "payment_intent"], () => refunds.objects.list)],
    [
      "GET /v1/refunds/{}",
      gate.route(
        "refund_status",
        show((id) => refunds.require(id))
      )
    ],
    ["GET /v1/disputes", list("dispute_lookup", ["charge", "payment_intent"], () => disputes.objects.list)],
    [
      "GET /v1/disputes/{}",
      gate.route(
        "dispute_status",
        show((id) => disputes.require(id))
      )
    ],
    [
      "GET /v1/events",
      list(
        "event_lookup",
        ["type"],
        (fields) => {
          const types = fields.texts("types")
          return events.objects.list.filter(({ type }) => types.length === 0 || types.includes(type))
        },
        ["types", "delivery_success"]
      )
    ],
    [
      "GET /v1/events/{}",
      gate.route(
        "event_status",
        show((id) => events.require(id))
      )
    ]
  ]
}

/** Reads a call's parameters by the version that it names. */
const fieldsOf = ({ params, version }: Request, parameters: ReadonlyArray<string>): Fields =>
  new Fields(
    params,
    version.slice(0, withoutTypes.length) < withoutTypes ? [...parameters, "payment_method_types"] : parameters
  )

const balance = {
  object: "balance",
  available: [{ amount: 0, currency: "brl", source_types: { card: 0 } }],
  livemode: false,
  pending: [{ amount: 0, currency: "brl", source_types: { card: 0 } }]
}
