import type {
  CustomerIdentity,
  IdentityNotice,
  NumberNotice,
  PreferenceNotice
} from "@carteiro/provider/ChatNotices.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Result } from "effect"
import { contactChanges } from "../../contacts/Contacts.ts"
import type { CustomerIds, KnownCustomer } from "../../customers/CustomerIds.ts"
import { readPhone } from "../message/Recipient.ts"

/** Returns a customer's phone with its match key; undefined where it is hidden or no phone. */
const phoneOf = (digits: string | null): KnownCustomer | undefined => {
  const phone = digits === null ? undefined : readPhone(digits, "from")
  return phone !== undefined && Result.isSuccess(phone)
    ? { key: phone.success.key, phone: phone.success.id }
    : undefined
}

/**
 * Learns which ids are one customer's: from changes of a phone or an id, and from reports that name a recipient by both.
 * Returns the rows of each, for a unit of its own. U-HID-03, U-HID-05, U-HID-06
 */
export const learnIdentities = Effect.fnUntraced(function* (
  notices: ReadonlyArray<NumberNotice>,
  environment_id: string,
  now: number,
  customers: CustomerIds["Service"]
) {
  const rows: Array<ReadonlyArray<Row>> = []
  const shown = (user_id: string, match_key: string) =>
    contactChanges.showId({
      environment_id,
      match_key,
      customer_type: "phone_e164",
      user_id,
      username: null,
      at: now
    })
  for (const notice of notices) {
    if (notice.kind === "identity") {
      const key = yield* customers.follow(environment_id, changeOf(notice), now)
      const { user_id } = notice.current
      if (key !== undefined && user_id !== null) rows.push([shown(user_id, key)])
    }
  }
  const paired = new Map<string, KnownCustomer>()
  for (const { phone, user_id } of notices.flatMap(namedBoth)) {
    const known = phoneOf(phone)
    if (known !== undefined && user_id !== null) paired.set(user_id, known)
  }
  const met = yield* Effect.forEach(
    paired,
    ([user_id, phone]) =>
      Effect.map(customers.meet(environment_id, { user_id, phone }, now), ({ claim, key }) =>
        claim === undefined ? [] : [claim, shown(user_id, key)]
      ),
    { concurrency: "unbounded" }
  )
  return [...rows, ...met.filter((some) => some.length > 0)]
})

const namedBoth = (notice: NumberNotice): ReadonlyArray<CustomerIdentity> => {
  switch (notice.kind) {
    case "status":
      return [notice.recipient]
    case "preference":
      return [{ phone: notice.from, user_id: notice.user_id }]
    case "inbound":
    case "echo":
    case "identity":
    case "order_payment":
      return []
  }
}

const changeOf = ({ current, previous }: IdentityNotice) => ({
  previous: { phone: phoneOf(previous.phone), user_id: previous.user_id ?? undefined },
  current: { phone: phoneOf(current.phone), user_id: current.user_id ?? undefined }
})

/** Returns the key of a customer who chose at the platform; undefined for one whom nothing names. */
export const keyOfPreference = (
  { from, user_id }: PreferenceNotice,
  environment_id: string,
  customers: CustomerIds["Service"]
): Effect.Effect<string | undefined> => {
  const phone = phoneOf(from)
  if (phone !== undefined) return Effect.succeed(phone.key)
  if (user_id === null) return Effect.succeed(undefined)
  return Effect.map(customers.find(environment_id, user_id), ({ key }) => key)
}
