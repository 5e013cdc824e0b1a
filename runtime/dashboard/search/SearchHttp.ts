import { parseId } from "@carteiro/owners/Ids.ts"
import { phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect, Layer, Result } from "effect"
import { ApiKeys, type EnvironmentEntry } from "../../access/Access.ts"
import { BatchDirectory } from "../../batches/Batches.ts"
import { ContactDirectory } from "../../contacts/Contacts.ts"
import { ReportAdmin } from "../../feedback/Feedback.ts"
import { GroupDirectory } from "../../groups/Groups.ts"
import { MessageAdmin, readPhone } from "../../messages/Messages.ts"
import { AuthorizationReads, PaymentReads } from "../../payments/Payments.ts"
import { NumberDirectory } from "../../phone-numbers/PhoneNumbers.ts"
import { OrderReads } from "../../phone-orders/PhoneOrders.ts"
import { ConnectionAdmin } from "../../provider-connections/ProviderConnections.ts"
import { RequestLogReads } from "../../request-logs/RequestLogs.ts"
import { TemplateDirectory } from "../../templates/Templates.ts"
import { WebhookAdmin } from "../../webhooks/Webhooks.ts"
import { environmentName } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { addressOf } from "../kit/Lists.ts"
import { pagesNamed } from "../kit/Menu.ts"
import { page } from "../kit/Pages.ts"
import { given, table } from "../kit/Parts.ts"

/** One thing that was found, with the page that tells of it. */
interface Hit {
  readonly what: string
  readonly name: string
  readonly address: string
}

/** Looks for what was typed in one environment. */
type Finder = (environment: EnvironmentEntry, typed: string) => Effect.Effect<ReadonlyArray<Hit>>

/** Templates and requests of one environment that a search shows. */
const most = 5

const traceId = /^[0-9a-f]{32}$/u
const templateName = /^[a-z0-9_]{1,512}$/u

/** Returns what finds things by id, trace id, phone number and template name; each read is of one environment. A-CONV-21 */
const makeFinders = Effect.gen(function* () {
  const messages = yield* MessageAdmin
  const webhooks = yield* WebhookAdmin
  const requests = yield* RequestLogReads
  const templates = yield* TemplateDirectory
  const batches = yield* BatchDirectory
  const payments = yield* PaymentReads
  const contacts = yield* ContactDirectory
  const numbers = yield* NumberDirectory
  const groups = yield* GroupDirectory
  const connections = yield* ConnectionAdmin
  const authorizations = yield* AuthorizationReads
  const reports = yield* ReportAdmin
  const orders = yield* OrderReads
  const keys = yield* ApiKeys

  const byPrefix = {
    msg: ["Message", "messages", ({ id: environment, kind }, id) => messages.find(environment, kind, id)],
    req: ["Request", "request-logs", ({ id: environment }, id) => requests.find(environment, id)],
    tpl: ["Template", "templates", ({ id: environment }, id) => templates.find(environment, id)],
    bat: ["Batch", "batches", ({ id: environment }, id) => batches.find(environment, id)],
    pay: ["Payment", "payments", ({ id: environment }, id) => payments.find(environment, id)],
    con: ["Contact", "contacts", (environment, id) => contacts.find(environment, id)],
    pn: ["Number", "phone-numbers", ({ id: environment }, id) => numbers.find(environment, id)],
    grp: ["Group", "groups", ({ id: environment }, id) => groups.find(environment, id)],
    pcn: ["Connection", "connections", ({ id: environment }, id) => connections.find(environment, id)],
    aga: [
      "Agentic authorization",
      "agentic-authorizations",
      ({ id: environment }, id) => authorizations.authorization(environment, id)
    ],
    fbk: ["Feedback report", "feedback", ({ id: environment }, id) => reports.find(environment, id)]
  } as const satisfies Readonly<
    Record<string, readonly [string, string, (environment: EnvironmentEntry, id: string) => Effect.Effect<unknown>]>
  >
  const prefixes = Object.keys(byPrefix) as ReadonlyArray<keyof typeof byPrefix>

  const findId: Finder = Effect.fnUntraced(function* (environment, typed) {
    // A simulated message is told by the id that its provider would have given it.
    const id = typed.replace(/^sb_(?=msg_)/u, "")
    const prefix = prefixes.find((one) => parseId(one, id))
    if (prefix !== undefined) {
      const [what, section, find] = byPrefix[prefix]
      const found = (yield* find(environment, id)) !== undefined
      return found ? [{ what, name: id, address: `/dashboard/${section}/${environment.id}/${id}` }] : []
    }
    const { id: env, kind } = environment
    if (parseId("we", id) && (yield* webhooks.endpoint(env, kind, id)) !== undefined)
      return [{ what: "Webhook endpoint", name: id, address: `/dashboard/webhooks/${env}/endpoints/${id}` }]
    if (parseId("whe", id) && (yield* webhooks.delivery(env, id)) !== undefined)
      return [{ what: "Webhook delivery", name: id, address: `/dashboard/webhooks/${env}/deliveries/${id}` }]
    if (parseId("pno", id) && (yield* orders.find(env, id)) !== undefined)
      return [{ what: "Number order", name: id, address: `/dashboard/phone-orders/${id}` }]
    if (parseId("key", id) && (yield* keys.find(env, id)) !== undefined)
      return [{ what: "API key", name: id, address: addressOf("/dashboard/api-keys", { environment: env }) }]
    if (id === env) return [{ what: "Environment", name: id, address: addressOf("/dashboard", { environment: env }) }]
    // Both environments of a project are asked; one of them answers.
    if (id === environment.project_id && kind === "sandbox")
      return [{ what: "Project", name: environment.project_name, address: `/dashboard/projects/${id}` }]
    return []
  })

  /** An event has no page: it leads to the page of the thing that it is about, else to the deliveries of its environment. */
  const findEvent: Finder = Effect.fnUntraced(function* (environment, typed) {
    const source = parseId("evt", typed) ? yield* webhooks.eventSource(environment.id, typed) : undefined
    if (source === undefined) return []
    const [about] = yield* findId(environment, source.source_id)
    const log = addressOf("/dashboard/webhooks", { environment: environment.id })
    return [{ what: `Event of ${about?.name ?? source.source_id}`, name: source.type, address: about?.address ?? log }]
  })

  const findTrace: Finder = (environment, typed) =>
    traceId.test(typed)
      ? Effect.map(requests.list(environment.id, { trace_id: typed }, undefined, most), ({ rows }) =>
          rows.map(({ id, method, route }) => ({
            what: "Request of this trace",
            name: `${method} ${route}`,
            address: `/dashboard/request-logs/${environment.id}/${id}`
          }))
        )
      : Effect.succeed([])

  const findPhone: Finder = Effect.fnUntraced(function* (environment, typed) {
    const digits = phoneDigits(typed)
    const customer = readPhone(typed, "q")
    if (digits === undefined || Result.isFailure(customer)) return []
    const { id: phone, key } = customer.success
    const { rows: known } = yield* contacts.list(environment, { phone, opt_in_status: undefined, before: undefined }, 1)
    const { rows } = yield* messages.list(environment.id, environment.kind, { talk_with: key }, 1)
    const here = { environment: environment.id }
    return [
      ...known.map(({ id }) => ({
        what: "Contact",
        name: phone,
        address: `/dashboard/contacts/${environment.id}/${id}`
      })),
      ...rows.map(({ message }) => ({
        what: "Last message with this phone",
        name: message.id,
        address: `/dashboard/messages/${environment.id}/${message.id}`
      })),
      ...(rows.length === 0 || environment.kind === "production"
        ? []
        : [{ what: "Chat", name: phone, address: addressOf("/dashboard/chat", { ...here, customer: phone }) }])
    ]
  })

  const findTemplate: Finder = (environment, typed) =>
    templateName.test(typed)
      ? Effect.map(templates.list(environment.id, { name: typed }, undefined, most), (rows) =>
          rows.map(({ id, language, name }) => ({
            what: "Template",
            name: `${name}, ${language}`,
            address: `/dashboard/templates/${environment.id}/${id}`
          }))
        )
      : Effect.succeed([])

  return [findId, findEvent, findTrace, findPhone, findTemplate] as const
})

