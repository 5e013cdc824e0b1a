import { type StandAnswer, type StandRequest, vendorStand } from "../support/VendorStand.ts"

/** The answer of a bridge that keeps the protocol. */
interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape, which a flaw changes.
  readonly body: any
}

/** Another answer to the call with this number of its path than the kept one; undefined for those that the flaw leaves alone. */
export type Flaw = (request: StandRequest, kept: KeptAnswer, count: number) => StandAnswer | undefined

/** A bridge before a simulator that keeps the protocol; it breaks what the flaw says. */
export const flawedBridge = (url: string, flaw: Flaw = () => undefined) => {
  const counts = new Map<string, number>()
  return vendorStand(async (request) => {
    const { body, headers, method, path, query } = request
    const sent = ["authorization", "content-type", "idempotency-key"].flatMap((name) => {
      const value = headers[name]
      return typeof value === "string" ? [[name, value] as const] : []
    })
    const search = query.size === 0 ? "" : `?${query}`
    const answer = await fetch(`${url}${path}${search}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(body.length === 0 ? undefined : { body: new Uint8Array(body) })
    })
    const type = answer.headers.get("content-type") ?? ""
    const bytes = Buffer.from(await answer.arrayBuffer())
    const kept: KeptAnswer = {
      status: answer.status,
      headers: { "content-type": type },
      body: type.startsWith("application/json") ? JSON.parse(bytes.toString()) : bytes
    }
    const count = (counts.get(`${method} ${path}`) ?? 0) + 1
    counts.set(`${method} ${path}`, count)
    return flaw(request, kept, count) ?? kept
  })
}

/** Changes the answers to one call, whose path may end in `*`. */
export const on =
  (call: string, change: (kept: KeptAnswer, count: number, request: StandRequest) => StandAnswer | undefined): Flaw =>
  (request, kept, count) => {
    const [method, path = ""] = call.split(" ")
    const isPath = path.endsWith("*") ? request.path.startsWith(path.slice(0, -1)) : request.path === path
    return request.method === method && isPath ? change(kept, count, request) : undefined
  }

/** Changes members of an answer, or of each thing in its list. */
export const members =
  (more: (thing: KeptAnswer["body"], count: number) => object) =>
  (kept: KeptAnswer, count: number): StandAnswer => {
    const { data } = kept.body
    const changed = (thing: KeptAnswer["body"]) => ({ ...thing, ...more(thing, count) })
    return { ...kept, body: Array.isArray(data) ? { ...kept.body, data: data.map(changed) } : changed(kept.body) }
  }

/** Gives one answer, whatever the bridge would say. */
export const says = (status: number, body: unknown) => (): StandAnswer => ({ status, body })
/** Refuses for certain. */
export const refuses = (status: number, code: string) => says(status, { error: { code, message: code } })
/** Leaves the outcome open. */
export const broken = says(500, {})
/** Makes another thing at each call. */
export const anotherId = members((_, count) => ({ id: `another_${count}` }))
/** Refuses the second call of a path. */
export const secondFails =
  (status: number) =>
  (kept: KeptAnswer, count: number): StandAnswer =>
    count === 1 ? kept : refuses(status, "again")()

/** The list of a bridge that takes any key, or finds nothing. */
export const emptyList = says(200, { data: [] })
/** A list of what was not looked up. */
export const others = says(200, { data: [{ id: "o", external_id: "another", status: "active" }] })
/** The beginning of the sentence about a key that was not refused. */
export const noRefusal = "expected the refusal credentials_invalid; the answer was "

/** Flaws of a role by the promise that they break. */
export type Flaws = Readonly<Record<string, ReadonlyArray<readonly [Flaw, string]>>>

/** A search for an id that was never used finds what was not looked up. */
export const foundOthers = (path: string): Flaws[string][number] => [
  on(`GET ${path}`, others),
  "expected an empty list; the answer was "
]
