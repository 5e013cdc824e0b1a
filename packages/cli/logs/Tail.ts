import type { Carteiro } from "@carteiro/sdk"
import { now, sleep } from "../shell/Clock.ts"
import type { Shell } from "../shell/Shell.ts"

export interface TailOptions {
  readonly status?: string
  readonly code?: string
  readonly method?: string
  readonly route?: string
  readonly key?: string
}

type Request = Carteiro.RequestLog

const pauseMs = 1000

/**
 * The time for which recent requests are read again, in milliseconds: each node writes its log some time after the
 * response.
 */
const againMs = 60_000

/** Shows requests from now on until it is interrupted. */
export const tail = async (shell: Shell, { code, key, method, route, status }: TailOptions): Promise<void> => {
  const client = await shell.client()
  const { signal } = shell.io
  const filters = {
    limit: 100,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(method === undefined ? {} : { method: method.toUpperCase() as "GET" }),
    ...(route === undefined ? {} : { route }),
    ...(key === undefined ? {} : { api_key_id: key })
  }
  const [newest] = (await client.requestLogs.list({ limit: 1 }, { signal })).data
  let from = (newest === undefined ? now() : Date.parse(newest.created_at)) - againMs
  let seen = new Map<string, number>()
  for (let isFirst = true; !signal.aborted; isFirst = false) {
    const found: Array<Request> = []
    const created_after = new Date(from).toISOString()
    for await (const request of client.requestLogs.list({ ...filters, created_after }, { signal })) {
      if (!seen.has(request.id)) found.push(request)
    }
    for (const request of found.reverse()) {
      seen.set(request.id, Date.parse(request.created_at))
      if (!isFirst) shell.item(request, lineOf(shell, request))
    }
    from = Math.max(from, Math.max(...seen.values()) - againMs)
    seen = new Map([...seen].filter(([, at]) => at >= from))
    if (isFirst) shell.note("Ready.")
    await sleep(pauseMs, signal)
  }
}

const lineOf = (shell: Shell, { code, created_at, duration_ms, id, method, route, status }: Request): string => {
  const time = shell.paint("dim", new Date(created_at).toTimeString().slice(0, 8))
  const colour = status >= 500 ? "red" : status >= 400 ? "yellow" : "green"
  const answer = shell.paint(colour, String(status))
  return [time, answer, method.padEnd(6), route, `${duration_ms} ms`, id, code ?? ""].join("  ").trimEnd()
}
