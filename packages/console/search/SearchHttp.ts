import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { recipientKeys } from "@carteiro/spellings/RecipientKeys.ts"
import { Effect, Layer } from "effect"
import { queryParameter } from "../kit/Forms.ts"
import { html } from "../kit/Html.ts"
import type { Label } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { pagesNamed } from "../kit/Menu.ts"
import { orNothing, unlessRefused } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { page, type Visit } from "../kit/Pages.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import { makeNameFinder, talkWith } from "./NameFinder.ts"
import { type Hit, makeOrganizationFinder } from "./OrganizationFinder.ts"
import { exactHit, hint, projectsNamed, results, type ShownHit } from "./SearchParts.ts"
import { type Finder, makeThingFinder } from "./ThingFinder.ts"

/** Environments that are looked through, archived projects last; an organization with more is told so. */
const mostEnvironments = 40
const longest = 256

/** Finds pages by name, and anything of the organization by id, trace id, request id, phone number or template name. */
export const SearchHttp = Layer.unwrap(
  Effect.gen(function* () {
    const finders = yield* makeEnvironmentFinders
    const ofOrganization = yield* makeOrganizationFinder
    const findNamed = yield* makeNameFinder

    const look = (environment: EnvironmentEntry, typed: string, visit: Visit) =>
      Effect.map(
        Effect.forEach(finders, (find) => find(environment, typed, visit)),
        (hits) => hits.flat().map((hit) => ({ hit, environment }))
      )

    return page({
      operation: "search",
      path: "/dashboard/search",
      handler: Effect.fnUntraced(function* (visit) {
        const typed = (queryParameter(visit.request, "q") ?? "").trim().slice(0, longest)
        const all = yield* visit.environments
        const searched = all.toSorted((a, b) => Number(a.project_archived) - Number(b.project_archived))
        const within = searched.slice(0, mostEnvironments)
        const hits =
          typed === ""
            ? []
            : (yield* Effect.forEach(within, (one) => look(one, typed, visit), { concurrency: 4 })).flat()
        const named = typed === "" ? [] : yield* findNamed(visit, typed, within)
        const own = typed === "" ? [] : yield* ofOrganization(visit, typed)
        const pages = typed === "" ? [] : pagesNamed(typed)
        const things: ReadonlyArray<ShownHit> = [
          ...own.map((hit) => ({ hit })),
          ...hits,
          ...named,
          ...projectsNamed(typed, all)
        ]
        const exact = queryParameter(visit.request, "open") === undefined ? undefined : exactHit(things)
        if (exact !== undefined) return { to: exact.address }
        return {
          title: "Search",
          searched: typed,
          body: html`${typed === "" ? hint : results(typed, things, pages)}
${all.length > mostEnvironments && html`<p class="muted">Looked through ${mostEnvironments} of ${all.length} environments.</p>`}`
        }
      })
    })
  })
)

/** Requests of one environment that a search shows. */
const most = 5
/** Returns what finds things by id, trace id and phone number; each read is of one environment. */
const makeEnvironmentFinders = Effect.gen(function* () {
  const findThing = yield* makeThingFinder
  const findPlaced = yield* makePlacedFinder
  const findPart = yield* makePartFinder
  const findId: Finder = (environment, id, visit) =>
    Effect.map(
      Effect.forEach([findThing, findPlaced, findPart], (find) => find(environment, id, visit)),
      (hits) => hits.flat()
    )
  return [findId, yield* makeEventFinder(findId), yield* makeTraceFinder, yield* makePhoneFinder]
})

/** Finds things whose page is named in another way. */
const makePlacedFinder = Effect.gen(function* () {
  const { mintedKeys, phoneOrders, webhookEndpoints, webhookEvents } = yield* Operations

  const find: Finder = Effect.fnUntraced(function* (environment, id, visit) {
    const { id: env, kind, project_id, project_name } = environment
    const caller = asVisitor(visit, environment)
    const isHere = (read: Effect.Effect<object, ApiError>) =>
      Effect.map(orNothing(read), (thing) => thing !== undefined)
    if (parseId("we", id) && (yield* isHere(webhookEndpoints.get(caller, { params: { webhook_endpoint_id: id } }))))
      return [{ what: "Webhook endpoint", name: id, address: `/dashboard/webhooks/${env}/endpoints/${id}` }]
    if (parseId("whe", id) && (yield* isHere(webhookEvents.get(caller, { params: { webhook_event_id: id } }))))
      return [{ what: "Webhook delivery", name: id, address: `/dashboard/webhooks/${env}/deliveries/${id}` }]
    if (parseId("pno", id) && (yield* isHere(phoneOrders.get(caller, { params: { order_id: id } }))))
      return [{ what: "Number order", name: id, address: `/dashboard/phone-orders/${id}` }]
    if (parseId("key", id) && (yield* isHere(mintedKeys.get(caller, { params: { api_key_id: id } }))))
      return [{ what: "API key", name: id, address: addressOf("/dashboard/api-keys", { environment: env }) }]
    if (id === env) return [{ what: "Environment", name: id, address: addressOf("/dashboard", { environment: env }) }]
    // Both environments of a project are asked; one of them answers.
    if (id === project_id && kind === "sandbox")
      return [{ what: "Project", name: project_name, address: `/dashboard/projects/${id}` }]
    return []
  })
  return find
})

