import type { Faults } from "../kit/Faults.ts"
import { type Landings, standardLandingMs } from "../kit/Landings.ts"
import { type Call, jsonOf, recordOf } from "../kit/Routes.ts"
import type { Struck } from "../kit/Strikes.ts"
import type { Account } from "./Accounts.ts"
import { pixError } from "./PixErrors.ts"

/** A call about a thing by the caller's id: it makes the thing, or looks it up. */
export interface NamedCall {
  readonly kind: "makes" | "finds"
  readonly operation: string
  readonly external_id: string
  /** The name of the thing among those of all accounts. */
  readonly name: string
}

/** Returns the thing that a call is about. */
export const namedCall = (operation: string, { key }: Account, call: Call, kind: NamedCall["kind"]): NamedCall => {
  const external_id = String(kind === "makes" ? recordOf(jsonOf(call.body)).external_id : call.query.get("external_id"))
  return { kind, operation, external_id, name: [operation.replace(/_lookup$/, ""), key, external_id].join("\n") }
}

/** Returns the end of a call that a fault about late creates hits; undefined otherwise. `land` carries out the call. */
export const strikeLanding = (
  landings: Landings,
  faults: Faults,
  { kind, name, operation }: NamedCall,
  call: Call,
  land: () => void
): Struck | undefined => {
  if (kind === "finds") {
    const lag = faults.hit(["lagging_lookup"], { operation })
    return lag !== undefined && landings.isYoungerThan(name, lag.value ?? standardLandingMs)
      ? { name: "lagging_lookup", answer: { status: 200, body: { data: [] } } }
      : undefined
  }
  if (landings.has(name)) {
    const code = "idempotency_key_in_use"
    return { name: code, answer: pixError(code, "a call with this external_id is under way") }
  }
  const late = faults.hit(["lands_late"], { operation })
  if (late === undefined) return undefined
  landings.later(name, late.value ?? standardLandingMs, land)
  call.response.destroy()
  return { name: "lands_late", answer: undefined }
}
