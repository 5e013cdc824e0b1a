import type { InventoryNumber, NumberAccount } from "@carteiro/provider/NumberProvider.ts"
import { Effect, Redacted } from "effect"

/** The provider calls for a tenant's account. */
export type TenantAccount = Pick<NumberAccount, "read" | "numbers">

/**
 * A simulated account that opens no socket: a key that begins with `invalid` is refused, one that begins with
 * `unavailable` simulates an outage, and any other key proves the account it is registered for, which always has the
 * same few numbers.
 */
export const sandboxAccount = (
  connection: { readonly id: string; readonly account_id: string },
  key: Redacted.Redacted
): TenantAccount => {
  const secret = Redacted.value(key)
  const answer = <A>(value: A) =>
    Effect.succeed(
      secret.startsWith("invalid")
        ? ({ _tag: "Refused", code: "credentials_invalid" } as const)
        : secret.startsWith("unavailable")
          ? ({ _tag: "Unknown", retry_after_ms: null } as const)
          : ({ _tag: "Done", value } as const)
    )
  return {
    read: answer({ id: connection.account_id, name: "Sandbox account" }),
    numbers: () => answer({ numbers: simulatedNumbers(connection.id), next: null })
  }
}

const kinds: ReadonlyArray<Pick<InventoryNumber, "status" | "sms">> = [
  { status: "active", sms: true },
  { status: "active", sms: true },
  { status: "active", sms: false },
  { status: "suspended", sms: true }
]

/** Returns numbers of an area code that is assigned to no region, derived from the connection's random id. */
const simulatedNumbers = (connectionId: string): ReadonlyArray<InventoryNumber> => {
  const drawn = [...connectionId].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 10_000_000, 7)
  return kinds.map((kind, n) => ({
    number_id: `num_sandbox_${n + 1}`,
    number: `+55299${String(drawn).padStart(7, "0")}${n}`,
    ...kind
  }))
}
