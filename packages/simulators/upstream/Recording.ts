import type { CallLog } from "../kit/CallLog.ts"
import { type Call, jsonOf, type RouteList, type SimulatedAnswer } from "../kit/Routes.ts"
import type { World } from "./World.ts"

/** Wraps routes so that the log has each call with its answer while the world records. U-SIM-02 */
export const recorded = (world: World, log: CallLog, routes: RouteList): RouteList =>
  routes.map(([pattern, handle]) => [
    pattern,
    (call) => {
      const answer = handle(call)
      if (!world.records) return answer
      if (!(answer instanceof Promise)) return note(log, call, answer)
      return answer.then((ended) => note(log, call, ended))
    }
  ])

const note = (log: CallLog, { body, headers, method, path, query }: Call, answer: SimulatedAnswer | undefined) => {
  const type = String(headers["content-type"] ?? "").split(";")[0] ?? ""
  log.add("call", {
    method,
    path,
    query: String(query),
    agent: headers["user-agent"] ?? null,
    type,
    request: type === "application/json" ? (jsonOf(body) ?? null) : null,
    status: answer?.status ?? null,
    answer: Buffer.isBuffer(answer?.body) ? null : (answer?.body ?? null)
  })
  return answer
}
