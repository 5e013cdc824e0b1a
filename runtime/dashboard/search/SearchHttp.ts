import { parseId } from "@carteiro/owners/Ids.ts"
import { phoneDigits } from "@carteiro/schema/messages/Vocabulary.ts"
import { Effect, Layer, Result } from "effect"
import { ApiKeys, type EnvironmentEntry } from "../../access/Access.ts"
import { BatchDirectory } from "../../batches/Batches.ts"
import { ContactDirectory } from "../../contacts/Contacts.ts"
import { ReportAdmin } from "../../feedback/Feedback.ts"
import { FlowDirectory } from "../../flows/Flows.ts"
import { GroupDirectory } from "../../groups/Groups.ts"
import { MediaDirectory } from "../../media/Media.ts"
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
import { type Label, type Saying, say } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { pagesNamed } from "../kit/Menu.ts"
import { page } from "../kit/Pages.ts"
import { given, table } from "../kit/Parts.ts"
import { whyNowhere } from "./IdReach.ts"
import { type Hit, makeOrganizationFinder } from "./OrganizationFinder.ts"

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
  const flows = yield* FlowDirectory
  const payments = yield* PaymentReads
  const contacts = yield* ContactDirectory
  const numbers = yield* NumberDirectory
  const groups = yield* GroupDirectory
  const connections = yield* ConnectionAdmin
  const authorizations = yield* AuthorizationReads
  const reports = yield* ReportAdmin
  const orders = yield* OrderReads
  const keys = yield* ApiKeys
  const media = yield* MediaDirectory

  const byPrefix = {
    msg: ["Message", "messages", ({ id: environment, kind }, id) => messages.find(environment, kind, id)],
    req: ["Request", "request-logs", ({ id: environment }, id) => requests.find(environment, id)],
    tpl: ["Template", "templates", ({ id: environment }, id) => templates.find(environment, id)],
    flw: ["Flow", "flows", (environment, id) => flows.find(environment, id)],
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
    Record<string, readonly [Saying, string, (environment: EnvironmentEntry, id: string) => Effect.Effect<unknown>]>
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
    return yield* findPart(environment, id)
  })

  /** Finds what has no page of its own, on the page of the thing that it is part of. */
  const findPart: Finder = Effect.fnUntraced(function* ({ id: env, kind, project_id, project_name }, id) {
    const on = (what: Label, address: string | undefined) =>
      address === undefined ? [] : [{ what, name: id, address }]
    const within = (section: string, part: string | undefined) =>
      part === undefined ? undefined : `/dashboard/${section}/${env}/${part}`
    if (parseId("att", id)) {
      return on(
        "Attempt of a delivery",
        within("webhooks", under("deliveries", yield* webhooks.eventOfAttempt(env, id)))
      )
    }
    if (parseId("wrc", id)) {
      return on(
        "Recovery of an endpoint",
        within("webhooks", under("endpoints", yield* webhooks.endpointOfRecovery(env, id)))
      )
    }
    if (parseId("tplv", id))
      return on("Version of a template", within("templates", yield* templates.ofVersion(env, id)))
    if (parseId("agp", id)) {
      const payment = yield* authorizations.payment(env, id)
      return on("Agentic payment", within("agentic-authorizations", payment?.authorization_id))
    }
    const file = parseId("mda", id) ? id : parseId("mtr", id) ? yield* media.ofTranscription(env, id) : undefined
    if (file !== undefined && (yield* media.find(env, file, 0)) !== undefined) {
      return on(
        file === id ? "File" : "Transcription of a file",
        addressOf("/dashboard/media", { environment: env, file })
      )
    }
    // Both environments of a project are asked; one of them answers.
    if (id === project_id && kind === "sandbox")
      return [{ what: "Project", name: project_name, address: `/dashboard/projects/${id}` }]
    return []
  })

  /** An event leads to its own page, and to that of the thing that it is about. */
  const findEvent: Finder = Effect.fnUntraced(function* (environment, typed) {
    const source = parseId("evt", typed) ? yield* webhooks.eventSource(environment.id, typed) : undefined
    if (source === undefined) return []
    const [about] = yield* findId(environment, source.source_id)
    const own = `/dashboard/events/${environment.id}/${typed}`
    const what = html`Event of ${about?.name ?? source.source_id}`
    return [{ what, name: source.type, address: own }, ...(about === undefined ? [] : [about])]
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
    const hits: ReadonlyArray<Hit> = [
      ...known.map(({ id }) => ({
        what: "Contact" as const,
        name: phone,
        address: `/dashboard/contacts/${environment.id}/${id}`
      })),
      ...rows.map(({ message }) => ({
        what: "Last message with this phone" as const,
        name: message.id,
        address: `/dashboard/messages/${environment.id}/${message.id}`
      })),
      ...(rows.length === 0 || environment.kind === "production"
        ? []
        : [{ what: "Chat" as const, name: phone, address: addressOf("/dashboard/chat", { ...here, customer: phone }) }])
    ]
    return hits
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

const under = (folder: string, id: string | undefined): string | undefined =>
  id === undefined ? undefined : `${folder}/${id}`

/** Environments that are looked through, archived projects last; an organization with more is told so. */
const mostEnvironments = 40
const longest = 256

/** Finds pages by name, and anything of the organization by id, trace id, request id, phone number or template name. */
export const SearchHttp = Layer.unwrap(
  Effect.gen(function* () {
    const finders = yield* makeFinders
    const ofOrganization = yield* makeOrganizationFinder

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
        const own = typed === "" ? [] : yield* ofOrganization(visit.organizationId, typed)
        const pages = typed === "" ? [] : pagesNamed(typed)
        return {
          title: "Search",
          body: html`${typed === "" ? hint : results(typed, [...own.map((hit) => ({ hit })), ...hits], pages)}
${all.length > mostEnvironments && html`<p class="muted">Looked through ${mostEnvironments} of ${all.length} environments.</p>`}`
        }
      })
    })
  })
)

interface Found {
  readonly hit: Hit
  /** Undefined for a thing of the whole organization. */
  readonly environment?: EnvironmentEntry
}

const results = (typed: string, hits: ReadonlyArray<Found>, pages: ReturnType<typeof pagesNamed>): Html =>
  html`<p>Looked for <code class="given">${typed}</code>.</p>
${table(
  "What was found",
  ["Name", "Kind", "Environment"],
  [
    ...hits.map(({ environment, hit }) => [
      given(html`<a href="${hit.address}" data-hit="${say(hit.what)}">${hit.name}</a>`),
      say(hit.what),
      environment === undefined ? say("of the organization") : environmentName(environment)
    ]),
    ...pages.map(({ address, name }) => [
      html`<a href="${address}">${say(name)}</a>`,
      say("Page"),
      say("of the dashboard")
    ])
  ],
  html`Nothing of this organization has this id, phone number or name. ${reasonOf(typed)}`
)}`

const reasonOf = (typed: string): Html => {
  const why = whyNowhere(typed)
  return why === undefined ? hint : say(why)
}

const hint = html`<span>Type the id of anything that has a page, such as a message, request, payment, number, order or event; a trace id; a phone number; the whole name of a template; or the name of a page.</span>`
