import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** The receiver of all endpoints of a soak, in the process of the load. */
export interface Receiver {
  readonly url: string
  /** Distinct deliveries that it has taken. */
  readonly taken: () => number
  /** Deliveries that came again after they were taken. */
  readonly repeated: () => number
  /** Messages whose last event it has taken. */
  readonly ended: () => number
  readonly hasEnded: (messageId: string) => boolean
}

const lastEvents: ReadonlySet<string> = new Set(["message.read", "message.failed"])

/** Of so many new deliveries one is refused once, so that retries are a part of the run. */
const refusesOneOf = 500

/** Starts it; it goes with the scope. */
export const startReceiver = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly receiver: Receiver; readonly close: () => void }>((resume) => {
      const taken = new Set<string>()
      const refused = new Set<string>()
      const ended = new Set<string>()
      let repeated = 0
      const take = (id: string, body: string): number => {
        if (taken.has(id)) repeated++
        else if ((taken.size + refused.size) % refusesOneOf === refusesOneOf - 1 && !refused.has(id)) {
          refused.add(id)
          return 500
        }
        taken.add(id)
        const event = JSON.parse(body) as { readonly type: string; readonly data: { readonly message_id?: string } }
        if (lastEvents.has(event.type) && event.data.message_id !== undefined) ended.add(event.data.message_id)
        return 200
      }
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const id = `${request.headers["svc-webhook-id"]} ${request.url}`
          response.writeHead(take(id, Buffer.concat(chunks).toString())).end()
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const receiver: Receiver = {
          url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
          taken: () => taken.size,
          repeated: () => repeated,
          ended: () => ended.size,
          hasEnded: (id) => ended.has(id)
        }
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ receiver, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ),
  ({ receiver }) => receiver
)
