import type { AccountNotice, ChatNotices, NumberNotice } from "@carteiro/provider/ChatNotices.ts"
import type { GroupNotice } from "@carteiro/provider/GroupProvider.ts"
import { parseWords } from "@carteiro/provider/VendorWords.ts"
import { listOf, memberOf } from "../UpstreamAnswers.ts"
import { accountNotice } from "./UpstreamAccount.ts"
import { groupFields, groupNotices } from "./UpstreamGroupNotices.ts"
import { identityOf, userIdOf, userIdUpdates } from "./UpstreamIdentity.ts"
import { echoNotice, inboundNotice } from "./UpstreamInbound.ts"
import { statusNotice } from "./UpstreamStatus.ts"
import { idOf, instantOf, textOf } from "./UpstreamValues.ts"

/**
 * Splits a webhook into changes of many accounts and numbers, in their order. A change without a part that is
 * understood is told to its account, which counts it. U-ACC-02, gaps-2 E "Inbound upstream webhook"
 */
export const readWebhook = (body: Uint8Array): ChatNotices => {
  const numbers = new Map<string, Array<NumberNotice>>()
  const accounts = new Map<string, Array<AccountNotice>>()
  const groups = new Map<string, Array<GroupNotice>>()
  for (const entry of listOf(memberOf(parsed(body), "entry"))) {
    const account = textOf(memberOf(entry, "id"))
    for (const change of listOf(memberOf(entry, "changes"))) {
      const field = textOf(memberOf(change, "field"))
      const value = memberOf(change, "value")
      const number = textOf(memberOf(memberOf(value, "metadata"), "phone_number_id"))
      if (field === null) continue
      const ignore = () => {
        if (account !== null) put(accounts, account, [{ kind: "other", field, value }])
      }
      if (numberFields.has(field)) {
        const notices = number === null ? [] : numberNotices(value)
        if (number !== null) put(numbers, number, notices)
        if (notices.length === 0) ignore()
      } else if (groupFields.has(field)) {
        const notices = number === null ? [] : groupNotices(value)
        // Also without a notice the body may hold an invite link: its receiver seals what concerns groups.
        if (number !== null) put(groups, number, notices)
        if (notices.length === 0) ignore()
      } else {
        // A notice about an account may come under the portfolio that owns it. U-ACC-01
        const owner = idOf(memberOf(memberOf(value, "waba_info"), "waba_id")) ?? account
        if (owner !== null) put(accounts, owner, [accountNotice(field, value, instantOf(memberOf(entry, "time")))])
      }
    }
  }
  return { numbers, accounts, groups }
}

/** The fields of webhooks about what customers and staff of a number do. */
const numberFields: ReadonlySet<string> = new Set([
  "messages",
  "user_preferences",
  "user_id_update",
  "smb_message_echoes",
  "message_echoes"
])

const numberNotices = (value: unknown): ReadonlyArray<NumberNotice> => {
  const contacts = listOf(memberOf(value, "contacts"))
  return [
    // Who a customer is comes before what they write: a phone that a message gives joins what was kept without it.
    ...listOf(memberOf(value, "messages")).map(identityOf),
    ...userIdUpdates(value),
    ...listOf(memberOf(value, "messages")).map((message) => inboundNotice(message, contacts)),
    ...listOf(memberOf(value, "message_echoes")).map(echoNotice),
    ...listOf(memberOf(value, "statuses")).map(statusNotice),
    ...listOf(memberOf(value, "user_preferences")).map(preferenceNotice)
  ].filter((notice) => notice !== undefined)
}

const preferenceNotice = (preference: unknown): NumberNotice | undefined => {
  const from = idOf(memberOf(preference, "wa_id")) ?? idOf(memberOf(preference, "from"))
  const user_id = userIdOf(memberOf(preference, "user_id"))
  const value = memberOf(preference, "value")
  if ((from === null && user_id === null) || (value !== "stop" && value !== "resume")) return undefined
  return { kind: "preference", from, user_id, value, at: instantOf(memberOf(preference, "timestamp")) }
}

const put = <A>(lists: Map<string, Array<A>>, key: string, some: ReadonlyArray<A>): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [...some])
  else list.push(...some)
}

const parsed = (body: Uint8Array): unknown => {
  try {
    return parseWords(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
