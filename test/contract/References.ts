import { bodySchema, type DescribedOperation, description, operations } from "./Described.ts"
import { type JsonSchema, resolved } from "./JsonSchema.ts"
import { examples, type Things } from "./Stage.ts"

/** An id in a body or query, and what a caller is told who may not know the thing it names. */
export interface Reference {
  readonly operationId: string
  /** Where the id stands, as `error.param` would name it. */
  readonly at: string
  readonly thing: keyof Things
  /** Asked for by production keys; by sandbox keys otherwise. */
  readonly production?: boolean
  readonly status: number
  readonly code?: string
  readonly param?: string
  /** The request with this id, by a caller who has these things. */
  readonly request: (
    value: string,
    mine: Things
  ) => { readonly body?: object; readonly query?: Readonly<Record<string, string>> }
}

const bodyOf = (operationId: string, mine: Things) =>
  examples({ phone_number_id: mine.phone_number_id, environment: "sandbox" })[operationId] ?? {}

const ofQuery =
  (name: string, more: Readonly<Record<string, string>> = {}) =>
  (value: string) => ({ query: { ...more, [name]: value } })

export const references: ReadonlyArray<Reference> = [
  {
    operationId: "agentic.payments.create",
    at: "authorization_id",
    thing: "authorization_id",
    status: 404,
    code: "agentic_authorization_not_found",
    request: (authorization_id) => ({ body: { authorization_id, amount_brl_centavos: 12_550 } })
  },
  {
    operationId: "billing.packages.purchase",
    at: "payment_method_id",
    thing: "payment_method_id",
    status: 404,
    code: "payment_method_not_found",
    request: (payment_method_id) => ({ body: { package_code: "pack_1k", payment_method_id } })
  },
  {
    operationId: "billing.autoTopup.set",
    at: "payment_method_id",
    thing: "payment_method_id",
    status: 404,
    code: "payment_method_not_found",
    request: (payment_method_id) => ({
      body: { enabled: true, threshold_brl: "50.00", amount_brl: "200.00", payment_method_id }
    })
  },
  {
    operationId: "apiKeys.create",
    at: "project_id",
    thing: "project_id",
    status: 404,
    code: "project_not_found",
    request: (project_id, mine) => ({ body: { ...bodyOf("apiKeys.create", mine), project_id } })
  },
  {
    operationId: "messages.send",
    at: "sender.id",
    thing: "phone_number_id",
    status: 404,
    code: "phone_number_not_found",
    param: "sender.id",
    request: (id, mine) => ({
      body: { ...bodyOf("messages.send", mine), sender: { type: "chatapp_phone_number", id } }
    })
  },
  {
    operationId: "messages.send",
    at: "reply_to.message_id",
    thing: "message_id",
    status: 404,
    code: "message_not_found",
    param: "reply_to.message_id",
    request: (message_id, mine) => ({ body: { ...bodyOf("messages.send", mine), reply_to: { message_id } } })
  },
  {
    operationId: "messages.send",
    at: "message.reaction.message_id",
    thing: "message_id",
    status: 404,
    code: "message_not_found",
    param: "message.reaction.message_id",
    request: (message_id, mine) => ({
      body: {
        ...bodyOf("messages.send", mine),
        message: { type: "reaction", reaction: { message_id, emoji: "👍" } }
      }
    })
  },
  {
    operationId: "batches.create",
    at: "sender.id",
    thing: "phone_number_id",
    status: 404,
    code: "phone_number_not_found",
    param: "sender.id",
    request: (id, mine) => ({
      body: { ...bodyOf("batches.create", mine), sender: { type: "chatapp_phone_number", id } }
    })
  },
  {
    operationId: "batches.create",
    at: "audience_id",
    thing: "audience_id",
    status: 404,
    code: "audience_not_found",
    param: "audience_id",
    request: (audience_id, mine) => ({ body: { ...bodyOf("batches.create", mine), recipients: null, audience_id } })
  },
  {
    operationId: "batches.create",
    at: "audience.contact_ids",
    thing: "contact_id",
    status: 404,
    code: "contact_not_found",
    param: "audience.contact_ids.0",
    request: (contact_id, mine) => ({
      body: { ...bodyOf("batches.create", mine), recipients: null, audience: { contact_ids: [contact_id] } }
    })
  },
  {
    operationId: "sandbox.simulateInbound",
    at: "to",
    thing: "phone_number_id",
    status: 404,
    code: "phone_number_not_found",
    param: "to",
    request: (to, mine) => ({ body: { ...bodyOf("sandbox.simulateInbound", mine), to } })
  },
  {
    operationId: "webhooks.events.bulkResend",
    at: "webhook_event_ids",
    thing: "webhook_event_id",
    status: 202,
    request: (id) => ({ body: { webhook_event_ids: [id] } })
  },
  {
    operationId: "webhooks.events.list",
    at: "webhook_endpoint_id",
    thing: "webhook_endpoint_id",
    status: 200,
    request: ofQuery("webhook_endpoint_id")
  },
  {
    operationId: "requestLogs.list",
    at: "request_id",
    thing: "request_id",
    status: 200,
    request: ofQuery("request_id")
  },
  {
    operationId: "messages.list",
    at: "sender_id",
    thing: "phone_number_id",
    status: 200,
    request: ofQuery("sender_id")
  },
  { operationId: "messages.list", at: "batch_id", thing: "message_id", status: 200, request: ofQuery("batch_id") },
  {
    operationId: "webhooks.events.listen",
    at: "webhook_endpoint_id",
    thing: "webhook_endpoint_id",
    status: 404,
    code: "webhook_endpoint_not_found",
    request: ofQuery("webhook_endpoint_id")
  },
  {
    operationId: "webhooks.events.getListened",
    at: "webhook_endpoint_id",
    thing: "webhook_endpoint_id",
    status: 404,
    code: "webhook_endpoint_not_found",
    request: ofQuery("webhook_endpoint_id")
  },
  {
    operationId: "webhooks.events.listen",
    at: "listen_session_id",
    thing: "listen_session_id",
    production: true,
    status: 404,
    code: "webhook_listen_session_not_found",
    request: ofQuery("listen_session_id")
  },
  {
    operationId: "webhooks.events.getListened",
    at: "listen_session_id",
    thing: "listen_session_id",
    production: true,
    status: 404,
    code: "webhook_listen_session_not_found",
    request: ofQuery("listen_session_id")
  }
]

