import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { webhooks } from "@carteiro/sdk"

/** A webhook receiver of all tenants, inside this process. */
export interface Receiver {
  readonly origin: string
  /** Answers 500 from now on when true. */
  broken: boolean
  /** Deliveries with a valid signature, repeated ones included. */
  readonly verified: () => number
  /** Requests that were refused, because the receiver was broken or the signature was wrong. */
  readonly refused: () => number
  /** Deliveries to `/<name>` are verified with this secret. */
  readonly trust: (name: string, secret: string) => void
  readonly close: () => void
}

const maxBodyBytes = 256 * 1024

/** Starts the receiver; it reports each message whose delivery it has verified. */
export const startReceiver = (delivered: (message_id: string) => void): Promise<Receiver> =>
  new Promise((resolve) => {
    const secrets = new Map<string, string>()
    let verified = 0
    let refused = 0
    const server = createServer(async (request, response) => {
      const chunks: Array<Buffer> = []
      let size = 0
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size <= maxBodyBytes) chunks.push(chunk)
      }
      const secret = secrets.get(request.url?.slice(1) ?? "")
      const status =
        receiver.broken || secret === undefined ? 500 : await accept(Buffer.concat(chunks), request.headers, secret)
      if (status !== 200) refused++
      response.writeHead(status).end()
    })
    const accept = async (body: Buffer, headers: Record<string, string | string[] | undefined>, secret: string) => {
      try {
        const event = await webhooks.verify(body, headers, secret)
        verified++
        if (event.type === "message.delivered") delivered(event.data.message_id)
        return 200
      } catch {
        return 401
      }
    }
    const receiver: Receiver = {
      origin: "",
      broken: false,
      verified: () => verified,
      refused: () => refused,
      trust: (name, secret) => secrets.set(name, secret),
      close: () => {
        server.close()
        server.closeAllConnections()
      }
    }
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resolve(Object.assign(receiver, { origin: `http://127.0.0.1:${port}` }))
    })
  })
