import { parseId } from "@carteiro/owners/Ids.ts"
import { OwnerClocks } from "@carteiro/owners/OwnerClocks.ts"
import { sandboxBeingEmptied } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"

/** Refuses a change of a sandbox that is being emptied, as the API does. */
export const refuseDuringReset = Effect.fnUntraced(function* (environmentId: string | undefined) {
  const clockOf = yield* OwnerClocks
  if (environmentId === undefined || clockOf === undefined || !parseId("env", environmentId)) return
  const clock = yield* clockOf(environmentId)
  if (typeof clock !== "string" && clock.resetting === true) return yield* sandboxBeingEmptied()
})
