import { createClient } from "./hey-api/client/index.ts"
import {
  type Error as ApiError,
  type MessageReceivedEvent,
  messagesList,
  messagesSend,
  type SendMessage,
  type SimulateInbound,
  sandboxSimulateInbound,
  type WebhooksEndpointsGetErrors,
  type WebhooksEndpointsGetResponses,
  webhooksEndpointsCreate
} from "./hey-api/index.ts"
import type { Program } from "./Story.ts"

// Answers that several operations have in common have the types of their own operation.
export const sharedAnswers = (
  endpoint: WebhooksEndpointsGetResponses[200],
  refusals: ReadonlyArray<WebhooksEndpointsGetErrors[403 | 404 | 500]>
): string => [endpoint.url, endpoint.trace_id, ...refusals.map(({ error }) => error.code)].join(" ")

// One shape for each value of a tag: what it needs is asked for by the compiler.
export const refusedByTheCompiler: ReadonlyArray<SimulateInbound | SendMessage["recipient"]> = [
  { type: "phone_e164", id: "+5511912345678" },
  // @ts-expect-error a social user has an id
  { type: "social_user" },
  // @ts-expect-error a text comes with its text
  { channel: "chatapp", from: "+5511912345678", to: "pn", type: "text" }
]

// What a receiver does with an event: the type of its content tells which member is there.
export const textOf = ({ data }: MessageReceivedEvent): string =>
  data.content.type === "text" ? data.content.text.body : `a ${data.content.type} from ${data.sender.id}`

const explain = ({ error }: ApiError): string => {
  switch (error.code) {
    case "phone_number_not_found":
      return `no number at ${error.param}`
    case "rate_limited":
      return `wait ${error.retry_after_ms ?? 1000} ms`
    default:
      return `${error.type}: ${error.message} (${error.request_id})`
  }
}

export const run: Program["run"] = async ({ baseUrl, key, phoneNumberId }) => {
  const client = createClient({ baseUrl, auth: key })
  const { data: endpoint } = await webhooksEndpointsCreate({
    client,
    throwOnError: true,
    body: { url: "https://hooks.example.com/carteiro", subscribed_events: ["message.sent", "message.received"] }
  })
  const customer: SimulateInbound = {
    channel: "chatapp",
    from: "+5511912345678",
    to: phoneNumberId,
    type: "text",
    text: { body: "Where is my order?" }
  }
  await sandboxSimulateInbound({ client, throwOnError: true, body: customer })
  const order = (sender: string) => ({
    client,
    headers: { "idempotency-key": `order-42-${sender}` },
    body: {
      channel: "chatapp",
      sender: { type: "chatapp_phone_number", id: sender },
      recipient: { type: "phone_e164", id: "+5511912345678" },
      message: { type: "text", text: { body: "It is on its way." } },
      metadata: { order: "42" }
    } satisfies SendMessage
  })
  const sent = await messagesSend({ ...order(phoneNumberId), throwOnError: true })
  const again = await messagesSend({ ...order(phoneNumberId), throwOnError: true })
  const { data: page } = await messagesList({ client, throwOnError: true, query: { direction: "outbound", limit: 10 } })
  const { error } = await messagesSend(order("pn_00000000000000000000000000"))
  const created: string = endpoint.created_at
  return {
    endpoint: { id: endpoint.id, secret: endpoint.signing_secret, events: endpoint.subscribed_events },
    sent: { id: sent.data.id, status: sent.data.status },
    again: again.data.id,
    listed: page.data.map(({ id, provider_error, recipient }) => ({
      id,
      to: recipient.id,
      failure: provider_error?.title ?? null
    })),
    more: page.has_more || page.next_cursor !== null || Number.isNaN(Date.parse(created)),
    refused: error === undefined ? "nothing" : explain(error)
  }
}
