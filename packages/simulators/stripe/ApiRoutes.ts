import { ok, type RouteList } from "../kit/Routes.ts"
import { sessionParameters } from "./account/CheckoutSessions.ts"
import { customerParameters } from "./account/Customers.ts"
import { setupConfirmParameters, setupParameters } from "./account/SetupIntents.ts"
import { moneyRoutes, paymentRoutes } from "./PaymentRoutes.ts"
import { isBrowsers, type RouteContext, type RouteParts, retrieval, routeParts } from "./RouteParts.ts"
import { Fields } from "./wire/Fields.ts"
import { missing } from "./wire/Refusal.ts"

/** The routes of the account that its key opens. */
export const apiRoutes = (context: RouteContext): RouteList => {
  const parts = routeParts(context)
  return [
    ["GET /v1/balance", context.gate.route("balance", () => ({ answer: ok(balance), outcome: "found" }))],
    ...customerRoutes(context, parts),
    ...setupRoutes(context, parts),
    ...cardRoutes(context, parts),
    ...paymentRoutes(context, parts),
    ...moneyRoutes(context, parts)
  ]
}

/** Customers and their cards. */
const customerRoutes = (
  { account, gate }: RouteContext,
  { answer, make, show, list, search }: RouteParts
): RouteList => {
  const { customers, methods } = account
  return [
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
    ]
  ]
}

/** Cards in collection: by a browser, or on a hosted page. */
const setupRoutes = ({ account, gate }: RouteContext, { make, show, act, list }: RouteParts): RouteList => {
  const { sessions, setups } = account
  return [
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
    ]
  ]
}

/** Cards. */
const cardRoutes = ({ account, gate }: RouteContext, { show, act, list }: RouteParts): RouteList => {
  const { customers, methods } = account
  return [
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
    ]
  ]
}

const balance = {
  object: "balance",
  available: [{ amount: 0, currency: "brl", source_types: { card: 0 } }],
  livemode: false,
  pending: [{ amount: 0, currency: "brl", source_types: { card: 0 } }]
}
