import type { CallLog } from "../../kit/CallLog.ts"
import { refused } from "../../kit/Control.ts"
import { type Handler, jsonOf, ok, type RouteList, recordOf, type SimulatedAnswer } from "../../kit/Routes.ts"
import { customerFrom, isUserId } from "../message/CustomerIds.ts"
import { contactOf, echoedMessage, inboundMessage } from "../message/Customers.ts"
import type { Notices } from "../Notices.ts"
import type { SimNumber, World } from "../World.ts"

type Body = Readonly<Record<string, unknown>>

interface Customers {
  readonly world: World
  readonly log: CallLog
  readonly notices: Notices
}

/** The control routes that act as customers, and as staff at the phone app. */
export const customerRoutes = ({ log, notices, world }: Customers): RouteList => {
  const numberOf = (id: unknown): SimNumber | undefined =>
    typeof id === "string" ? world.numbers.get(id) : world.numbers.values().next().value

  const ofNumber =
    (handle: (number: SimNumber, body: Body) => SimulatedAnswer): Handler =>
    (call) => {
      const body = recordOf(jsonOf(call.body))
      const number = numberOf(body.phone_number_id)
      return number === undefined ? refused("no such number") : handle(number, body)
    }

  return [
    [
      "POST /inbound",
      ofNumber((number, body) => {
        const made = inboundMessage(world, body)
        if (typeof made === "string") return refused(made)
        log.add("inbound", { provider_message_id: made.id, from: body.from ?? null, type: made.type })
        notices.message(number, made.message, made.contact)
        return ok({ provider_message_id: made.id })
      })
    ],
    [
      "POST /echoes",
      ofNumber((number, body) => {
        const made = echoedMessage(world, number, body)
        if (typeof made === "string") return refused(made)
        notices.about(number, "smb_message_echoes", { contacts: [made.contact], message_echoes: [made.message] })
        return ok({ provider_message_id: made.id })
      })
    ],
    [
      "POST /statuses",
      ofNumber((number, body) => {
        notices.status(number, body.status)
        return ok({ ok: true })
      })
    ],
    [
      "POST /preferences",
      ofNumber((number, body) => {
        const customer = customerFrom(world, body)
        if (typeof customer === "string") return refused(customer)
        const value = body.value === "resume" ? "resume" : "stop"
        const { phone, user_id } = customer
        const preference = {
          ...(phone === undefined ? {} : { wa_id: phone }),
          user_id,
          detail: `User requested to ${value} marketing messages`,
          category: "marketing_messages",
          value,
          timestamp: Math.floor(world.options.now() / 1000)
        }
        notices.about(number, "user_preferences", { contacts: [contactOf(customer)], user_preferences: [preference] })
        return ok({ ok: true })
      })
    ],
    [
      "POST /user-ids",
      ofNumber((number, body) => {
        const { current } = body
        if (!isUserId(current)) return refused("current: expected the new business-scoped id")
        const customer = customerFrom(world, body)
        if (typeof customer === "string") return refused(customer)
        const { phone, user_id: previous } = customer
        if (phone !== undefined) world.userIds.set(phone, current)
        const update = {
          ...(phone === undefined ? {} : { wa_id: phone }),
          detail: "User ID changed",
          user_id: { previous, current },
          timestamp: Math.floor(world.options.now() / 1000)
        }
        const contact = contactOf({ ...customer, user_id: current })
        notices.about(number, "user_id_update", { contacts: [contact], user_id_update: [update] })
        return ok({ ok: true })
      })
    ]
  ]
}