/** Members that look like ids and name nothing of ours: customers, the caller's own words. */
/**
 * Where connections are made, ids are those of vendors, but for `signup_session_id`: a text that is no UUID breaks the
 * body, and the test of signups has strangers' sessions.
 */
const ofVendors = /^providerConnections\./

const notReferences = new Set([
  // An instant.
  "sandbox.clock.advance to",
  // A confirmation, compared with the caller's own project.
  "sandbox.clock.reset project_slug",
  "webhooks.endpoints.recover to",
  "payments.create customer_tax_id",
  // A catalog at the platform.
  "sandbox.simulateInbound unknown.order.catalog_id",
  "sandbox.simulateInbound context.referred_product.catalog_id",
  "sandbox.simulateInbound context.referred_product.retailer_id",
  // An advertisement at the platform, and a click on it.
  "sandbox.simulateInbound referral.source_id",
  "sandbox.simulateInbound referral.click_id",
  // What the caller says a provider's event is called.
  "sandbox.payments.setStatus provider_event_id",
  "agentic.authorizations.create bank_id",
  "agentic.authorizations.create customer_tax_id",
  "feedback.create related_error.request_id",
  "feedback.create related_error.trace_id",
  // The caller chooses it.
  "requestLogs.list trace_id",
  // The key of a stage has asked for nothing: the test of the log has strangers' keys.
  "requestLogs.list api_key_id",
  "messages.send recipient.id",
  "messages.send message.interactive.action.parameters.reference_id",
  "messages.send message.media.id",
  "messages.send message.interactive.header.media.id",
  "messages.send message.template.header_media.id",
  // Whose file it is, is found out when it is sent.
  "messages.send message.media.asset_id",
  "messages.send message.interactive.header.media.asset_id",
  "messages.send message.template.header_media.asset_id",
  "batches.create template.header_media.asset_id",
  "batches.create template.header_media.id",
  // Only an active group is found, and the example's is still being made: the statement names environment and number.
  "sandbox.simulateInbound group_id",
  // A blank one breaks the contract first: the test of groups has strangers' numbers.
  "groups.eligibility.check phone_number_id",
  "groups.create phone_number_id",
  "groups.eligibility.get phone_number_id",
  "groups.list phone_number_id",
  // The participant's id on the channel.
  "sandbox.groups.addParticipant chat_id",
  // The platform's, and not ours.
  "phoneNumbers.connect upstream_phone_number_id",
  "phoneNumbers.importNumprov upstream_phone_number_id",
  // The plan is asked for first: the test of imports has strangers' connections and numbers.
  "phoneNumbers.importNumprov provider_connection_id",
  "phoneNumbers.importNumprov provider_number_id",
  // What is repeated and where it goes come before and after the number: the test of transfers has strangers' of each.
  "phoneNumbers.transfer confirm_phone_number_id",
  "phoneNumbers.transfer target_environment_id",
  "phoneNumbers.transfer target_project_id",
  // Only a published flow is found, and the example's is a draft: the test of flow sends has strangers' flows too.
  "messages.send message.flow.action.parameters.flow_id",
  // What a customer reacts to or sends is what their app says; another environment's is not found, and nothing is told of it.
  "sandbox.simulateInbound media.asset_id",
  "sandbox.simulateInbound reaction.message_id",
  "sandbox.simulateInbound unknown.edit.message_id",
  "sandbox.simulateInbound unknown.revoke.message_id",
  "sandbox.simulateInbound context.reply_to.message_id",
  "sandbox.simulateInbound interactive.button_reply.id",
  "sandbox.simulateInbound interactive.list_reply.id",
  // The chat platform's ids of customers: any names a customer, as any phone does.
  "contacts.list user_id",
  "contacts.optIn user_id",
  "contacts.optOut user_id",
  "sandbox.simulateInbound user_id",
  // The catalog's, which is everybody's.
  "billing.plan.subscribe plan_offering_id",
  "billing.plan.change plan_offering_id",
  // The card processor's.
  "billing.paymentMethods.save cardproc_payment_method_id"
])

const idsIn = (schema: JsonSchema, path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const { properties, anyOf, allOf, oneOf } = resolved(schema, description.components.schemas)
  const inner = [...(anyOf ?? []), ...(allOf ?? []), ...(oneOf ?? [])].flatMap((one) => idsIn(one, path))
  const own = Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const here = [...path, name]
    return /(^|_)ids?$|^to$/.test(name) ? [here.join(".")] : idsIn(member, here)
  })
  return [...new Set([...own, ...inner])]
}

const idsOf = (one: DescribedOperation): ReadonlyArray<string> => {
  const body = bodySchema(one)
  const query = one.parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name)
  return [...(body === undefined ? [] : idsIn(body, [])), ...query.filter((name) => /_id$/.test(name))]
}

/** Every id that the description takes in a body or query, as `operation place`. */
export const describedReferences: ReadonlyArray<string> = operations
  .flatMap((one) => idsOf(one).map((at) => `${one.operationId} ${at}`))
  .filter((one) => !notReferences.has(one) && !ofVendors.test(one))
