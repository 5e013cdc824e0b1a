import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { Carteiro, webhooks } from "@carteiro/sdk"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { carteiro, emptyFolder, Product, settings, started } from "./Cli.ts"
import { receiver } from "./Receiver.ts"

/** Ends what hangs: beside a busy machine its five starts take minutes. */
const slow = 240_000

const keyOf = ({ base_url, sandbox }: Product["Service"], kind: "sandbox" | "production" = "sandbox", live = "") => ({
  CARTEIRO_API_KEY: kind === "sandbox" ? sandbox.api_key : live,
  CARTEIRO_API_BASE: base_url
})

/** A customer writes; returns the message's id. */
const writes = (client: Carteiro, to: string | null, body: string) =>
  Effect.promise(() =>
    client.sandbox.simulateInbound({
      channel: "chatapp",
      from: "+5511977776666",
      to: to ?? "",
      type: "text",
      text: { body }
    })
  ).pipe(Effect.map(({ id }) => id))

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("listen", (it) => {
  const context = Effect.gen(function* () {
    const product = yield* Product
    const folder = yield* emptyFolder
    const client = new Carteiro({ apiKey: product.sandbox.api_key, baseUrl: product.base_url })
    return { folder, client, env: keyOf(product), number: product.sandbox.phone_number_id, product }
  })

  it.effect(
    "forwards each event as a delivery that the printed secret verifies, and prints a line for it A-SIG-07",
    () =>
      Effect.gen(function* () {
        const { client, env, folder, number } = yield* context
        const hook = yield* receiver(() => 200)
        const words = ["listen", "--forward-to", hook.url, "--events", "message.received"]
        const first = yield* started(folder, env, ...words)
        const [, secret = ""] = yield* first.prints(/signed with (whsec_[\w-]{43})/)
        const message = yield* writes(client, number, "Oi")
        const { body, headers } = yield* hook.request(1)
        const event = yield* Effect.promise(() => webhooks.verify(body, headers, secret))
        const [, standard = ""] = yield* first.prints(/library verifies with (whsec_[A-Za-z0-9+/]{43}=)/)
        assert.strictEqual(
          (new Webhook(standard).verify(Buffer.from(body), headers as Record<string, string>) as { id: string }).id,
          event.id
        )
        assert.strictEqual(event.type, "message.received")
        assert.strictEqual((event.data as { readonly message_id: string }).message_id, message)
        assert.strictEqual(headers["user-agent"], "svc-webhooks/1")
        yield* first.prints(
          new RegExp(`^\\d\\d:\\d\\d:\\d\\d {2}message\\.received +${event.id} {2}200 {2}\\d+ ms\\n`, "m")
        )
        first.child.kill("SIGINT")
        assert.strictEqual((yield* first.ended).code, 130)
        const second = yield* started(folder, env, ...words)
        yield* second.prints(new RegExp(`signed with ${secret}`))
        const [, kept] = yield* second.prints(/library verifies with (whsec_[A-Za-z0-9+/]{43}=)/)
        assert.strictEqual(kept, standard)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "posts an event again until a 2xx answers it, and keys repeat or open the last one",
    () =>
      Effect.gen(function* () {
        const { client, env, folder, number, product } = yield* context
        const hook = yield* receiver((count) => (count === 1 ? 500 : 200))
        const run = yield* started(folder, env, "listen", "--forward-to", hook.url, "--events", "message.received")
        yield* run.prints(/Ready/)
        const message = yield* writes(client, number, "Oi")
        const { id } = yield* hook.request(2)
        run.child.stdin.write("r")
        yield* hook.request(3)
        assert.deepStrictEqual(
          hook.arrived.map((one) => one.id),
          [id, id, id]
        )
        run.child.stdin.write("o")
        const page = `${product.base_url}/dashboard/messages/${product.sandbox.environment_id}/${message}`
        yield* run.prints(new RegExp(page))
        const status = yield* Effect.promise(() => fetch(page, { redirect: "manual" }).then((answer) => answer.status))
        assert.strictEqual(status, 303)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "begins at the instant that --backfill names, prints whole events, and skips an event on a key",
    () =>
      Effect.gen(function* () {
        const { client, env, folder, number } = yield* context
        yield* writes(client, number, "before")
        const hook = yield* receiver(() => 500)
        const run = yield* started(
          folder,
          env,
          "listen",
          "--backfill",
          "1h",
          "--print",
          "json",
          "--forward-to",
          hook.url
        )
        yield* hook.request(1)
        yield* run.prints(/"object"|"type":"/)
        run.child.stdin.write("s")
        yield* run.prints(/skipped evt_/)
        const [line = ""] = run.printed.stdout.split("\n")
        assert.strictEqual(JSON.parse(line).id, hook.arrived[0]?.id)
        const wrong = yield* carteiro(folder, env, "listen", "--backfill", "8d")
        assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "accepts an unknown certificate with --skip-verify only",
    () =>
      Effect.gen(function* () {
        const { client, env, folder, number } = yield* context
        const hook = yield* receiver(() => 200, { tls: true })
        const words = ["listen", "--forward-to", hook.url, "--events", "message.received"]
        const strict = yield* started(folder, env, ...words)
        yield* strict.prints(/Ready/)
        yield* writes(client, number, "Oi")
        yield* strict.prints(/self-signed certificate/)
        strict.child.kill("SIGTERM")
        yield* strict.ended
        assert.strictEqual(hook.arrived.length, 0)
        const loose = yield* started(folder, env, ...words, "--skip-verify")
        yield* hook.request(1)
        yield* loose.prints(/ {2}200 {2}/)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "uses a listen session in production, says what the session shows, and refuses a backfill A-LSS-01",
    () =>
      Effect.gen(function* () {
        const { folder, product } = yield* context
        const env = keyOf(product, "production", product.production.api_key)
        const run = yield* started(folder, env, "listen")
        yield* run.prints(/Production: this shows only what happens while it runs\.\n/)
        const live = new Carteiro({ apiKey: product.production.api_key, baseUrl: product.base_url })
        yield* run.prints(/Ready/)
        yield* Effect.promise(() =>
          live.payments.create({ amount_brl_centavos: 100, customer_name: "Ana", customer_tax_id: "12345678909" })
        )
        yield* run.prints(/payment\.created/)
        assert.strictEqual((yield* carteiro(folder, env, "listen", "--backfill", "1h")).code, 2)
      }).pipe(Effect.scoped),
    slow
  )
})

it.layer(TestDatabase.layer, { excludeTestServices: true, timeout: slow })("listen, killed and started again", (it) => {
  it.effect(
    "misses no event when the command and the server are killed in turn, and repeats only events under way A-LSN-01",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const folder = yield* emptyFolder
        const env = { ...settings(url, folder), PORT: String(yield* freePort()) }
        const node = yield* startedNode(env)
        const { base_url, sandbox } = node.file
        const client = new Carteiro({ apiKey: sandbox.api_key, baseUrl: base_url, maxRetries: 20 })
        const write = (text: string) => writes(client, sandbox.phone_number_id, text)
        // The third post stays without an answer, and so does the sixth.
        const hook = yield* receiver((count) => (count === 3 || count === 6 ? undefined : 200))
        const words = ["listen", "--forward-to", hook.url, "--events", "message.received"]
        const key = { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: base_url }

        const first = yield* started(folder, key, ...words)
        yield* first.prints(/Ready/)
        const sent = [yield* write("1"), yield* write("2"), yield* write("3")]
        yield* hook.request(3)
        first.child.kill("SIGKILL")
        yield* first.ended
        sent.push(yield* write("4"))

        // The command comes back while the server is away, and goes on when it is there again.
        node.signal("SIGKILL")
        yield* node.exited
        const second = yield* started(folder, key, ...words)
        const again = yield* startedNode(env)
        assert.strictEqual(again.file.base_url, base_url)
        sent.push(yield* write("5"))
        yield* hook.request(6)
        second.child.kill("SIGKILL")
        yield* second.ended
        sent.push(yield* write("6"))

        const third = yield* started(folder, key, ...words)
        yield* hook.request(8)
        yield* third.prints(/(?:message\.received.+ 200 .+\n[\s\S]*){2}/)
        // The server goes away under a listener and comes back.
        again.signal("SIGKILL")
        yield* again.exited
        yield* third.prints(/gives no answer; going on as soon as it does/)
        yield* startedNode(env)
        yield* third.prints(/connected again/)
        sent.push(yield* write("7"))
        yield* hook.request(9)
        const messages = hook.arrived.map(({ body }) => JSON.parse(Buffer.from(body).toString()).data.message_id)
        const [one, two, three, four, five, six, seven] = sent
        assert.deepStrictEqual(messages, [one, two, three, three, four, five, five, six, seven])
        assert.strictEqual(hook.arrived[2]?.id, hook.arrived[3]?.id)
        assert.strictEqual(hook.arrived[5]?.id, hook.arrived[6]?.id)
      }).pipe(Effect.scoped),
    slow
  )
})
