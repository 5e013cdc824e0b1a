import { createServer, type RequestListener } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Commands, carteiro, carteiroProcess, emptyFolder } from "./Cli.ts"

/** A server on this machine while the scope lives; `tunnel` is where CONNECT leads. */
const serverOf = Effect.fnUntraced(function* (handle: RequestListener, tunnel?: (host: string) => number) {
  const server = createServer(handle)
  server.on("connect", (request, socket) => {
    const to = connect(tunnel?.(request.url ?? "") ?? 0, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n")
      to.pipe(socket).pipe(to)
    })
    for (const end of [to, socket]) end.on("error", () => void [to.destroy(), socket.destroy()])
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
  return (server.address() as AddressInfo).port
})

/** An API whose environment has two numbers; it keeps the sender of every message. */
const twoNumbers = Effect.gen(function* () {
  const senders: Array<string> = []
  const number = (id: string, phone: string) => ({ object: "phone_number", id, phone, status: "active" })
  const data = [number("pn_1", "+5511999990001"), number("pn_2", "+5511999990002")]
  const port = yield* serverOf((request, response) => {
    let text = ""
    request.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
    })
    request.on("end", () => {
      if (request.method === "POST") senders.push(JSON.parse(text).sender.id)
      const message = { object: "message", id: "msg_1", status: "queued" }
      const list = { object: "list", data, has_more: false, next_cursor: null }
      response.writeHead(request.method === "POST" ? 202 : 200, { "content-type": "application/json" })
      response.end(JSON.stringify(request.method === "POST" ? message : list))
    })
  })
  return { senders, port }
})

const send = ["messages", "send", "--to", "+5511912345678", "--text", "Oi"]

it.layer(Commands.layer)("Senders", (it) => {
  it.effect("several numbers are named, and the one that was named last is remembered", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const { port, senders } = yield* twoNumbers
      const env = { CARTEIRO_API_KEY: "sk_sandbox_x", CARTEIRO_API_BASE: `http://127.0.0.1:${port}` }
      const refused = yield* carteiro(folder, env, ...send)
      assert.strictEqual(refused.code, 1)
      assert.include(refused.stderr, "pn_1 (+5511999990001), pn_2 (+5511999990002)")
      assert.include(refused.stderr, "--sender pn_1")
      for (const words of [["--sender", "pn_2"], []]) {
        const sent = yield* carteiro(folder, env, ...send, ...words)
        assert.strictEqual(sent.code, 0, sent.stderr)
      }
      const other = yield* carteiro(folder, { ...env, CARTEIRO_API_KEY: "sk_sandbox_y" }, ...send)
      assert.strictEqual(other.code, 1)
      assert.deepStrictEqual(senders, ["pn_2", "pn_2"])
    }).pipe(Effect.scoped)
  )
})

it.effect("calls go through the proxy of the environment, but for those to this machine", () =>
  Effect.gen(function* () {
    const folder = yield* emptyFolder
    const { port, senders } = yield* twoNumbers
    const asked: Array<string> = []
    const proxy = yield* serverOf(
      (_, response) => void response.writeHead(502).end(),
      (host) => {
        asked.push(host)
        return port
      }
    )
    const key = { CARTEIRO_API_KEY: "sk_sandbox_x", HTTP_PROXY: `http://127.0.0.1:${proxy}` }
    const words = [...send, "--sender", "pn_1"]
    const far = yield* carteiroProcess(folder, { ...key, CARTEIRO_API_BASE: "http://api.invalid" }, ...words)
    assert.strictEqual(far.code, 0, far.stderr)
    const near = yield* carteiroProcess(folder, { ...key, CARTEIRO_API_BASE: `http://127.0.0.1:${port}` }, ...words)
    assert.strictEqual(near.code, 0, near.stderr)
    assert.deepStrictEqual([senders, asked], [["pn_1", "pn_1"], ["api.invalid:80"]])
  }).pipe(Effect.scoped)
)
