import type { ChatCall, ChatRefusal } from "@carteiro/provider/ChatProvider.ts"
import { type Judgement, unknown, wrong } from "./Finding.ts"

/** The result of a call that brought nothing. */
type Fruitless = Exclude<ChatCall<unknown>, { readonly _tag: "Done" }>

const tokenRemedy =
  "Make a new token of a system user for this account in the platform's business settings, and rotate the connection to it (connections rotate, or its page in the console)."
const permissionRemedy =
  "Give the app whatsapp_business_management and whatsapp_business_messaging, assign the account to the system user, make a new token and rotate the connection to it."

const goneRemedy =
  "See that account and number are still there at the platform and that the token was given access to them; connect the account again if they have moved."
const appealRemedy = "Read the platform's notice in its business settings and appeal there."

/** What to do about a refusal, by the platform's number. */
const remedies: Readonly<Record<number, string>> = {
  3: permissionRemedy,
  10: permissionRemedy,
  100: goneRemedy,
  190: tokenRemedy,
  200: permissionRemedy,
  368: appealRemedy,
  803: goneRemedy,
  131005: permissionRemedy,
  131031: appealRemedy,
  133010:
    "Have the number registered: the product does so at its next check; the number's page in the console tells why it could not."
}

/** The platform's numbers for too many calls: nothing is wrong, and nothing can be seen now. */
const throttles: ReadonlySet<number> = new Set([4, 17, 613, 80007, 130429])

/**
 * Returns the platform's refusal as a finding, with its number and what to do; a refused proof names the setting.
 * `subject` begins the sentence, such as `The templates of account 2001`. U-CON-05
 */
export const refusalFinding = (subject: string, call: Fruitless, remedy?: string): Judgement => {
  const { error } = call
  if (error === null || error.code === null) return silence(subject, error)
  const found = `${subject} cannot be read: the platform answers ${error.code} (${reasonOf(error)}).`
  if (throttles.has(error.code)) return unknown(found, "Wait an hour and look again: the app has made too many calls.")
  if (String(error.message).includes("appsecret_proof")) {
    return wrong(found, "Set CARTEIRO_UPSTREAM_APP_SECRET to the secret in the app's basic settings, on every node.")
  }
  return wrong(found, remedy ?? remedies[error.code] ?? otherwise)
}

const otherwise =
  "Look the number up in the platform's list of errors; look again later if it says that the failure passes."

const silence = (subject: string, error: ChatRefusal | null): Judgement => {
  const status = error === null || error.http_status === null ? "" : ` (status ${error.http_status})`
  return wrong(
    `${subject} cannot be read: the platform gave no usable answer${status}.`,
    "Look again; if it stays so, see that CARTEIRO_UPSTREAM_API_BASE_URL is right, that this machine reaches it, and what the platform's status page says."
  )
}

const reasonOf = ({ message, subcode, title }: ChatRefusal): string => {
  const reason = message ?? title ?? "no reason"
  return subcode === null ? reason : `${reason}; subcode ${subcode}`
}
