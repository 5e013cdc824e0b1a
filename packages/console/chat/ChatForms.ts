import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { hiddenCustomerType, isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { Option, Result, Schema } from "effect"
import { field } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { contractWord, type Label, say } from "../kit/Language.ts"
import { csrfField, input, select, textarea } from "../kit/Parts.ts"
import { type Talk, writeForm } from "./ChatParts.ts"

const readJson = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

const decodeSimulation = bodyDecoder(SimulateInbound, { code: InvalidMessageRequest.code, strict: false })
const decodeSend = bodyDecoder(SendMessage, { code: InvalidMessageRequest.code, strict: false })

/** Returns what the customer writes by a form, as the simulation of the API takes it, or the refusal of its route. */
export const readSimulation = (form: URLSearchParams): Result.Result<SimulateInbound, ApiError> => {
  const body = decodeSimulation(simulationOf(form))
  return isRefusal(body) ? Result.fail(body) : Result.succeed(body as SimulateInbound)
}

/** Returns what the business answers by a form, as a send of the API, or the refusal of its route. */
export const readAnswer = (
  form: URLSearchParams,
  numberId: string,
  customer: string
): Result.Result<SendMessage, ApiError> => {
  const body = decodeSend({
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: numberId },
    recipient: { type: isUserId(customer) ? hiddenCustomerType : "phone_e164", id: customer },
    message: { type: "text", text: { body: field(form, "answer") } }
  })
  return isRefusal(body) ? Result.fail(body) : Result.succeed(body as SendMessage)
}

/** Returns the sender of a simulation as a person names them: by a phone, or by the platform's id of one who hides it. */
const senderOf = (customer: string): { readonly from: string; readonly user_id?: string } =>
  isUserId(customer) ? { from: "", user_id: customer } : { from: customer }

const simulationOf = (form: URLSearchParams): unknown => {
  const type = field(form, "type")
  const common = { channel: "chatapp", ...senderOf(field(form, "from")), to: field(form, "to") } as const
  const given = (name: string): string | null => field(form, name) || null
  const reply = { id: field(form, "id"), title: field(form, "title") }
  switch (type) {
    case "text":
      return { ...common, type, text: { body: field(form, "body") } }
    case "media":
      return { ...common, type, media: { kind: field(form, "kind"), filename: given("filename") } }
    case "button_reply":
    case "list_reply":
      return { ...common, type: "interactive", interactive: { type, [type]: reply } }
    case "reaction":
      return { ...common, type, reaction: { message_id: field(form, "message_id"), emoji: field(form, "emoji") } }
    case "flow":
      return {
        ...common,
        type,
        flow: {
          name: given("name"),
          flow_token: given("flow_token"),
          response: Option.getOrUndefined(readJson(field(form, "response")))
        }
      }
    default:
      return { ...common, type, [type]: { provider_type: given("provider_type") } }
  }
}

/** Returns the line that the customer writes in, and behind it everything else that a customer can send. */
export const customerForms = (talk: Talk, shown: ReadonlyArray<ShownMessage>, draft: string): Html =>
  html`<div class="card" id="write">${writeForm(
    talk,
    "text",
    html`${input({ name: "body", label: "Write as the customer", value: draft, maxLength: 4096, required: true })}
<div class="buttons"><button class="primary">Send as the customer</button></div>`
  )}
<details><summary>File, tap, reaction, flow answer, unknown type</summary>
<div class="columns">
${writeForm(talk, "media", mediaFields)}
${writeForm(talk, "button_reply", replyFields("button", "Tap a button"))}
${writeForm(talk, "list_reply", replyFields("row", "Choose a row of a list"))}
${reactionForm(talk, shown)}
${writeForm(talk, "flow", flowFields)}
${writeForm(talk, "unsupported", typeFields("unsupported", "Send an unsupported type"))}
${writeForm(talk, "unknown", typeFields("unknown", "Send an unknown type"))}
</div></details></div>`

const kinds = ["image", "document", "audio", "video", "sticker"] as const satisfies ReadonlyArray<
  NonNullable<SimulateInbound["media"]>["kind"]
>

const mediaFields = html`${select({ name: "kind", label: "File", choices: kinds.map((kind) => [kind, contractWord(kind)] as const), chosen: "image" })}
${input({ name: "filename", label: "Name of the file (optional)", maxLength: 255 })}
<button>Send the file</button>`

const replyFields = (what: "button" | "row", button: Label): Html => html`${input({
  name: "id",
  id: `${what}-id`,
  label: what === "button" ? "Id of the button" : "Id of the row",
  plain: true,
  maxLength: 256,
  required: true
})}
${input({ name: "title", id: `${what}-title`, label: what === "button" ? "Title of the button" : "Title of the row", maxLength: 256, required: true })}
<button>${say(button)}</button>`

const reactionForm = (talk: Talk, shown: ReadonlyArray<ShownMessage>): Html | undefined => {
  const theirs = shown.filter(({ message }) => message.direction === "outbound").slice(0, 5)
  return theirs.length === 0
    ? undefined
    : writeForm(
        talk,
        "reaction",
        html`${select({
          name: "message_id",
          label: "Message of the business",
          choices: theirs.map(({ message }) => [
            message.id,
            html`${contractWord(message.type)}, ${message.created_at.slice(11, 19)}`
          ]),
          chosen: undefined
        })}
${input({ name: "emoji", label: "Emoji", value: "👍", maxLength: 16 })}
<button>React</button>`
      )
}

const flowFields = html`${input({ name: "name", label: "Name of the flow (optional)", plain: true, maxLength: 128 })}
${input({ name: "flow_token", label: "Token that it was sent with (optional)", plain: true, maxLength: 256 })}
${textarea({ name: "response", label: "Answers, a JSON object", value: '{"rating":"5"}' })}
<button>Answer the flow</button>`

const typeFields = (type: string, button: Label): Html => html`${input({
  name: "provider_type",
  id: `${type}-type`,
  label: "The provider's name of the type",
  value: type === "unknown" ? "location" : "video_note",
  plain: true,
  maxLength: 64
})}
<button>${say(button)}</button>`

/** Returns the line that the business answers in. */
export const businessForm = ({ csrf, customer, environment, number }: Talk, base: string): Html =>
  html`<details class="card" open><summary>Answer as the business</summary>
<form method="post" action="/dashboard/chat/${environment}/send">${csrfField(csrf)}<input type="hidden" name="customer" value="${customer}"><input type="hidden" name="number" value="${number}">
${input({ name: "answer", label: "Text of the business", maxLength: 4096, required: true })}
<div class="buttons"><button>Send as the business</button></div></form>
<p>Or send it as your service would, with a key of this sandbox:</p>
<pre>curl -X POST ${base}/v1/messages -H "Authorization: Bearer svc_sbx_…" -H "Content-Type: application/json" \\
  -d '${JSON.stringify({
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: number },
    recipient: { type: isUserId(customer) ? hiddenCustomerType : "phone_e164", id: customer },
    message: { type: "text", text: { body: "Hello" } }
  })}'</pre></details>`
