import type { IDataObject, IExecuteFunctions } from "n8n-workflow"
import type { Carteiro } from "../../../sdk/generated/Carteiro.ts"
import { json } from "../../sdk/Client.ts"
import { sampleEvent } from "../CarteiroTrigger/SampleEvents.ts"
import { contentOf, type More, metadataOf, templateOf, variablesOf } from "./Content.ts"

/** One operation on one item. Returns the objects that become items. */
type Operation = (node: IExecuteFunctions, carteiro: Carteiro, item: number) => Promise<IDataObject[]>

const value = <T = string>(node: IExecuteFunctions, name: string, item: number, fallback?: T): T =>
  node.getNodeParameter(name, item, fallback) as T

const located = (node: IExecuteFunctions, name: string, item: number): string =>
  node.getNodeParameter(name, item, "", { extractValue: true }) as string

const moreOf = (node: IExecuteFunctions, item: number): More => value<More>(node, "more", item, {})

const keyed = ({ idempotencyKey }: More) =>
  idempotencyKey === undefined || idempotencyKey === "" ? {} : { idempotencyKey }

/** Returns the members that were filled in; n8n hands on empty texts for the others. */
const filled = (given: IDataObject): IDataObject =>
  Object.fromEntries(Object.entries(given).filter(([, each]) => each !== "" && each !== undefined))

const send: Operation = async (node, carteiro, item) => {
  const more = moreOf(node, item)
  const metadata = metadataOf(node.getNode(), more, item)
  const sent = await carteiro.messages.send(
    {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: located(node, "from", item) },
      recipient: { type: "phone_e164", id: value(node, "to", item) },
      message: await contentOf(node, carteiro, item, more),
      ...(more.replyTo ? { reply_to: { message_id: more.replyTo } } : {}),
      ...(metadata === undefined ? {} : { metadata })
    },
    keyed(more)
  )
  return [json(sent)]
}

const changeConsent =
  (change: "optIn" | "optOut"): Operation =>
  async (node, carteiro, item) => {
    const { reason, source, ...more } = moreOf(node, item)
    const body = { phone: value(node, "phone", item), ...filled({ reason, source }) }
    return [json(await carteiro.contacts[change](body, keyed(more)))]
  }

/** Most recipients of one batch. */
const mostRecipients = 10_000

const runBatch: Operation = async (node, carteiro) => {
  const more = moreOf(node, 0)
  const facts = {
    sender: { type: "chatapp_phone_number", id: located(node, "from", 0) } as const,
    template: templateOf(value(node, "template", 0)),
    ...(more.name ? { name: more.name } : {}),
    ...(more.scheduledAt ? { scheduled_at: new Date(more.scheduledAt).toISOString() } : {})
  }
  if (value(node, "recipients", 0) === "audience") {
    return [json(await carteiro.batches.create({ ...facts, audience_id: value(node, "audienceId", 0) }, keyed(more)))]
  }
  const recipients = node.getInputData().map((_, item) => {
    const variables = variablesOf(value<IDataObject>(node, "variables", item, {}))
    return { to: value(node, "to", item), ...(variables === undefined ? {} : { variables }) }
  })
  const made: IDataObject[] = []
  for (let first = 0; first < recipients.length; first += mostRecipients) {
    const part = { ...facts, recipients: recipients.slice(first, first + mostRecipients) }
    const key = first === 0 || !more.idempotencyKey ? more.idempotencyKey : `${more.idempotencyKey} ${first}`
    made.push(json(await carteiro.batches.create(part, keyed({ ...more, idempotencyKey: key }))))
  }
  return made
}

const createPayment: Operation = async (node, carteiro, item) => {
  const more = moreOf(node, item)
  const metadata = metadataOf(node.getNode(), more, item)
  const payment = await carteiro.payments.create(
    {
      // Reais have two places; floating point may put 60.55 a little below.
      amount_brl_centavos: Math.round(value<number>(node, "amount", item) * 100),
      ...filled({ ...more, metadata, idempotencyKey: undefined })
    },
    keyed(more)
  )
  return [json(payment)]
}

const getContacts: Operation = async (node, carteiro, item) => {
  const limit = value<boolean>(node, "returnAll", item) ? Number.MAX_SAFE_INTEGER : value<number>(node, "limit", item)
  const query = { ...filled(value<IDataObject>(node, "filters", item, {})), limit: Math.min(limit, 100) }
  return (await carteiro.contacts.list(query).toArray({ limit })).map(json)
}

/** The operations by resource and name. */
export const operations: Readonly<Record<string, Operation>> = {
  "message:get": async (node, carteiro, item) => [json(await carteiro.messages.get(value(node, "messageId", item)))],
  "message:sendText": send,
  "message:sendTemplate": send,
  "message:sendMedia": send,
  "message:sendButtons": send,
  "message:sendList": send,
  "contact:getAll": getContacts,
  "contact:optIn": changeConsent("optIn"),
  "contact:optOut": changeConsent("optOut"),
  "payment:create": createPayment,
  "payment:get": async (node, carteiro, item) => [json(await carteiro.payments.get(value(node, "paymentId", item)))],
  "batch:run": runBatch,
  "batch:get": async (node, carteiro, item) => [json(await carteiro.batches.get(value(node, "batchId", item)))],
  "sandbox:getQuickstart": async (_, carteiro) => [json(await carteiro.sandbox.quickstart())],
  "sandbox:getSampleEvent": async (node, _, item) => {
    const event = sampleEvent(value(node, "eventType", item))
    return event === undefined ? [] : [event]
  },
  "sandbox:setPaymentStatus": async (node, carteiro, item) => {
    const status = value<"paid" | "failed" | "expired" | "cancelled">(node, "status", item)
    return [json(await carteiro.sandbox.payments.setStatus(value(node, "paymentId", item), { status }))]
  },
  "sandbox:writeAsCustomer": async (node, carteiro, item) => [
    json(
      await carteiro.sandbox.simulateInbound({
        channel: "chatapp",
        from: value(node, "customer", item),
        to: located(node, "number", item),
        type: "text",
        text: { body: value(node, "text", item) }
      })
    )
  ]
}

/** Operations that take all items at once. */
export const ofAllItems: ReadonlyArray<string> = ["batch:run"]
