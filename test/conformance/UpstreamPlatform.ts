import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"
import { vendorClock } from "@carteiro/simulators/kit/Lifetime.ts"
import type { Demand } from "@carteiro/simulators/upstream/Demands.ts"
import { startUpstream } from "@carteiro/simulators/upstream/Simulator.ts"
import { Effect } from "effect"
import { until } from "../support/Until.ts"

/** The account of these tests at the simulated platform. */
export const platformOf = { account: "209876543210001", number: "109876543210001", token: "simulated-token" }

/** A webhook as it arrived. */
export interface Webhook {
  readonly text: string
  readonly signature: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of the vendor's payloads.
  readonly json: any
}

/** A receiver that proves every verify token and keeps what is posted to it. */
const startReceiver = Effect.acquireRelease(
  Effect.promise(async () => {
    const webhooks: Array<Webhook> = []
    const server = createServer((incoming, response) => {
      const challenge = new URL(incoming.url ?? "/", "http://receiver").searchParams.get("hub.challenge")
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("end", () => {
        const text = Buffer.concat(chunks).toString()
        const signature = String(incoming.headers["x-hub-signature-256"])
        if (incoming.method === "POST") webhooks.push({ text, signature, json: JSON.parse(text) })
        response.end(challenge ?? "")
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()))
    return { server, webhooks, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
  }),
  ({ server }) => Effect.sync(() => server.close().closeAllConnections())
)

/** A simulated platform with one account, its receiver, and calls on its wire. */
export const calls = Effect.fnUntraced(function* (options: {
  readonly demands?: ReadonlyArray<Demand>
  readonly records?: boolean
}) {
  const { account, number, token } = platformOf
  const simulator = yield* Effect.acquireRelease(
    Effect.promise(() =>
      startUpstream({
        now: vendorClock,
        appId: "app",
        appSecret: "secret",
        verifyToken: "verify",
        statusUnitMs: 0,
        reviewMs: 0,
        ...options
      })
    ),
    (started) => Effect.promise(() => started.close())
  )
  simulator.world.add({
    biz_account_id: account,
    token,
    numbers: [{ id: number, display_phone_number: "+5511900000001" }],
    templates: []
  })
  const { url, webhooks } = yield* startReceiver
  const raw = (
    method: string,
    path: string,
    body?: string | FormData,
    headers: Readonly<Record<string, string>> = {}
  ) =>
    Effect.promise(async () => {
      const init = { method, headers: { authorization: `Bearer ${token}`, ...headers }, body: body ?? null }
      const answer = await fetch(`${simulator.url}/v23.0${path}`, init)
      return { status: answer.status, json: await answer.json() }
    })
  return {
    simulator,
    raw,
    call: (method: string, path: string, body?: object) =>
      raw(method, path, body === undefined ? undefined : JSON.stringify(body), { "content-type": "application/json" }),
    control: (path: string, body: object) =>
      Effect.promise(async () => {
        const answer = await fetch(`${simulator.url}${path}`, { method: "POST", body: JSON.stringify(body) })
        return { status: answer.status, json: await answer.json() }
      }),
    /** A call by a client that names its program only when it is told to. */
    anonymous: (address: string, agent?: string) =>
      Effect.promise(
        () =>
          new Promise<{ readonly status: number | undefined; readonly type: string | undefined }>((resolve, reject) => {
            const headers = {
              authorization: `Bearer ${token}`,
              ...(agent === undefined ? {} : { "user-agent": agent })
            }
            request(address, { headers }, (response) => {
              response.resume()
              resolve({ status: response.statusCode, type: response.headers["content-type"] })
            })
              .on("error", reject)
              .end()
          })
      ),
    receiver: {
      url,
      webhooks,
      /** Waits for a webhook whose text is meant. */
      until: (isMeant: (text: string) => boolean) =>
        until(Effect.sync(() => webhooks.some(({ text }) => isMeant(text)))),
      /** Waits for this many webhooks. */
      first: (count: number) =>
        Effect.as(until(Effect.sync(() => webhooks.length >= count)), webhooks as ReadonlyArray<Webhook>)
    }
  }
})