/** Environments that are looked through, archived projects last; an organization with more is told so. */
const mostEnvironments = 40
const longest = 256

/** Finds pages by name, and anything of the organization by id, trace id, request id, phone number or template name. */
export const SearchHttp = Layer.unwrap(
  Effect.gen(function* () {
    const finders = yield* makeFinders

    const look = (environment: EnvironmentEntry, typed: string) =>
      Effect.map(
        Effect.forEach(finders, (find) => find(environment, typed)),
        (hits) => hits.flat().map((hit) => ({ hit, environment }))
      )

    return page({
      operation: "search",
      path: "/dashboard/search",
      handler: Effect.fnUntraced(function* (visit) {
        const typed = (asked(visit.request, "q") ?? "").trim().slice(0, longest)
        const all = yield* visit.environments
        const searched = all.toSorted((a, b) => Number(a.project_archived) - Number(b.project_archived))
        const hits =
          typed === ""
            ? []
            : (yield* Effect.forEach(searched.slice(0, mostEnvironments), (one) => look(one, typed), {
                concurrency: 4
              })).flat()
        const pages = typed === "" ? [] : pagesNamed(typed)
        return {
          title: "Search",
          body: html`${typed === "" ? hint : results(typed, hits, pages)}
${all.length > mostEnvironments && html`<p class="muted">Looked through ${mostEnvironments} of ${all.length} environments.</p>`}`
        }
      })
    })
  })
)

interface Found {
  readonly hit: Hit
  readonly environment: EnvironmentEntry
}

const results = (typed: string, hits: ReadonlyArray<Found>, pages: ReadonlyArray<Omit<Hit, "what">>): Html =>
  html`<p>Looked for <code class="given">${typed}</code>.</p>
${table(
  "What was found",
  ["Name", "Kind", "Environment"],
  [
    ...hits.map(({ environment, hit }) => [
      given(html`<a href="${hit.address}" data-hit="${hit.what}">${hit.name}</a>`),
      hit.what,
      environmentName(environment)
    ]),
    ...pages.map(({ address, name }) => [html`<a href="${address}">${name}</a>`, "Page", "of the dashboard"])
  ],
  html`Nothing of this organization has this id, phone number or name. ${hint}`
)}`

const hint = html`<span>Type the id of anything that has a page, such as a message, request, payment, number, order or event; a trace id; a phone number; the whole name of a template; or the name of a page.</span>`
