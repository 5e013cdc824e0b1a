import { Effect } from "effect"
import { letGoOfCompiledCode } from "../boot/CompiledCode.ts"

/** Parts of a node, from the ground up: each finds most of its imports loaded. */
const parts: ReadonlyArray<() => Promise<unknown>> = [
  () => import("effect/http-api"),
  () => import("@carteiro/owners/Owner.ts"),
  () => import("@carteiro/http-edge/Listener.ts"),
  () => import("libphonenumber-js/max"),
  () => import("@carteiro/outbound/Outbound.ts"),
  () => import("@carteiro/schema/Api.ts"),
  () => import("../access/Access.ts"),
  () => import("../provider-connections/ProviderConnections.ts"),
  () => import("../webhooks/Webhooks.ts"),
  () => import("../billing/Billing.ts"),
  () => import("../media/Media.ts"),
  () => import("../messages/Messages.ts"),
  () => import("../payments/Payments.ts"),
  () => import("../phone-orders/PhoneOrders.ts"),
  () => import("../groups/Groups.ts"),
  () => import("./Adapters.ts"),
  () => import("@carteiro/console/Console.ts")
]

/**
 * Loads the node part by part. A part takes the process up to a few tenths of a second, and between two of them it
 * starts the database server and brings its schema up to date, which another core works on meanwhile.
 * After each of them, memory that only loading needs is given back.
 */
export const loadNode = Effect.gen(function* () {
  for (const load of parts) {
    yield* Effect.promise(load)
    letGoOfCompiledCode()
    yield* nextTurn
  }
  return yield* Effect.promise(() => import("./Node.ts"))
})

/** Lets the process look at its sockets and children. */
const nextTurn = Effect.callback<void>((resume) => {
  const turn = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(turn))
})
