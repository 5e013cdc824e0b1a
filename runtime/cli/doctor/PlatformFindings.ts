import type { AccountHealth, TokenFacts } from "@carteiro/provider/ChatCredentials.ts"
import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { NumberHealth } from "@carteiro/provider/NumberHealth.ts"
import type { ProviderTemplatePage } from "@carteiro/provider/TemplateProvider.ts"
import type { HandshakeAnswer } from "../../app/Handshake.ts"
import type { InstallationNumber } from "../../provider-connections/Operator.ts"
import { attention, type Judgement, problemsOr, span, unknown, well, wrong } from "./Finding.ts"
import { refusalFinding } from "./PlatformRefusals.ts"

const weekMs = 7 * 24 * 60 * 60_000

/** Returns whether the platform knows the app by its id and secret. */
export const appFinding = (appId: string, call: ChatCall<TokenFacts>): Judgement => {
  const remedy =
    "Set CARTEIRO_UPSTREAM_APP_ID and CARTEIRO_UPSTREAM_APP_SECRET to the id and secret in the app's basic settings, on every node."
  if (call._tag !== "Done")
    return refusalFinding(`The app ${appId}`, call, call._tag === "Refused" ? remedy : undefined)
  return call.value.is_valid && call.value.app_id === appId
    ? well(`The platform knows the app ${appId} by its secret.`)
    : wrong(`The platform does not take the secret of the app ${appId}.`, remedy)
}

/** Returns what is wrong with an account's token: whose it is, how long it lasts, what it was granted. U-CON-04 */
export const tokenFinding = (
  account: string,
  { appId, bizAccountId, now }: { readonly appId: string; readonly bizAccountId: string | null; readonly now: number },
  call: ChatCall<TokenFacts>
): Judgement => {
  if (call._tag !== "Done") return refusalFinding(`The token of ${account}`, call)
  const { app_id, biz_account_ids, expires_at, is_valid } = call.value
  if (!is_valid) {
    return wrong(
      `The platform does not take the token of ${account} any more (190).`,
      "Make a new token of a system user in the platform's business settings, and rotate the connection to it."
    )
  }
  if (app_id !== appId) {
    return wrong(
      `The token of ${account} is one of the app ${app_id ?? "unknown"}, and this installation is the app ${appId}.`,
      "Make a token under this installation's app, and rotate the connection to it."
    )
  }
  if (bizAccountId !== null && biz_account_ids.length > 0 && !biz_account_ids.includes(bizAccountId)) {
    return wrong(
      `The token of ${account} was not granted this account.`,
      "Assign the account to the system user with full control, make a new token and rotate the connection to it."
    )
  }
  if (expires_at !== null && expires_at - now < weekMs) {
    return attention(
      `The token of ${account} ends in ${span(Math.max(0, expires_at - now))}.`,
      "Rotate the connection to a token of a system user, which does not end."
    )
  }
  return well(`The platform takes the token of ${account}${expires_at === null ? ", which does not end" : ""}.`)
}

/** Returns whether an account sends its messages and statuses here. U-CON-01 U-CON-02 */
export const subscriptionFinding = (account: string, call: ChatCall<boolean>): Judgement => {
  if (call._tag !== "Done") return refusalFinding(`The subscription of ${account}`, call)
  return call.value
    ? well(`The app is subscribed to ${account}.`)
    : wrong(
        `The app is not subscribed to ${account}: no inbound message and no status comes.`,
        "See that the token has whatsapp_business_management, then rotate or complete the connection, which subscribes it; the check every six hours does so too."
      )
}

/** Returns what keeps an account from sending, by the platform's own numbers. */
export const accountFindings = (account: string, call: ChatCall<AccountHealth>): ReadonlyArray<Judgement> => {
  if (call._tag !== "Done") return [refusalFinding(`The state of ${account}`, call)]
  const { capability, review_status } = call.value
  const problems: Array<Judgement> = []
  if (capability?.send_capability === "blocked") {
    const codes = capability.send_block_codes.join(", ") || "no number"
    const remedy = capability.send_block_codes.flatMap((code) => blockRemedies[code] ?? [])[0]
    problems.push(wrong(`The platform lets ${account} send nothing (${codes}).`, remedy ?? blockRemedy))
  }
  if (review_status !== null && review_status !== "APPROVED") {
    problems.push(attention(`The review of ${account} is ${review_status}.`, "Finish the review in its manager."))
  }
  return problemsOr(problems, `The platform lets ${account} send.`)
}

