import type { Faults } from "../kit/Faults.ts"
import { ok } from "../kit/Routes.ts"
import type { Account } from "./account/Account.ts"
import type { Charges } from "./account/ChargeView.ts"
import type { Objects } from "./account/World.ts"
import type { Gate, Request } from "./Gate.ts"
import type { Done, StripeOperation } from "./Vendor.ts"
import { expanded } from "./wire/Expand.ts"
import { Fields } from "./wire/Fields.ts"
import { createdWithin, type Listed, limitOf, pageOf, pageParameters } from "./wire/Lists.ts"
import { invalid } from "./wire/Refusal.ts"
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

/** What every read of one object takes. */
export const retrieval = ["expand", "client_secret", "key"]

/** The kinds of routes: each makes, shows, changes, lists or searches objects of one kind. */
export type RouteParts = ReturnType<typeof routeParts>

/** Returns the kinds of routes of an account. */
export const routeParts = (context: RouteContext) => {
  const { account, gate } = context

  const answer: MakeAnswer = (body: object, fields: Fields, outcome: string, facts: Done["facts"] = {}): Done => ({
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

  return { answer, make, show, act, list, search: searchRoute(context, answer) }
}

type MakeAnswer = (body: object, fields: Fields, outcome: string, facts?: Done["facts"]) => Done

/** Returns the route of a search, which finds new objects late. */
const searchRoute =
  ({ faults, gate, searchLagMs }: RouteContext, answer: MakeAnswer) =>
  <Item extends Listed>(
    operation: StripeOperation,
    objects: Objects<Item>,
    searched: (item: Item) => Searched,
    names: ReadonlyArray<string>
  ) =>
    gate.route(operation, (request) => {
      const fields = new Fields(request.params, ["query", "limit", "page", "expand"])
      const isMatch = searchOf(fields.required("query"), names)
      const lag = faults.hit(["lagging_lookup"], { operation })
      const lagMs = lag?.value ?? searchLagMs
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

/** Reads a call's parameters by the version that it names. */
const fieldsOf = ({ params, version }: Request, parameters: ReadonlyArray<string>): Fields =>
  new Fields(
    params,
    version.slice(0, withoutTypes.length) < withoutTypes ? [...parameters, "payment_method_types"] : parameters
  )

/** Judges whether a call comes from a browser, which knows the secret of one object. */
export const isBrowsers =
  (secretOf: (id: string) => string | null | undefined) =>
  ({ call, params }: Request) =>
    typeof params.client_secret === "string" && secretOf(call.places[0] ?? "") === params.client_secret
