import createClient from "openapi-fetch"
import type { components, paths } from "./openapi-typescript.ts"
import type { Program } from "./Story.ts"

type Schemas = components["schemas"]

// Answers that several operations have in common have the types of their own operation.
type Got = paths["/v1/webhook-endpoints/{webhook_endpoint_id}"]["get"]["responses"]
export const sharedAnswers = (
  endpoint: Got[200]["content"]["application/json"],
  refusals: ReadonlyArray<Got[403 | 404 | 500]["content"]["application/json"]>
): string => [endpoint.url, endpoint.trace_id, ...refusals.map(({ error }) => error.code)].join(" ")

// One shape for each value of a tag: what it needs is asked for by the compiler.
export const refusedByTheCompiler: ReadonlyArray<Schemas["SimulateInbound"] | Schemas["SendMessage"]["recipient"]> = [
  { type: "phone_e164", id: "+5511912345678" },
  // @ts-expect-error a social user has an id
  { type: "social_user" },
  // @ts-expect-error a text comes with its text
  { channel: "chatapp", from: "+5511912345678", to: "pn", type: "text" }
]

// What a receiver does with an event: the type of its content tells which member is there.
export const textOf = ({ data }: Schemas["MessageReceivedEvent"]): string =>
  data.content.type === "text" ? data.content.text.body : `a ${data.content.type} from ${data.sender.id}`

const explain = ({ error }: Schemas["Error"]): string => {
  switch (error.code) {
    case "phone_number_not_found":
      return `no number at ${error.param}`
    case "rate_limited":
      return `wait ${error.retry_after_ms ?? 1000} ms`
    default:
      return `${error.type}: ${error.message} (${error.request_id})`
  }
}

const answered = <A>({ data, error }: { readonly data?: A; readonly error?: Schemas["Error"] }): A => {
  if (data === undefined) throw new Error(error === undefined ? "no answer" : explain(error))
  return data
}

export const run: Program["run"] = async ({ baseUrl, key, phoneNumberId }) => {
  const api = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
  const endpoint = answered(
    await api.POST("/v1/webhook-endpoints", {
      body: { url: "https://hooks.example.com/carteiro", subscribed_events: ["message.sent", "message.received"] }
    })
  )
  const customer: Schemas["SimulateInbound"] = {
    channel: "chatapp",
    from: "+5511912345678",
    to: phoneNumberId,
    type: "text",
    text: { body: "Where is my order?" }
  }
  answered(await api.POST("/v1/sandbox/inbound-messages", { body: customer }))
  const send = async (sender: string) =>
    api.POST("/v1/messages", {
      params: { header: { "idempotency-key": `order-42-${sender}` } },
      body: {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: sender },
        recipient: { type: "phone_e164", id: "+5511912345678" },
        message: { type: "text", text: { body: "It is on its way." } },
        metadata: { order: "42" }
      }
    })
  const sent = answered(await send(phoneNumberId))
  const again = answered(await send(phoneNumberId))
  const page = answered(await api.GET("/v1/messages", { params: { query: { direction: "outbound", limit: 10 } } }))
  const { error } = await send("pn_00000000000000000000000000")
  const created: string = endpoint.created_at
  return {
    endpoint: { id: endpoint.id, secret: endpoint.signing_secret, events: endpoint.subscribed_events },
    sent: { id: sent.id, status: sent.status },
    again: again.id,
    listed: page.data.map(({ id, provider_error, recipient }) => ({
      id,
      to: recipient.id,
      failure: provider_error?.title ?? null
    })),
    more: page.has_more || page.next_cursor !== null || Number.isNaN(Date.parse(created)),
    refused: error === undefined ? "nothing" : explain(error)
  }
}