/** Finds things without a page of their own, on the page of the thing that they are part of. */
const makePartFinder = Effect.gen(function* () {
  const { agentic, deliveryLog, media, mediaLookups, templateLookups } = yield* Operations

  const find: Finder = Effect.fnUntraced(function* (environment, id, visit) {
    const env = environment.id
    const caller = asVisitor(visit, environment)
    const on = (what: Label, section: string, whole: string | undefined) =>
      whole === undefined ? [] : [{ what, name: id, address: `/dashboard/${section}/${whole}` }]
    if (parseId("att", id)) {
      const delivery = yield* orNothing(deliveryLog.ofAttempt(caller, { params: { attempt_id: id } }))
      return on("Attempt of a delivery", `webhooks/${env}/deliveries`, delivery?.webhook_event_id)
    }
    if (parseId("wrc", id)) {
      const endpoint = yield* orNothing(deliveryLog.ofRecovery(caller, { params: { recovery_id: id } }))
      return on("Recovery of an endpoint", `webhooks/${env}/endpoints`, endpoint?.webhook_endpoint_id)
    }
    if (parseId("tplv", id)) {
      const whole = yield* orNothing(templateLookups.ofVersion(caller, { params: { template_version_id: id } }))
      return on("Version of a template", `templates/${env}`, whole?.template_id)
    }
    if (parseId("agp", id)) {
      const payment = yield* orNothing(agentic.getPayment(caller, { params: { payment_id: id } }))
      return on("Agentic payment", `agentic-authorizations/${env}`, payment?.authorization_id)
    }
    const at = (file: string) => addressOf("/dashboard/media", { environment: env, file })
    if (parseId("mda", id)) {
      const file = yield* orNothing(media.get(caller, { params: { asset_id: id } }))
      return file === undefined ? [] : [{ what: "File", name: id, address: at(id) }]
    }
    if (parseId("mtr", id)) {
      const file = yield* orNothing(mediaLookups.ofTranscription(caller, { params: { transcription_id: id } }))
      return file === undefined ? [] : [{ what: "Transcription of a file", name: id, address: at(file.asset_id) }]
    }
    return []
  })
  return find
})

/** Finds an event and the thing that it is about. */
const makeEventFinder = Effect.fnUntraced(function* (findId: Finder) {
  const { eventLog } = yield* Operations

  const find: Finder = Effect.fnUntraced(function* (environment, typed, visit) {
    if (!parseId("evt", typed)) return []
    const event = yield* orNothing(eventLog.get(asVisitor(visit, environment), { params: { event_id: typed } }))
    if (event === undefined) return []
    const [about] = yield* findId(environment, event.source_id, visit)
    const own = `/dashboard/events/${environment.id}/${typed}`
    const what = html`Event of ${about?.name ?? event.source_id}`
    return [{ what, name: event.type, address: own }, ...(about === undefined ? [] : [about])]
  })
  return find
})

const traceId = /^[0-9a-f]{32}$/u

const makeTraceFinder = Effect.gen(function* () {
  const { requestLogs } = yield* Operations

  const find: Finder = Effect.fnUntraced(function* (environment, typed, visit) {
    if (!traceId.test(typed)) return []
    const query = { trace_id: typed, limit: String(most) }
    const { data } = yield* requestLogs.list(asVisitor(visit, environment), { query })
    return data.map(({ id, method, route }) => ({
      what: "Request of this trace",
      name: `${method} ${route}`,
      address: `/dashboard/request-logs/${environment.id}/${id}`
    }))
  })
  return find
})

/** Finds the contact of a phone number, the last message with it, and the conversation. */
const makePhoneFinder = Effect.gen(function* () {
  const { contacts, messageLookups } = yield* Operations

  const find: Finder = Effect.fnUntraced(function* (environment, typed, visit) {
    const { default_region, id: env } = environment
    const [key] = recipientKeys(typed, default_region)
    if (key === undefined) return []
    const phone = isUserId(key) ? key : `+${key}`
    const caller = asVisitor(visit, environment)
    const query = { phone, limit: "1" }
    const known = yield* unlessRefused<Pick<Effect.Success<ReturnType<typeof contacts.list>>, "data">>(
      contacts.list(caller, { query }),
      { data: [] }
    )
    const { data: rows } = yield* unlessRefused<{ readonly data: ReadonlyArray<ShownMessage> }>(
      messageLookups.list(caller, { query: { talk_with: phone, limit: "1" } }),
      { data: [] }
    )
    const hits: ReadonlyArray<Hit> = [
      ...known.data.map(({ id }) => ({
        what: "Contact" as const,
        isCustomer: true,
        name: readablePhone(phone).text,
        address: `/dashboard/contacts/${env}/${id}`
      })),
      ...rows.map(({ message }) => ({
        what: "Last message with this phone" as const,
        name: message.id,
        address: `/dashboard/messages/${env}/${message.id}`
      })),
      // A customer who never wrote has no contact: the conversation is what is looked for.
      ...(rows.length === 0 ? [] : [{ ...talkWith(environment, phone), isCustomer: known.data.length === 0 }])
    ]
    return hits
  })
  return find
})
