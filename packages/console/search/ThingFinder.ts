import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { IdPrefix } from "@carteiro/schema/conventions/Ids.ts"
import { Effect } from "effect"
import type { Saying } from "../kit/Language.ts"
import { orNothing } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"
import type { Hit } from "./OrganizationFinder.ts"

/** Looks for what was typed in one environment. */
export type Finder = (
  environment: EnvironmentEntry,
  typed: string,
  visit: Visit
) => Effect.Effect<ReadonlyArray<Hit>, ApiError>

/** A kind of thing whose page is named by its section, its environment and its id, and the operation that reads it. */
type Thing = readonly [
  prefix: IdPrefix,
  what: Saying,
  section: string,
  read: (caller: CallerWithin, id: string) => Effect.Effect<object, ApiError>
]

/** Finds things whose page is named by their section, their environment and their id. */
export const makeThingFinder = Effect.map(Operations, (operations): Finder => {
  const { agentic, batches, contacts, feedback, flows, groups, messages, numprovConnections } = operations
  const { payments, phoneNumbers, providerConnections, requestLogs, templates } = operations
  const things: ReadonlyArray<Thing> = [
    ["msg", "Message", "messages", (caller, message_id) => messages.get(caller, { params: { message_id } })],
    ["req", "Request", "request-logs", (caller, request_id) => requestLogs.get(caller, { params: { request_id } })],
    ["tpl", "Template", "templates", (caller, template_id) => templates.get(caller, { params: { template_id } })],
    ["flw", "Flow", "flows", (caller, flow_id) => flows.get(caller, { params: { flow_id } })],
    ["bat", "Batch", "batches", (caller, batch_id) => batches.get(caller, { params: { batch_id } })],
    ["pay", "Payment", "payments", (caller, payment_id) => payments.get(caller, { params: { payment_id } })],
    ["con", "Contact", "contacts", (caller, contact_id) => contacts.get(caller, { params: { contact_id } })],
    [
      "pn",
      "Number",
      "phone-numbers",
      (caller, phone_number_id) => phoneNumbers.get(caller, { params: { phone_number_id } })
    ],
    ["grp", "Group", "groups", (caller, group_id) => groups.get(caller, { params: { group_id } })],
    [
      "pcn",
      "Connection",
      "connections",
      (caller, connection_id) => providerConnections.get(caller, { params: { connection_id } })
    ],
    [
      "npc",
      "Number account",
      "number-accounts",
      (caller, numprov_connection_id) => numprovConnections.get(caller, { params: { numprov_connection_id } })
    ],
    [
      "aga",
      "Agentic authorization",
      "agentic-authorizations",
      (caller, authorization_id) => agentic.getAuthorization(caller, { params: { authorization_id } })
    ],
    [
      "fbk",
      "Feedback report",
      "feedback",
      (caller, feedback_report_id) => feedback.get(caller, { params: { feedback_report_id } })
    ]
  ]

  return Effect.fnUntraced(function* (environment, typed, visit) {
    // A simulated message is told by the id that its provider would have given it.
    const id = typed.replace(/^sb_(?=msg_)/u, "")
    const [, what, section, read] = things.find(([prefix]) => parseId(prefix, id)) ?? []
    if (what === undefined || read === undefined) return []
    const thing = yield* orNothing(read(asVisitor(visit, environment), id))
    return thing === undefined ? [] : [{ what, name: id, address: `/dashboard/${section}/${environment.id}/${id}` }]
  })
})
