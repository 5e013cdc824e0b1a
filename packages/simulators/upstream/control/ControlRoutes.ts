import type { CallLog } from "../../kit/CallLog.ts"
import { logAndFaults, refused } from "../../kit/Control.ts"
import type { Faults } from "../../kit/Faults.ts"
import { type Answered, type Handler, jsonOf, ok, type RouteList, recordOf } from "../../kit/Routes.ts"
import type { Groups } from "../account/Groups.ts"
import { inboundMessage } from "../message/Customers.ts"
import type { Notices } from "../Notices.ts"
import type { Templates } from "../Templates.ts"
import type { SimNumber, World } from "../World.ts"
import { setupRoutes } from "./SetupRoutes.ts"

interface Controlled {
  readonly world: World
  readonly log: CallLog
  readonly faults: Faults
  readonly notices: Notices
  readonly templates: Templates
  readonly groups: Groups
}

/** The control routes, which the product never calls: see `README.md`. */
export const controlRoutes = ({ faults, groups, log, notices, templates, world }: Controlled): RouteList => {
  const numberOf = (id: unknown): SimNumber | undefined =>
    typeof id === "string" ? world.numbers.get(id) : world.numbers.values().next().value

  const ofNumber =
    (handle: (number: SimNumber, body: Readonly<Record<string, unknown>>) => Answered): Handler =>
    (call) => {
      const body = recordOf(jsonOf(call.body))
      const number = numberOf(body.phone_number_id)
      return number === undefined ? refused("no such number") : handle(number, body)
    }

  return [
    ...logAndFaults(log, faults),
    ...setupRoutes(world),
    [
      "POST /subscribe",
      async ({ body }) => {
        const { url } = recordOf(jsonOf(body))
        if (typeof url !== "string") return refused("url: expected where the product listens")
        return (await notices.subscribe(url))
          ? ok({ ok: true })
          : refused("the receiver did not prove the verify token")
      }
    ],
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
      "POST /statuses",
      ofNumber((number, body) => {
        notices.status(number, body.status)
        return ok({ ok: true })
      })
    ],
    [
      "POST /changes",
      ({ body }) => {
        const { biz_account_id, field, value } = recordOf(jsonOf(body))
        if (typeof biz_account_id !== "string" || typeof field !== "string") return refused("biz_account_id and field")
        notices.change(biz_account_id, field, value)
        return ok({ ok: true })
      }
    ],
    [
      "POST /preferences",
      ofNumber((number, { from, value }) => {
        notices.preference(number, String(from ?? "").replace(/\D/g, ""), value === "resume" ? "resume" : "stop")
        return ok({ ok: true })
      })
    ],
    [
      "POST /participants",
      ({ body }) => {
        const change = recordOf(jsonOf(body))
        const group = world.groups.get(String(change.group_id))
        if (group === undefined) return refused("no such group")
        groups.participant(group, change)
        return ok({ ok: true })
      }
    ],
    [
      "POST /templates",
      ({ body }) => (templates.set(recordOf(jsonOf(body))) ? ok({ ok: true }) : refused("no template of this name"))
    ]
  ]
}
