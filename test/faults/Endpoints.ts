import { Effect } from "effect"
import type { Client } from "./Client.ts"
import { type Ended, fields } from "./Log.ts"
import type { Receiver } from "./Receiver.ts"
import type { Seeds } from "./Seeds.ts"

/** What an outbound message announces. */
const announced = ["message.sent", "message.delivered", "message.read", "message.failed"] as const

/**
 * The endpoints of a run and what they hear of: `steady` takes every delivery, `failing` refuses all and is switched on
 * again after each trip, `switched` takes deliveries and is stopped and started by hand, `counted` refuses too and hears
 * only of what the counter makes.
 */
const subscriptions = {
  steady: announced,
  failing: announced,
  switched: announced,
  counted: ["message.received"]
} as const
export type Role = keyof typeof subscriptions
export type Endpoints = Readonly<Record<Role, string>>
export const roles = Object.keys(subscriptions) as ReadonlyArray<Role>

/** Registers the endpoints with the receiver. */
export const registerEndpoints = Effect.fnUntraced(function* (client: Client, receiver: Receiver) {
  const ids: Record<Role, string> = { steady: "", failing: "", switched: "", counted: "" }
  for (const role of roles) {
    const body = { url: `${receiver.origin}/${role}`, description: role, subscribed_events: subscriptions[role] }
    const path = "/v1/webhook-endpoints"
    const made = yield* client.call("setup", { kind: "harness", path }, { method: "POST", path, body })
    if (made.phase !== "ok") return yield* Effect.die(`no endpoint: ${made.status} ${made.text}`)
    const { id, signing_secret } = fields(made.text)
    ids[role] = String(id)
    receiver.trust(role, String(signing_secret))
  }
  receiver.answer("failing", 500)
  receiver.answer("counted", 500)
  return ids satisfies Endpoints
})

/** Switches the failing endpoint on again whenever the breaker has stopped it, and the switched one to and fro. */
export const switcher = Effect.fnUntraced(function* (
  client: Client,
  endpoints: Endpoints,
  seeds: Seeds,
  stopped: () => boolean
) {
  while (!stopped()) {
    yield* Effect.sleep(seeds.between(200, 900))
    const seen = yield* look(client, endpoints.failing)
    if (seen.phase === "ok" && fields(seen.text).status === "disabled") {
      yield* turn(client, endpoints.failing, "active")
    }
    if (seeds.chance(0.4)) yield* turn(client, endpoints.switched, seeds.pick(["active", "disabled"]))
  }
})

/** Reads an endpoint. */
export const look = (client: Client, endpoint_id: string): Effect.Effect<Ended> =>
  client.call("switcher", { kind: "look", endpoint_id }, { method: "GET", path: pathOf(endpoint_id) })

/** Switches an endpoint on or off. */
export const turn = (client: Client, endpoint_id: string, status: "active" | "disabled") =>
  client.call(
    "switcher",
    { kind: "switch", endpoint_id, status },
    { method: "PATCH", path: pathOf(endpoint_id), body: { status } }
  )

/** Where an endpoint is read and changed. */
export const pathOf = (id: string): string => `/v1/webhook-endpoints/${id}`
