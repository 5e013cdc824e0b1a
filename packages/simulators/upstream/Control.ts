import type { CallLog } from "../kit/CallLog.ts"
import { logAndFaults, refused } from "../kit/Control.ts"
import type { Faults } from "../kit/Faults.ts"
import { type Answered, type Handler, jsonOf, ok, type RouteList, recordOf } from "../kit/Routes.ts"
import type { Groups } from "./account/Groups.ts"
import { demandNames, demandsOf } from "./Demands.ts"
import { inboundMessage } from "./message/Customers.ts"
import type { Notices } from "./Notices.ts"
import type { Templates } from "./Templates.ts"
import type { SimNumber, World } from "./World.ts"

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
    ],
    [
      "POST /accounts",
      ({ body }) => {
        const { biz_account_id, codes, numbers, review, send, subscribed, token } = recordOf(jsonOf(body))
        if (typeof biz_account_id !== "string") return refused("biz_account_id: expected an account's id")
        const states = ["AVAILABLE", "LIMITED", "BLOCKED"] as const
        world.accounts.set(biz_account_id, {
          send: states.find((state) => state === send) ?? "AVAILABLE",
          codes: Array.isArray(codes) ? codes.map(Number) : [],
          review: typeof review === "string" ? review : "APPROVED"
        })
        if (subscribed === true) world.subscriptions.set(biz_account_id, null)
        if (subscribed === false) world.subscriptions.delete(biz_account_id)
        if (typeof token === "string") {
          world.tokens.set(token, new Set([...(world.tokens.get(token) ?? []), biz_account_id]))
        }
        for (const number of Array.isArray(numbers) ? numbers.map(recordOf) : []) {
          world.addNumber(String(number.id), biz_account_id, String(number.display_phone_number ?? ""))
        }
        return ok({ ok: true })
      }
    ],
    [
      "POST /demands",
      ({ body }) => {
        const { demands } = recordOf(jsonOf(body))
        const known = Array.isArray(demands) ? demandsOf(demands) : undefined
        if (known === undefined) return refused(`demands: expected a list of ${demandNames.join(", ")}`)
        world.demands = known
        return ok({ demands: [...known] })
      }
    ],
    [
      "POST /portfolios",
      ({ body }) => {
        const { biz_account_id, id, kind, grants_all } = recordOf(jsonOf(body))
        if (typeof grants_all === "boolean") world.grantsAll = grants_all
        if (biz_account_id === undefined) return ok({ grants_all: world.grantsAll })
        if (typeof biz_account_id !== "string" || typeof id !== "string") return refused("biz_account_id and id")
        world.portfolios.set(biz_account_id, { id, kind: kind === "client" ? "client" : "owned" })
        return ok({ id })
      }
    ],
    [
      "DELETE /tokens",
      ({ body }) => {
        const { token } = recordOf(jsonOf(body))
        return typeof token === "string" && world.tokens.delete(token) ? ok({ ok: true }) : refused("no such token")
      }
    ],
    [
      "POST /numbers",
      ({ body }) => {
        const { biz_account_id, display_phone_number, id, ...rest } = recordOf(jsonOf(body))
        if (typeof id !== "string" || typeof biz_account_id !== "string") return refused("id and biz_account_id")
        const number = world.addNumber(
          id,
          biz_account_id,
          String(display_phone_number ?? world.numbers.get(id)?.display_phone_number ?? "")
        )
        Object.assign(number, rest)
        return ok({ id })
      }
    ]
  ]
}
