import { dayMs } from "@carteiro/schema/conventions/Timestamp.ts"
import { blockCodesOf } from "./ConnectionChoice.ts"
import { capabilitiesOf, type StoredConnection } from "./StoredConnection.ts"

/** A fault of a connection, and its remedy. */
export interface Remedy {
  readonly problem: string
  readonly remedy: string
}

const byBlock: Readonly<Record<string, Remedy>> = {
  upstream_payment_method_required: {
    problem: "The platform asks for a payment method (141006).",
    remedy: "Add a payment method to the business account at the platform."
  },
  upstream_account_inactive: {
    problem: "The business account is inactive (141008).",
    remedy: "Finish the account's verification at the platform, or have it reactivated there."
  },
  upstream_messaging_permission_missing: {
    problem: "The token may not send (141011).",
    remedy: "Give our app the messaging permission at the platform, then rotate the token."
  }
}

const refusedToken: Remedy = {
  problem: "The platform refuses the token, so nothing is sent.",
  remedy: "Have a new token minted by our app, and rotate to it; no account has to be connected again."
}

const refusedSubscription: Remedy = {
  problem: "The platform refuses to send the account's messages and statuses here.",
  remedy: "Give our app the permission to manage the account at the platform; it is tried again within six hours."
}

/** Why an account left: the platform's word for it in lower case. */
export type Departure = "partner_removed" | "partner_app_uninstalled" | "account_deleted" | "account_offboarded"

const departures: { readonly [reason in Departure]: string } = {
  partner_removed: "The owner of the account removed us as its partner at the platform.",
  partner_app_uninstalled: "The owner of the account removed our app at the platform.",
  account_deleted: "The account was deleted at the platform.",
  account_offboarded: "The account left the platform."
}

export const isDeparture = (reason: string): reason is Departure => Object.hasOwn(departures, reason)

const departed = (reason: string | null): ReadonlyArray<Remedy> =>
  reason !== null && isDeparture(reason)
    ? [{ problem: departures[reason], remedy: "Connect the account again, so that its owner consents anew." }]
    : []

const soonMs = 7 * dayMs

/**
 * Returns the faults in the order in which they must be resolved; empty when there is none. `now` in epoch
 * milliseconds.
 */
export const remediesOf = (connection: StoredConnection, now: number): ReadonlyArray<Remedy> => {
  const { biz_account_id, status, subscription_refused_at, suspension_reason, token_expires_at, token_refused_at } =
    connection
  if (status === "disconnected") return departed(suspension_reason)
  if (status === "pending" && subscription_refused_at !== null) {
    return [
      {
        problem: refusedSubscription.problem,
        remedy: "Give our app the permission to manage the account at the platform, then call complete-pending."
      }
    ]
  }
  if (status === "pending") {
    return [
      {
        problem: "It was not completed: which account it is for is not proven.",
        remedy: "Call complete-pending with the account's id, or start the signup again."
      }
    ]
  }
  const suspended: ReadonlyArray<Remedy> =
    status === "suspended"
      ? [
          {
            problem: suspension_reason === "account_banned" ? "The account is banned." : "The account is locked.",
            remedy: "Appeal at the platform; the connection is lifted by itself, or by a rotated token that is good."
          }
        ]
      : []
  const refused = token_refused_at === null ? [] : [refusedToken]
  const unsubscribed = subscription_refused_at === null ? [] : [refusedSubscription]
  return [
    ...suspended,
    ...refused,
    ...unsubscribed,
    ...expiryOf(token_expires_at, now),
    ...blocksOf(connection, biz_account_id, now)
  ]
}

const expiryOf = (expiresAt: number | null, now: number): ReadonlyArray<Remedy> => {
  if (expiresAt === null || expiresAt > now + soonMs) return []
  const problem = expiresAt <= now ? "The token has expired." : "The token expires within a week."
  return [{ problem, remedy: "Rotate the token; no send fails by that." }]
}

const blocksOf = (connection: StoredConnection, account: string | null, now: number): ReadonlyArray<Remedy> =>
  blockCodesOf(capabilitiesOf(connection), account ?? "", now).flatMap((code) => byBlock[code] ?? [])
