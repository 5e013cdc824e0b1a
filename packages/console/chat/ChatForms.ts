import { bodyDecoder, isRefusal } from "@carteiro/http-edge/Decoding.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { InvalidMessageRequest } from "@carteiro/schema/messages/MessageErrors.ts"
import { SendMessage } from "@carteiro/schema/messages/SendMessage.ts"
import { hiddenCustomerType, isUserId } from "@carteiro/schema/messages/Vocabulary.ts"
import { SimulateInbound } from "@carteiro/schema/sandbox/SimulateInbound.ts"
import { Option, Result, Schema } from "effect"
import { field } from "../kit/Forms.ts"
import { type ChosenTemplate, templateContent, typedValues } from "../templates/TemplateSend.ts"

const readJson = Schema.decodeOption(Schema.fromJsonString(Schema.Unknown))

const decodeSimulation = bodyDecoder(SimulateInbound, { code: InvalidMessageRequest.code, strict: false })
const decodeSend = bodyDecoder(SendMessage, { code: InvalidMessageRequest.code, strict: false })

/** Returns what the customer writes by a form, as the simulation of the API takes it, or the refusal of its route. */
export const readSimulation = (form: URLSearchParams): Result.Result<SimulateInbound, ApiError> => {
  const body = decodeSimulation(simulationOf(form))
  return isRefusal(body) ? Result.fail(body) : Result.succeed(body as SimulateInbound)
}

/**
 * Returns what the business answers by a form, as a send of the API, or the refusal of its route: a text, a file, a text with
 * buttons, a reaction, or the chosen template.
 */
export const readAnswer = (
  form: URLSearchParams,
  numberId: string,
  customer: string,
  template?: ChosenTemplate
): Result.Result<SendMessage, ApiError> => {
  const message = template === undefined ? answerOf(form) : templateContent(template, typedValues(form, template))
  const body = decodeSend({ ...addressed(numberId, customer), message })
  return isRefusal(body) ? Result.fail(body) : Result.succeed(body as SendMessage)
}

/** Returns the address of what a number sends to a customer: by phone, or by the platform's id of one who hides it. */
export const addressed = (numberId: string, customer: string) =>
  ({
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: numberId },
    recipient: { type: isUserId(customer) ? hiddenCustomerType : "phone_e164", id: customer }
  }) as const

/** Labels of the buttons that a form may send with a text. */
export const answerButtons = [0, 1, 2] as const

/** Returns the message and the emoji that a tap on a reaction names. */
const reactionOf = (form: URLSearchParams) => {
  const [message_id = "", emoji = ""] = field(form, "reaction").split(" ")
  return message_id === ""
    ? { message_id: field(form, "message_id"), emoji: field(form, "emoji") }
    : { message_id, emoji }
}

const answerOf = (form: URLSearchParams): unknown => {
  const text = field(form, "answer")
  if (form.has("reaction")) return { type: "reaction", reaction: reactionOf(form) }
  if (field(form, "type") === "media") {
    const source = field(form, "source").trim()
    const media = source.startsWith("mda_") ? { asset_id: source } : { link: source }
    return { type: "media", media: { kind: field(form, "kind"), ...media, ...(text !== "" && { caption: text }) } }
  }
  const titles = answerButtons.map((place) => field(form, `button_${place}`).trim()).filter((title) => title !== "")
  return titles.length === 0
    ? { type: "text", text: { body: text } }
    : {
        type: "interactive",
        interactive: {
          type: "button",
          body: { text },
          action: {
            buttons: titles.map((title, index) => ({ type: "reply", reply: { id: `button_${index + 1}`, title } }))
          }
        }
      }
}

/** Returns the sender of a simulation as a person names them: by a phone, or by the platform's id of one who hides it. */
const senderOf = (customer: string): { readonly from: string; readonly user_id?: string } =>
  isUserId(customer) ? { from: "", user_id: customer } : { from: customer }

const simulationOf = (form: URLSearchParams): unknown => {
  const type = form.has("reaction") ? "reaction" : field(form, "type")
  const given = (name: string): string | null => field(form, name) || null
  const common = {
    channel: "chatapp",
    ...senderOf(field(form, "from")),
    to: field(form, "to"),
    profile_name: given("profile_name")
  } as const
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
      return { ...common, type, reaction: reactionOf(form) }
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