const blockRemedy = "Open the account in the platform's manager, which says why."
const blockRemedies: Readonly<Record<string, string>> = {
  "141006": "Add a payment method to the account in the platform's manager.",
  "141008": "Have the account verified or reactivated in the platform's manager.",
  "141011": "Give the app whatsapp_business_messaging on the account, make a new token and rotate the connection to it."
}

/** Returns whether a number is registered for the platform's API, and what keeps it from being so. U-CON-03 */
export const registrationFinding = (number: InstallationNumber, call: ChatCall<NumberHealth>): Judgement => {
  const name = `The number ${number.phone}`
  if (call._tag !== "Done") return refusalFinding(name, call)
  if (call.value.is_on_phone_app) return well(`${name} is shared with the phone app, and needs no registration.`)
  if (call.value.is_registered === true) return well(`${name} is registered.`)
  if (call.value.is_registered === null) {
    return unknown(
      `The platform does not tell whether ${number.phone} is registered.`,
      "Send it a message and look again."
    )
  }
  const state = number.registration_state ?? ""
  const [reason, remedy] = Object.hasOwn(registrations, state) ? (registrations[state] ?? notYet) : notYet
  return wrong(`${name} is not registered (sends answer 133010)${reason}.`, remedy)
}

const notYet = [
  "",
  "Wait for the check every six hours, which registers it; a rotation of the connection's token brings it at once."
] as const
const registrations: Readonly<Record<string, readonly [reason: string, remedy: string]>> = {
  pin_required: [
    ": the platform holds another PIN (133005)",
    "Let an owner enter the PIN on the number's page in the console, or switch it off in the platform's manager."
  ],
  refused: [
    ": the platform refused the registration",
    "Read the reason on the number's page in the console; the product tries again twice a day."
  ]
}

/** Returns how many people a number may write to in a day. U-LIM-01 */
export const limitFinding = (number: InstallationNumber, call: ChatCall<NumberHealth>): Judgement => {
  if (call._tag !== "Done") return refusalFinding(`The limit of ${number.phone}`, call)
  const { messaging_limit_tier, quality_rating } = call.value
  if (quality_rating === "red") {
    return attention(
      `The quality of ${number.phone} is red: the platform lowers its limit (${messaging_limit_tier ?? "not told"}).`,
      "Send less marketing and only to people who asked for it, until the quality is back."
    )
  }
  if (messaging_limit_tier === null) {
    return attention(
      `The platform tells no daily limit for ${number.phone}: 250 new recipients a day are taken for granted.`,
      "Verify the business in the platform's security centre."
    )
  }
  return messaging_limit_tier === "TIER_250"
    ? attention(
        `${number.phone} may begin conversations with 250 people a day (TIER_250).`,
        "Verify the business in the platform's security centre: that lifts it to 2000."
      )
    : well(`The daily limit of ${number.phone} is ${messaging_limit_tier}.`)
}

/** Returns whether an account's templates can be read, and whether any is approved. */
export const templatesFinding = (account: string, call: ChatCall<ProviderTemplatePage>): Judgement => {
  if (call._tag !== "Done") return refusalFinding(`The templates of ${account}`, call)
  const { next, templates } = call.value
  const approved = templates.filter(({ status }) => status === "approved").length
  if (approved > 0 || next !== undefined)
    return well(`${approved} of ${templates.length} templates of ${account} are approved.`)
  return attention(
    `No template of ${account} is approved: only people who wrote within 24 hours can be answered.`,
    "Submit a template (docs/templates.md), or wait for its review."
  )
}

/** Returns whether the platform reaches this installation's webhook address with the agreed token. */
export const webhookFinding = (address: string, answer: HandshakeAnswer): Judgement => {
  if (answer._tag === "Silent") {
    return wrong(
      `Nothing answers at ${address}: no inbound message and no status comes.`,
      "See that CARTEIRO_PUBLIC_URL is the public address, that its name and certificate are right, and that a node answers there."
    )
  }
  if (answer.isChallenge) return well(`The handshake at ${address} succeeds.`)
  return answer.status === 403
    ? wrong(
        `${address} refuses the verify token (403).`,
        "Set one CARTEIRO_UPSTREAM_WEBHOOK_VERIFY_TOKEN for every process of the installation and in the app's webhook settings, and restart the nodes."
      )
    : wrong(
        `${address} answers ${answer.status} in place of the challenge: something else answers there.`,
        "See that the proxy passes /webhooks/upstream to a node with its query, and asks for no sign-in."
      )
}
