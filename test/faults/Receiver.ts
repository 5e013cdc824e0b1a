import { createServer, type IncomingMessage } from "node:http"
import type { AddressInfo } from "node:net"
import { verifyWebhook } from "@carteiro/receiver/verify.ts"
import { Effect } from "effect"

/** One delivery as it arrived. */
export interface Received {
  /** The first segment of the path: which endpoint it was sent to. */
  readonly endpoint: string
  /** `svc-webhook-id`. */
  readonly id: string
  readonly type: string
  readonly message_id: string | null
  readonly verified: boolean
  /** The body as received. */
  readonly text: string
  /** The status it was answered with. */
  readonly answered: number
}

export interface Receiver {
  /** Where it listens, without a path. */
  readonly origin: string
  readonly log: ReadonlyArray<Received>
  /** Deliveries to this endpoint are verified with this secret from now on. */
  readonly trust: (endpoint: string, secret: string) => void
  /** What deliveries to this endpoint are answered with from now on; 200 until told. */
  readonly answer: (endpoint: string, status: number) => void
}

/** A receiver that writes down every delivery, on a port of its own until the scope closes. */
export const startReceiver = Effect.acquireRelease(
  Effect.callback<Receiver & { readonly close: () => void }>((resume) => {
    const log: Array<Received> = []
    const secrets = new Map<string, string>()
    const answers = new Map<string, number>()
    const server = createServer((request, response) => {
      const endpoint = request.url?.split("/")[1] ?? ""
      const chunks: Array<Buffer> = []
      request.on("data", (chunk: Buffer) => chunks.push(chunk))
      request.on("end", () => {
        const answered = answers.get(endpoint) ?? 200
        log.push(received(endpoint, request, Buffer.concat(chunks), secrets.get(endpoint), answered))
        response.writeHead(answered).end()
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo
      resume(
        Effect.succeed({
          origin: `http://127.0.0.1:${port}`,
          log,
          trust: (endpoint, secret) => secrets.set(endpoint, secret),
          answer: (endpoint, status) => answers.set(endpoint, status),
          close: () => {
            server.close()
            server.closeAllConnections()
          }
        })
      )
    })
  }),
  ({ close }) => Effect.sync(close)
)

const received = (
  endpoint: string,
  { headers }: IncomingMessage,
  body: Buffer,
  secret: string | undefined,
  answered: number
): Received => {
  const text = body.toString("utf8")
  const { type, data } = JSON.parse(text) as { readonly type: string; readonly data?: { readonly message_id?: string } }
  const verification = verifyWebhook({ headers, rawBody: body, secrets: secret === undefined ? [] : [secret] })
  return {
    endpoint,
    id: String(headers["svc-webhook-id"]),
    type,
    message_id: data?.message_id ?? null,
    verified: verification.verified,
    text,
    answered
  }
}
