import { createServer, type ServerResponse } from "node:http"

// A receiver of webhooks that answers 200 at once, or once it is released. It counts deliveries, and distinct pairs of
// event and path. Environment: PORT. GET /stats, POST /reset, /hold and /release.

let deliveries = 0
let firstAt: number | undefined
let lastAt = 0
let holding: Array<ServerResponse> | undefined
const pairs = new Set<string>()

const controls: Readonly<Record<string, () => unknown>> = {
  "/stats": () => ({ deliveries, distinct: pairs.size, firstAt: firstAt ?? 0, lastAt, held: holding?.length ?? 0 }),
  "/reset": () => {
    deliveries = 0
    firstAt = undefined
    pairs.clear()
  },
  "/hold": () => {
    holding ??= []
  },
  "/release": () => {
    const held = holding ?? []
    holding = undefined
    firstAt = Date.now()
    for (const response of held) response.end()
  }
}

const server = createServer((request, response) => {
  const control = controls[request.url ?? ""]
  if (control !== undefined) return response.end(JSON.stringify(control() ?? {}))
  request.resume().on("end", () => {
    lastAt = Date.now()
    firstAt ??= lastAt
    deliveries++
    pairs.add(`${request.headers["svc-webhook-id"]} ${request.url}`)
    if (holding === undefined) response.end()
    else holding.push(response)
  })
})
server.listen(Number(process.env.PORT ?? 4020), "127.0.0.1", () => process.stdout.write("ready\n"))
