import type { ContactEntry, OptInStatus } from "@carteiro/schema/contacts/Contact.ts"
import { type Html, html } from "../kit/Html.ts"
import type { Saying } from "../kit/Language.ts"
import { badge, type Tone } from "../kit/Parts.ts"

const tones: Readonly<Record<OptInStatus, readonly [text: Saying, tone: Tone]>> = {
  opted_in: ["opted in", "good"],
  opted_out: ["opted out", "bad"],
  none: ["no choice", "plain"]
}

/** The choice of a customer, and whether marketing was stopped at the provider. */
export const consentBadge = ({
  marketing_stopped,
  opt_in_status
}: Pick<ContactEntry, "opt_in_status" | "marketing_stopped">): Html =>
  html`${badge(...tones[opt_in_status])}${marketing_stopped && html` ${badge("marketing stopped", "warn")}`}`

/** Returns the phone, username, name or id that a page calls a customer, the first that is known. */
export const calledOf = ({ id, phone, profile_name, username }: ContactEntry): string =>
  phone || username || profile_name || id

/** Returns the member of a body that names a customer for a choice; undefined for one who hides both. */
export const consentKey = ({
  phone,
  user_id
}: Pick<ContactEntry, "phone" | "user_id">): { readonly phone: string } | { readonly user_id: string } | undefined =>
  phone ? { phone } : user_id ? { user_id } : undefined
