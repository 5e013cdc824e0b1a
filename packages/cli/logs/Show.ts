import type { Shell } from "../shell/Shell.ts"
import { fields } from "../shell/Table.ts"

/** Shows one request with the kept part of its bodies. */
export const show = async (shell: Shell, id: string): Promise<void> => {
  const request = await (await shell.client()).requestLogs.get(id)
  const { api_key_id, code, created_at, details, duration_ms, method, path, query, route, status } = request
  const text = fields({
    id: request.id,
    request: `${method} ${path ?? route}`,
    query,
    status: code === null ? status : `${status} ${code}`,
    took: `${duration_ms} ms`,
    at: created_at,
    key: api_key_id,
    from: request.source_address,
    "idempotency-key": request.idempotency_key,
    replayed: request.replayed ? "a stored answer was sent again" : null,
    trace: request.trace_id,
    details:
      details === "masked" ? "texts are not kept: the request names no customer" : details === "erased" ? details : null
  })
  shell.result(
    request,
    [text, ...bodyOf("Sent", request.request_body), ...bodyOf("Answered", request.response_body)].join("\n")
  )
}

const bodyOf = (title: string, body: unknown): ReadonlyArray<string> =>
  body === null ? [] : ["", title, JSON.stringify(body, null, 2)]
