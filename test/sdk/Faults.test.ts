import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type NodeProcess, startNode } from "@carteiro/runtime/boot/NodeProcess.ts"
import { Carteiro } from "@carteiro/sdk"
import { fileCursors } from "@carteiro/sdk/node"
import { assert, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { realTiming } from "../../packages/sdk/Timing.ts"
import * as TestDatabase from "../support/TestDatabase.ts"
import { hurtingProxy } from "./HurtingProxy.ts"

const place = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-sdk-faults-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const run = (settings: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(startNode("sdk faults", settings), (node: NodeProcess) => node.kill)

/** Waits pass fifty times faster, so that a minute of backoff is a second of the test. */
const quick = {
  ...realTiming,
  sleep: (milliseconds: number, signal?: AbortSignal) => realTiming.sleep(milliseconds / 50, signal)
}

const customer = "+5511912345678"
const texts = Array.from({ length: 60 }, (_, at) => `message ${at}`)

/** Sends all texts, six at a time, each without a key of the caller's; tells after each how many are accepted. */
const sendAll = async (carteiro: Carteiro, id: string, told: (accepted: number) => void) => {
  const left = [...texts]
  const accepted = new Map<string, string>()
  const worker = async () => {
    for (let body = left.shift(); body !== undefined; body = left.shift()) {
      const sent = await carteiro.messages.send({
        channel: "chatapp",
        sender: { type: "chatapp_phone_number", id },
        recipient: { type: "phone_e164", id: customer },
        message: { type: "text", text: { body } }
      })
      accepted.set(sent.id, body)
      told(accepted.size)
    }
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  return accepted
}

/** Follows the sent events into a set of message ids until there are so many. */
const follow = async (carteiro: Carteiro, path: string) => {
  const seen = new Set<string>()
  for await (const event of carteiro.listen({
    events: ["message.sent"],
    cursor: fileCursors(path),
    startAt: "oldest"
  })) {
    if (event.type === "message.sent") seen.add(event.data.message_id)
    if (seen.size === texts.length) return seen
  }
  return seen
}

it.live(
  "with cut connections, lost answers, 429, 503 and a killed node the client sends each message once, and listen misses none A-ERR-39 A-ERR-41 A-IDEM-04 A-LSN-01",
  () =>
    Effect.gen(function* () {
      const folder = yield* place
      const settings = {
        PORT: "0",
        DATABASE_URL: yield* TestDatabase.create(),
        CARTEIRO_DATA_DIR: folder,
        CARTEIRO_LOG: "fatal",
        CARTEIRO_RATE_LIMITS: "off",
        CARTEIRO_SANDBOX_STATUS_DELAY_MS: "5"
      }
      const node = yield* run(settings)
      const proxy = yield* hurtingProxy(["passed", "lost", 429, "passed", "cut", 503, "lost"])
      const baseUrl = yield* node.ready
      proxy.leadTo(baseUrl)
      const { api_key, phone_number_id } = JSON.parse(readFileSync(join(folder, "dev.json"), "utf8")).sandbox
      const inbound = {
        channel: "chatapp",
        from: customer,
        to: phone_number_id,
        type: "text",
        text: { body: "Oi" }
      } as const
      yield* Effect.promise(() => new Carteiro({ apiKey: api_key, baseUrl }).sandbox.simulateInbound(inbound))

      const hurt = new Carteiro({ apiKey: api_key, baseUrl: proxy.url, maxRetries: 500, timing: quick })
      let third = () => {}
      const thirdAccepted = new Promise<void>((resolve) => {
        third = resolve
      })
      const sending = yield* Effect.forkChild(
        Effect.promise(() => sendAll(hurt, phone_number_id, (accepted) => (accepted === 20 ? third() : undefined)))
      )
      const following = yield* Effect.forkChild(Effect.promise(() => follow(hurt, join(folder, "cursor"))))
      yield* Effect.promise(() => thirdAccepted)
      yield* node.kill
      const again = yield* run(settings)
      const restarted = yield* again.ready
      proxy.leadTo(restarted)
      const accepted = yield* Fiber.join(sending)

      assert.sameMembers([...accepted.values()], texts)
      const stored = yield* Effect.promise(() =>
        new Carteiro({ apiKey: api_key, baseUrl: restarted }).messages
          .list({ direction: "outbound", include: "payload", limit: 100 })
          .toArray({ limit: 1_000 })
      )
      assert.sameMembers(
        stored.map(({ id }) => id),
        [...accepted.keys()]
      )
      assert.sameMembers([...(yield* Fiber.join(following))], [...accepted.keys()])
      for (const how of ["cut", "lost", 429, 503] as const) assert.isAbove(proxy.counted.get(how) ?? 0, 10, String(how))
    }).pipe(Effect.scoped),
  240_000
)
