import { parseId } from "@carteiro/owners/Ids.ts"
import { OwnerClocks } from "@carteiro/owners/OwnerClocks.ts"
import { ServiceUnavailable } from "@carteiro/schema/conventions/SharedErrors.ts"
import { Effect } from "effect"

/** Refuses a change of a sandbox that is being emptied, as the API does. */
export const refuseDuringReset = Effect.fnUntraced(function* (environmentId: string | undefined) {
  const clockOf = yield* OwnerClocks
  if (environmentId === undefined || clockOf === undefined || !parseId("env", environmentId)) return
  const clock = yield* clockOf(environmentId)
  if (typeof clock !== "string" && clock.resetting === true)
    return yield* new ServiceUnavailable({ message: beingEmptied, retry_after_ms: 1000 })
})

const beingEmptied = "This sandbox is being emptied; ask again in a few seconds."
