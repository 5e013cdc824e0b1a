import type { Evidence } from "../Evidence.ts"
import { wholeStream } from "./Stream.ts"

const announcedTypes = new Set(["message.sent", "message.delivered", "message.read", "message.failed"])

/** Every announced event has one row for the endpoint that never refused, and reached it. A-WHE-24, A-SIG-02 */
export const steadyGetsEverything = (evidence: Evidence): ReadonlyArray<string> => {
  const { endpoints, received, rows } = evidence
  const reached = new Set(
    received.flatMap(({ answered, endpoint, id }) => (reachedSteady(answered, endpoint) ? [id] : []))
  )
  const own = Map.groupBy(
    rows.filter(({ endpoint_id }) => endpoint_id === endpoints.steady.id),
    ({ payload }) => payload.id
  )
  return wholeStream(evidence).flatMap(({ id, type }) => {
    if (!announcedTypes.has(type)) return []
    const made = own.get(id) ?? []
    if (made.length !== 1) return [`${id} has ${made.length} rows for the steady endpoint`]
    if (made[0]?.status !== "delivered") return [`${id} ended ${made[0]?.status} at the steady endpoint`]
    return reached.has(id) ? [] : [`${id} never arrived at the steady endpoint`]
  })
}

/** No delivery waits for ever. A-WHV-02 */
export const deliveriesEnd = ({ rows }: Evidence): ReadonlyArray<string> =>
  rows.flatMap(({ endpoint_id, id, status }) => (status === "pending" ? [`${id} still waits for ${endpoint_id}`] : []))

/** A row says delivered only when the receiver had answered 2xx to it. A-WHV-02 */
export const deliveredWasReceived = ({ endpoints, received, rows }: Evidence): ReadonlyArray<string> => {
  const names = new Map(Object.entries(endpoints).map(([role, { id }]) => [id, role]))
  const taken = new Set(received.flatMap(({ answered, endpoint, id }) => (answered < 300 ? [`${endpoint} ${id}`] : [])))
  return rows.flatMap(({ endpoint_id, id, payload, status }) =>
    status === "delivered" && !taken.has(`${names.get(endpoint_id)} ${payload.id}`)
      ? [`${id} says that ${payload.id} was delivered and the receiver never took it`]
      : []
  )
}

/** Deliveries are signed, are events of the stream, and carry the same bytes each time. A-SIG-02, A-SIG-09 */
export const deliveriesAreTrue = (evidence: Evidence): ReadonlyArray<string> => {
  const known = new Set(wholeStream(evidence).map(({ id }) => id))
  const bodies = new Map<string, string>()
  return evidence.received.flatMap(({ endpoint, id, text, verified }) => {
    if (!verified) return [`${id} arrived at ${endpoint} with a wrong signature`]
    if (!known.has(id)) return [`${id} arrived at ${endpoint} and listen does not know it`]
    const first = bodies.get(id)
    bodies.set(id, first ?? text)
    return first === undefined || first === text ? [] : [`${id} arrived with two bodies`]
  })
}

/** No message is announced to a receiver by two events of one type. M-EVT-01 */
export const receivedOnce = ({ received }: Evidence): ReadonlyArray<string> => {
  const events = new Map<string, Set<string>>()
  for (const { id, message_id, type } of received) {
    if (message_id === null) continue
    const ids = events.get(`${message_id} ${type}`) ?? new Set()
    events.set(`${message_id} ${type}`, ids.add(id))
  }
  return [...events].flatMap(([what, ids]) => (ids.size === 1 ? [] : [`${what} arrived as ${[...ids].join(", ")}`]))
}

const reachedSteady = (answered: number, endpoint: string): boolean => answered < 300 && endpoint === "steady"
