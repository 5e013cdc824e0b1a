import type { CallerWithin } from "@carteiro/http-edge/TypedCalls.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { Message } from "@carteiro/schema/messages/Message.ts"
import type { ShownMessage } from "@carteiro/schema/messages/MessageLookupsApi.ts"
import type { MessageStatus } from "@carteiro/schema/messages/Vocabulary.ts"
import { isValidPhone } from "@carteiro/spellings/Phone.ts"
import { Effect } from "effect"
import { customerPiece, makeCustomerNames } from "../kit/CustomerNames.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, statusWord } from "../kit/Language.ts"
import { badge, moment, none, personText, type Table, type Tone, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"

/** How good or bad it is where a message stands. */
export const messageTones: Readonly<Record<MessageStatus, Tone>> = {
  queued: "plain",
  sending: "info",
  sent: "info",
  delivered: "good",
  read: "good",
  failed: "bad",
  cancelled: "warn",
  received: "good"
}

/** Where a message stands. */
export const messageBadge = (status: MessageStatus): Html => badge(statusWord("message", status), messageTones[status])

/**
 * Returns the customer's side of a message, as its channel writes it: of one who hides the phone the username, else the
 * platform's id.
 */
export const customerOf = ({ direction, recipient, sender }: Message): string =>
  direction === "inbound" ? sender.id || sender.username || sender.user_id || "" : recipient.id

/** Marks a message to a phone that no country has. */
export const invalidNumber = ({ direction, recipient }: Message): Html =>
  html`${
    direction === "outbound" &&
    recipient.type === "phone_e164" &&
    recipient.id !== "" &&
    !isValidPhone(recipient.id.slice(1)) &&
    html` ${badge("no such number", "warn")}`
  }`

/**
 * Returns the body that sends a message to a customer once more; undefined for one from a customer or from the phone app,
 * and once its content was erased.
 */
export const sendBody = ({ content, message }: ShownMessage) => {
  const { channel, direction, metadata, recipient, sender, source } = message
  if (content === null || direction === "inbound" || source !== undefined) return undefined
  const from = { type: sender.type, id: sender.id }
  return { channel, sender: from, recipient, message: content, ...(metadata !== null && { metadata }) }
}

/** A message of a list, with the name of its customer where one is known. */
export interface ListedMessage extends ShownMessage {
  readonly customer_name?: string | undefined
}

/** Returns what gives messages of a list the names of their customers. */
export const makeNamedMessages = Effect.map(
  makeCustomerNames,
  (namesOf) =>
    (caller: CallerWithin, rows: ReadonlyArray<ShownMessage>): Effect.Effect<ReadonlyArray<ListedMessage>, ApiError> =>
      Effect.map(
        namesOf(
          caller,
          rows.map(({ message }) => customerOf(message))
        ),
        (names) =>
          rows.map((row) => ({
            ...row,
            customer_name: names.get(customerOf(row.message)) ?? row.message.sender.profile_name ?? undefined
          }))
      )
)

/** Messages of an environment, each leading to its page. */
export const messageTable = (environmentId: string, rows: ReadonlyArray<ListedMessage>, nothing: Piece): Table =>
  table(
    "Messages, newest first",
    ["Customer", "Message", "Type", "Status", "Created"],
    rows.map(({ content, customer_name, message }) => [
      html`<a href="/dashboard/messages/${environmentId}/${message.id}">${customerPiece(phoneText(customerOf(message)) || say("withheld"), customer_name)}</a>${invalidNumber(message)}`,
      content === null ? none("erased") : personText(excerptOf(content)),
      html`${message.direction === "inbound" ? html`in, ${contractWord(message.type)}` : html`out, ${contractWord(message.type)}`}`,
      html`${messageBadge(message.status)}${message.error_code !== null && html` ${none(html`${message.error_code}`)}`}${
        message.status_reason !== null && html` ${none(contractWord(message.status_reason))}`
      }`,
      moment(message.created_at)
    ]),
    nothing
  )

/** The part of a message that fits a line. */
export const excerptOf = (content: NonNullable<ShownMessage["content"]>): string => {
  const inner = memberOf(content, content.type)
  const told =
    textAt(inner, "body") ??
    textAt(memberOf(inner, "body"), "text") ??
    textAt(inner, "caption") ??
    textAt(inner, "name") ??
    textAt(inner, "emoji") ??
    textAt(memberOf(inner, "button_reply"), "title") ??
    textAt(memberOf(inner, "list_reply"), "title") ??
    textAt(memberOf(inner, "location"), "name") ??
    textAt(memberOf(inner, "order"), "text") ??
    textAt(inner, "filename") ??
    textAt(inner, "kind") ??
    textAt(inner, "provider_type") ??
    ""
  const letters = [...told.replaceAll(/\s+/g, " ")]
  return letters.length <= excerptLetters ? letters.join("") : `${letters.slice(0, excerptLetters).join("")}…`
}

const excerptLetters = 80

/** Returns a member of a value that may be no object. */
export const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as { readonly [name: string]: unknown })[name]
    : undefined

/** Returns a member that is a text with something in it. */
export const textAt = (value: unknown, name: string): string | undefined => {
  const found = memberOf(value, name)
  return typeof found === "string" && found !== "" ? found : undefined
}
