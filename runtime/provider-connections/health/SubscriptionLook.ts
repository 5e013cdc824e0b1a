import type { PlatformCredentials } from "@carteiro/provider/ChatCredentials.ts"
import type { PlatformAccount } from "@carteiro/provider/ChatPlatform.ts"
import { Effect } from "effect"

/** The result of a look at an account's subscription; null when the platform does not tell. */
export type Subscription = "subscribed" | "refused" | null

/**
 * Sees that an account sends its messages and statuses here, and subscribes it again when it does not: an account that
 * was removed from the app, or connected by an earlier release, sends nothing. U-CON-02
 */
export const lookAtSubscription = Effect.fnUntraced(function* (
  credentials: PlatformCredentials,
  account: PlatformAccount
): Effect.fn.Return<Subscription> {
  const known = yield* credentials.subscription(account)
  if (known._tag === "Done" && known.value) return "subscribed"
  if (known._tag === "Failed") return null
  const made = yield* credentials.subscribe(account)
  switch (made._tag) {
    case "Done":
      return "subscribed"
    case "Refused":
      return "refused"
    case "Failed":
      return null
  }
})
