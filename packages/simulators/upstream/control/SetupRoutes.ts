import { refused } from "../../kit/Control.ts"
import { type Call, jsonOf, ok, type RouteList, recordOf } from "../../kit/Routes.ts"
import { demandNames, demandsOf } from "../Demands.ts"
import type { World } from "../World.ts"

/** The control routes for what the platform has: accounts, numbers, tokens, portfolios and demands. */
export const setupRoutes = (world: World): RouteList => [
  [
    "POST /accounts",
    ({ body }: Call) => {
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
    ({ body }: Call) => {
      const { demands } = recordOf(jsonOf(body))
      const known = Array.isArray(demands) ? demandsOf(demands) : undefined
      if (known === undefined) return refused(`demands: expected a list of ${demandNames.join(", ")}`)
      world.demands = known
      return ok({ demands: [...known] })
    }
  ],
  [
    "POST /recording",
    ({ body }: Call) => {
      world.records = recordOf(jsonOf(body)).on === true
      return ok({ on: world.records })
    }
  ],
  [
    "POST /portfolios",
    ({ body }: Call) => {
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
    ({ body }: Call) => {
      const { token } = recordOf(jsonOf(body))
      return typeof token === "string" && world.tokens.delete(token) ? ok({ ok: true }) : refused("no such token")
    }
  ],
  [
    "POST /numbers",
    ({ body }: Call) => {
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
