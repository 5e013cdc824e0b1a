import type { CallLog } from "./CallLog.ts"
import type { Fault, Faults } from "./Faults.ts"
import { jsonOf, ok, type RouteList, recordOf, type SimulatedAnswer } from "./Routes.ts"

/** Makes the refusal of a control route. */
export const refused = (message: string): SimulatedAnswer => ({ status: 400, body: { error: message } })

/** The routes for log and faults, which every simulator has. */
export const logAndFaults = (log: CallLog, faults: Faults): RouteList => [
  ["GET /log", ({ query }) => ok({ entries: log.read(Number(query.get("after") ?? 0), query.get("kind")) })],
  [
    "DELETE /log",
    () => {
      log.clear()
      return ok({ ok: true })
    }
  ],
  ["GET /faults", () => ok({ faults: faults.list, names: faults.names })],
  [
    "POST /faults",
    ({ body }) => {
      const { faults: list, seed } = recordOf(jsonOf(body))
      if (!Array.isArray(list)) return refused("faults: expected a list of {name, ...}")
      const unknown = faults.set(list as ReadonlyArray<Fault>, typeof seed === "number" ? seed : undefined)
      return unknown.length === 0 ? ok({ faults: faults.list }) : refused(`no such fault: ${unknown.join(", ")}`)
    }
  ]
]
