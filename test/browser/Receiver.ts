import { createServer, type Server } from "node:http"

/**
 * Returns a receiver of what the product delivers: 200 under `/well`, 503 elsewhere. `/moody` is down or up as the last
 * request to `/moody/down` or `/moody/up` said, and tells under `/moody/taken` the ids of the events that it took, tests
 * left out.
 */
export const makeReceiver = (): Server => {
  let isUp = false
  const taken: Array<string> = []
  return createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const path = request.url ?? ""
      if (path === "/moody/up" || path === "/moody/down") {
        isUp = path === "/moody/up"
        response.end()
      } else if (path === "/moody/taken") response.end(JSON.stringify(taken))
      else if (path === "/well" || (path === "/moody" && isUp)) {
        if (path === "/moody") take(Buffer.concat(chunks).toString("utf8"))
        response.end("ok")
      } else response.writeHead(503).end("not today")
    })
  })

  function take(text: string): void {
    const event = JSON.parse(text) as { readonly id: string; readonly type: string }
    if (event.type !== "webhook.test") taken.push(event.id)
  }
}
