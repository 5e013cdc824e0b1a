import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type Verification, verifyWebhook } from "@carteiro/receiver/verify.ts"
import { Effect } from "effect"

/** One delivery, judged on the bytes as they came. */
export interface Delivered {
  readonly verification: Verification
  readonly id: string
  readonly rawBody: string
  // biome-ignore lint/suspicious/noExplicitAny: a scenario reads members of envelopes it has not declared
  readonly envelope: any
}

/** A local receiver that a developer would run. */
export interface Receiver {
  readonly origin: string
  /** Signing secrets; pushed once they are known. */
  readonly secrets: Array<string>
  /** Waits until something has come that `wanted` takes; answers all that came. */
  until(wanted: (all: ReadonlyArray<Delivered>) => boolean): Effect.Effect<ReadonlyArray<Delivered>>
}

/** Listens on a free port of this machine while its scope lives, and answers 200 to what it can verify. */
export const localReceiver = Effect.map(
  Effect.acquireRelease(
    Effect.callback<{ readonly server: Server; readonly receiver: Receiver }>((resume) => {
      const secrets: Array<string> = []
      const all: Array<Delivered> = []
      const waiting = new Set<() => void>()
      const server = createServer((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const rawBody = Buffer.concat(chunks)
          const verification = verifyWebhook({ headers: request.headers, rawBody, secrets })
          const id = String(request.headers["svc-webhook-id"])
          all.push({
            verification,
            id,
            rawBody: rawBody.toString("utf8"),
            envelope: JSON.parse(rawBody.toString("utf8"))
          })
          response.writeHead(verification.verified ? 200 : 401).end()
          for (const look of [...waiting]) look()
        })
      })
      const until: Receiver["until"] = (wanted) =>
        Effect.callback((done) => {
          const look = () => {
            if (!wanted(all)) return
            waiting.delete(look)
            done(Effect.succeed([...all]))
          }
          waiting.add(look)
          look()
          return Effect.sync(() => waiting.delete(look))
        })
      server.listen(0, "127.0.0.1", () => {
        const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
        resume(Effect.succeed({ server, receiver: { origin, secrets, until } }))
      })
    }),
    ({ server }) =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  ),
  ({ receiver }) => receiver
)
