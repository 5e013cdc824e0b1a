import type { InnerRequest } from "@carteiro/http-edge/Pipeline.ts"
import { type Arguments, argument } from "./ToolArguments.ts"

/** The decoded arguments of a tool. */
export type ToolValues = Readonly<Record<string, unknown>>

/** A tool that makes one call of the API with the caller's key. */
export interface ApiTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: Arguments
  /** True when it changes something. Production keys have no such tool. */
  readonly writes: boolean
  readonly request: (values: ToolValues) => InnerRequest
}

const { oneOf, optional, pairs, text, whole } = argument
const limit = optional(whole(1, 100, "Items a page; 20 when left out"))
const after = optional(text("The `next_cursor` of the page before", 1024))
const key = optional(text("Makes a repeat of the call the same call, for 24 hours; any text of your own", 255))

/** Returns the given members as a query. */
const queryOf = (given: ToolValues, names: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(names).flatMap(([name, parameter]) =>
      given[name] === undefined ? [] : [[parameter, String(given[name])]]
    )
  )

/** Returns variables by name. */
const variablesOf = (variables: unknown): unknown =>
  Object.fromEntries(
    (variables as ReadonlyArray<{ readonly name: string; readonly value: string }>).map(({ name, value }) => [
      name,
      value
    ])
  )

const segment = (given: ToolValues, name: string): string => encodeURIComponent(String(given[name]))

/**
 * The tools with which an agent builds against the API. Each is one operation of the API and decides nothing itself.
 */
export const apiTools: ReadonlyArray<ApiTool> = [
  {
    name: "get_quickstart",
    title: "Read the sandbox's quickstart",
    description:
      "The sandbox's number to send from, its templates, the kinds that a simulated customer can write, the scenarios of send_message, and the scopes that the key lacks for a first message.",
    arguments: {},
    writes: false,
    request: () => ({ method: "GET", path: "/v1/sandbox/quickstart" })
  },
  {
    name: "send_message",
    title: "Send a message",
    description:
      "Sends a text, or an approved template, from a phone number to a customer. A text needs an open service window: let the customer write first with simulate_inbound. The answer is the queued message; wait_for_event tells what becomes of it.",
    arguments: {
      phone_number_id: text("The sending number, pn_…; get_quickstart names it"),
      to: text("The customer's phone, such as +5511912345678"),
      text: optional(text("The text to send; either this or template")),
      template: optional(text("The name of an approved template")),
      language: optional(text("The template's language, such as pt_BR; that when left out")),
      variables: optional(
        pairs("Values of the template's variables by their names, which are 1, 2 and so on for POSITIONAL ones")
      ),
      scenario: optional(text("What the sandbox lets become of it, as get_quickstart lists scenarios", 100)),
      idempotency_key: key
    },
    writes: true,
    request: (values) => ({
      method: "POST",
      path: "/v1/messages",
      idempotencyKey: values.idempotency_key as string | undefined,
      body: {
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id: values.phone_number_id },
        recipient: { type: "phone_e164", id: values.to },
        ...(values.scenario === undefined ? {} : { metadata: { sandbox_scenario: values.scenario } }),
        message:
          values.template === undefined
            ? { type: "text", text: { body: values.text } }
            : {
                type: "template",
                template: {
                  name: values.template,
                  language: values.language ?? "pt_BR",
                  ...(values.variables === undefined ? {} : { variables: variablesOf(values.variables) })
                }
              }
      }
    })
  },
  {
    name: "read_message",
    title: "Read a message",
    description: "One message with its status, its events and, when it failed, the code and the provider's words.",
    arguments: { message_id: text("msg_…") },
    writes: false,
    request: (values) => ({ method: "GET", path: `/v1/messages/${segment(values, "message_id")}` })
  },
  {
    name: "list_messages",
    title: "List messages",
    description: "Messages of the environment, newest first.",
    arguments: {
      recipient: optional(text("Only messages to this phone")),
      status: optional(
        oneOf(["queued", "sending", "sent", "delivered", "read", "failed", "cancelled", "received"], "Only these")
      ),
      direction: optional(oneOf(["inbound", "outbound"], "Only these")),
      limit,
      after
    },
    writes: false,
    request: (values) => ({
      method: "GET",
      path: "/v1/messages",
      query: queryOf(values, {
        recipient: "recipient",
        status: "status",
        direction: "direction",
        limit: "limit",
        after: "starting_after"
      })
    })
  },
  {
    name: "list_templates",
    title: "List templates",
    description: "Templates of the environment with their variables and their review.",
    arguments: {
      status: optional(oneOf(["draft", "submitted", "approved", "rejected", "paused", "disabled"], "Only these")),
      name: optional(text("Only those of this name")),
      limit,
      after
    },
    writes: false,
    request: (values) => ({
      method: "GET",
      path: "/v1/templates",
      query: queryOf(values, { status: "status", name: "name", limit: "limit", after: "starting_after" })
    })
  },
  {
    name: "simulate_inbound",
    title: "Write as a customer",
    description: "Lets a customer write a text to a sandbox number, which opens the service window with them.",
    arguments: {
      phone_number_id: text("The number that is written to, pn_…"),
      from: text("The customer's phone, such as +5511912345678"),
      text: text("What they write"),
      idempotency_key: key
    },
    writes: true,
    request: (values) => ({
      method: "POST",
      path: "/v1/sandbox/inbound-messages",
      idempotencyKey: values.idempotency_key as string | undefined,
      body: {
        channel: "chatapp",
        from: values.from,
        to: values.phone_number_id,
        type: "text",
        text: { body: values.text }
      }
    })
  },
  {
    name: "wait_for_event",
    title: "Wait for an event",
    description:
      "Returns events of the environment beyond a cursor, waiting until there is one. Call it once with start_at tail before you act, keep next_cursor, then call it with that cursor after you acted. Production keys need a listen session and use webhooks instead.",
    arguments: {
      cursor: optional(text("The `next_cursor` of the call before", 1024)),
      start_at: optional(oneOf(["oldest", "tail"], "Where to begin without a cursor")),
      type: optional(text("Only events of this type, such as message.delivered", 100)),
      wait_seconds: optional(whole(0, 20, "How long to wait for the first one; 0 when left out"))
    },
    writes: false,
    request: (values) => ({
      method: "GET",
      path: "/v1/webhook-events/listen",
      query: {
        ...queryOf(values, { cursor: "cursor", start_at: "start_at", type: "event_type" }),
        wait_ms: String(Number(values.wait_seconds ?? 0) * 1000)
      }
    })
  },
  {
    name: "read_delivery",
    title: "Read the delivery of a webhook",
    description: "One webhook event with its delivery's status and every attempt: status code, failure, answer.",
    arguments: { webhook_event_id: text("whe_…") },
    writes: false,
    request: (values) => ({ method: "GET", path: `/v1/webhook-events/${segment(values, "webhook_event_id")}` })
  }
]
