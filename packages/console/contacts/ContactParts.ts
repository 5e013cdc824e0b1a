import { type ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import { readablePhone } from "@carteiro/spellings/Phone.ts"
import { field } from "../kit/Forms.ts"
import { type Html, html } from "../kit/Html.ts"
import { icon } from "../kit/Icons.ts"
import { type Saying, say } from "../kit/Language.ts"
import { addressOf } from "../kit/Lists.ts"
import { badge, input, personText, type Tone } from "../kit/Parts.ts"

const tones: Readonly<Record<OptInStatus, readonly [text: Saying, tone: Tone]>> = {
  opted_in: ["opted in", "good"],
  opted_out: ["opted out", "bad"],
  none: ["not opted in or out", "plain"]
}

/** The choices of a filter by consent, in the words of the badges. */
export const consentChoices = OptInStatus.literals.map((status) => [status, tones[status][0]] as const)

/** The choice of a customer, and whether marketing was stopped at the provider. */
export const consentBadge = ({
  marketing_stopped,
  opt_in_status
}: Pick<ContactEntry, "opt_in_status" | "marketing_stopped">): Html =>
  html`${badge(...tones[opt_in_status])}${marketing_stopped && html` ${badge("marketing stopped", "warn")}`}`

/** Returns the phone as people write it, the username, name or id that a page calls a customer, the first that is known. */
export const calledOf = ({ id, phone, profile_name, username }: ContactEntry): string =>
  (phone && readablePhone(phone).text) || username || profile_name || id

/** Returns the member of a body that names a customer for a choice; undefined for one who hides both. */
export const consentKey = ({
  phone,
  user_id
}: Pick<ContactEntry, "phone" | "user_id">): { readonly phone: string } | { readonly user_id: string } | undefined =>
  phone ? { phone } : user_id ? { user_id } : undefined

/** Returns the way from a conversation to the question that opts its customer out, who may be no contact yet. */
export const optOutLink = (
  environmentId: string,
  customer: string,
  contact: ContactEntry | undefined
): Html | undefined => {
  if (contact === undefined && !customer.startsWith("+")) return undefined
  const to =
    contact === undefined
      ? addressOf(`/dashboard/contacts/${environmentId}/opt-out`, { phone: customer })
      : `/dashboard/contacts/${environmentId}/${contact.id}/opt-out`
  return html`<a class="button quiet opt-out" href="${to}">${icon("optOut")} <span>Opt out…</span></a>`
}

/** Where a choice came from that a person of the organization wrote down in the console. */
export const dashboardSource = "dashboard"

const sources: ReadonlyMap<string, Saying> = new Map<string, Saying>([
  ["inbound", "the customer wrote"],
  ["inbound_keyword", "the customer wrote a keyword"],
  ["api", "the API"],
  [dashboardSource, "the console"]
])

/** Returns where a choice or a contact came from: in words where the service says it, else as its author wrote it. */
export const sourcePiece = (source: string): Html => {
  const words = sources.get(source)
  return words === undefined ? personText(source) : say(words)
}

const longestReason = 500

/** The field of why a customer opts out. */
export const reasonField = (value: string): Html =>
  input({
    name: "reason",
    label: "Reason (optional)",
    value,
    hint: html`For your own records: it stands beside the choice.`,
    maxLength: longestReason
  })

/** Returns the reason that a form was sent with; empty without one. */
export const typedReason = (sent: URLSearchParams): string => field(sent, "reason").trim().slice(0, longestReason)
