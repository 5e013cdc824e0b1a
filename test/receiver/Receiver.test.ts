import { spawn } from "node:child_process"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { createReceiver } from "@carteiro/receiver/server.ts"
import { signWebhook } from "@carteiro/receiver/verify.ts"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const secret = `whsec_${"A".repeat(43)}`
const event = { id: "evt_1", type: "message.received", data: { message_id: "msg_1" } }

const deliver = (base: string, body: string, sign: (timestamp: string) => string) =>
  Effect.promise(async () => {
    const timestamp = `${Math.floor(performance.timeOrigin / 1000 + performance.now() / 1000)}`
    const response = await fetch(base, {
      method: "POST",
      body,
      headers: {
        "svc-webhook-id": "evt_1",
        "svc-webhook-timestamp": timestamp,
        "svc-webhook-signature": sign(timestamp)
      }
    })
    return response.status
  })

const signedWith = (key: string, body: string) => (timestamp: string) => signWebhook(key, timestamp, Buffer.from(body))

/** A receiver inside this process, with the lines it prints. */
const receiving = (secrets: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const lines: Array<string> = []
      const server = createReceiver({ secrets, print: (line) => lines.push(line) }).listen(0, "127.0.0.1")
      await once(server, "listening")
      return { server, lines, base: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
    }),
    ({ server }) => Effect.sync(() => server.close().closeAllConnections())
  )

describe("receiver (boot contract, A first webhook)", () => {
  it.effect("answers 200 and prints type, id and data of a verified delivery A-SIG-10", () =>
    Effect.gen(function* () {
      const { base, lines } = yield* receiving(["whsec_other", secret])
      const body = JSON.stringify(event)
      assert.strictEqual(yield* deliver(base, body, signedWith(secret, body)), 200)
      assert.deepStrictEqual(lines, ['verified message.received evt_1 {"message_id":"msg_1"}'])
    })
  )

  it.effect("answers 401 to a bad signature A-SIG-10", () =>
    Effect.gen(function* () {
      const { base, lines } = yield* receiving([secret])
      const body = JSON.stringify(event)
      assert.strictEqual(yield* deliver(base, body, signedWith("whsec_wrong", body)), 401)
      assert.strictEqual(yield* deliver(base, `${body} `, signedWith(secret, body)), 401)
      assert.strictEqual(yield* deliver(base, body, () => "x"), 401)
      assert.deepStrictEqual(
        lines.map((line) => line.split(" ").slice(0, 3).join(" ")),
        [
          "REFUSED (signature_mismatch) message.received",
          "REFUSED (signature_mismatch) message.received",
          "REFUSED (malformed_signature) message.received"
        ]
      )
    })
  )

  it.effect("takes deliveries without a secret and says that they are unverified", () =>
    Effect.gen(function* () {
      const { base, lines } = yield* receiving([])
      assert.strictEqual(yield* deliver(base, JSON.stringify(event), () => "x"), 200)
      assert.deepStrictEqual(lines, ['unverified message.received evt_1 {"message_id":"msg_1"}'])
    })
  )

  it.effect("prints one safe, short line for any input", () =>
    Effect.gen(function* () {
      const { base, lines } = yield* receiving([])
      for (const body of [
        "",
        "no json",
        "null",
        "[1]",
        '{"type":"a\\n\\u001b[2J","id":7}',
        `{"data":"${"a".repeat(9999)}"}`
      ]) {
        assert.strictEqual(yield* deliver(base, body, () => "x"), 200)
      }
      assert.strictEqual(yield* deliver(base, "a".repeat(1024 * 1024 + 1), () => "x"), 413)
      assert.strictEqual((yield* Effect.promise(() => fetch(base))).status, 405)
      assert.deepStrictEqual(lines.slice(0, 5), [
        "unverified - evt_1",
        "unverified - evt_1",
        "unverified - evt_1",
        "unverified - evt_1",
        "unverified a\ufffd\ufffd[2J evt_1"
      ])
      assert.isBelow(lines[5]?.length ?? 0, 200)
      assert.lengthOf(lines, 6)
    })
  )

  it.effect("runs as a program without dependencies, takes its secrets and stops on SIGTERM", () =>
    Effect.promise(async () => {
      const program = fileURLToPath(new URL("../../packages/receiver/receiver.ts", import.meta.url))
      const child = spawn(process.execPath, [program, "--secret", secret], {
        env: { PORT: "0", CARTEIRO_WEBHOOK_SECRET: "whsec_a, whsec_b" },
        stdio: ["ignore", "pipe", "inherit"]
      })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const ready: unknown = (await lines.next()).value
      const base = String(ready).replace("receiver ", "")
      assert.match(base, /^http:\/\/127\.0\.0\.1:\d+$/)
      const body = JSON.stringify(event)
      for (const key of [secret, "whsec_a", "whsec_b"]) {
        assert.strictEqual(await Effect.runPromise(deliver(base, body, signedWith(key, body))), 200)
        assert.strictEqual((await lines.next()).value, 'verified message.received evt_1 {"message_id":"msg_1"}')
      }
      child.kill("SIGTERM")
      assert.deepStrictEqual(await once(child, "exit"), [0, null])
    })
  )
})
