import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { Carteiro } from "@carteiro/sdk"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { withoutSettings } from "../support/Program.ts"
import { startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { installed, packed, removed, root, run } from "./Packed.ts"

const example = join(root, "docs/examples/booking-bot.ts")
const customer = "+5511988887777"

/** Compiles the bot in strict mode in an empty folder that has nothing but the packed client. */
const compiledBot = async (user: string): Promise<string> => {
  cpSync(example, join(user, "bot.ts"))
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    lib: ["es2022"],
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false
  }
  writeFileSync(join(user, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["bot.ts"] }))
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", user]).catch(
    ({ stdout }: { readonly stdout: string }) => assert.fail(stdout)
  )
  return join(user, "bot.js")
}

/** Starts the bot and waits until it listens. */
const startedBot = (file: string, env: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child: ChildProcess = spawn(process.execPath, [file], {
        env: { ...withoutSettings(), ...env },
        stdio: ["ignore", "pipe", "inherit"]
      })
      await new Promise<void>((resolve, reject) => {
        let printed = ""
        child.stdout?.on("data", (chunk) => {
          printed += String(chunk)
          if (/^bot http/m.test(printed)) resolve()
        })
        child.once("exit", (code) => reject(new Error(`ended with ${code}`)))
      })
      return child
    }),
    (child) => Effect.sync(() => void child.kill("SIGKILL"))
  )

it("the quickstart shows the bot's code unchanged", () => {
  const blocks = [...readFileSync(join(root, "docs/quickstart.md"), "utf8").matchAll(/^```ts\n(.*?)^```/gms)]
  const code = readFileSync(example, "utf8")
  assert.isAbove(blocks.length, 3)
  for (const [, block = ""] of blocks) assert.include(code, block)
})

it.layer(TestDatabase.layer, { excludeTestServices: true })("The booking bot of docs/examples", (it) => {
  it.effect(
    "has at most 120 lines, type-checks in strict mode on the packed client alone, and takes a booking from the first message to the payment",
    () =>
      Effect.gen(function* () {
        assert.isAtMost(readFileSync(example, "utf8").trimEnd().split("\n").length, 120)
        const client = yield* Effect.acquireRelease(Effect.promise(packed), (made) =>
          Effect.promise(() => removed(made))
        )
        const bot = yield* Effect.promise(async () => compiledBot(await installed(client)))
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "carteiro-bot-"))),
          (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
        )
        const { url } = yield* TestDatabase
        const port = yield* freePort()
        const node = yield* startedNode({
          DATABASE_URL: url,
          CARTEIRO_DATA_DIR: folder,
          CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: `http://127.0.0.1:${port}`,
          CARTEIRO_SANDBOX_STATUS_DELAY_MS: "5",
          PORT: "0"
        })
        const { api_key, phone_number_id } = node.file.sandbox
        const settings = { CARTEIRO_API_KEY: api_key, CARTEIRO_API_BASE: node.file.base_url }
        const child = yield* startedBot(bot, { ...settings, PORT: String(port) })
        const carteiro = new Carteiro({ apiKey: api_key, baseUrl: node.file.base_url })
        yield* Effect.promise(async () => {
          const says = { channel: "chatapp", from: customer, to: phone_number_id ?? "" } as const
          await carteiro.sandbox.simulateInbound({ ...says, type: "text", text: { body: "Oi, quero marcar" } })
          const told: Array<string> = []
          for await (const event of carteiro.listen({
            events: ["message.read", "payment.link_generated"],
            startAt: "oldest"
          })) {
            if (event.type === "payment.link_generated") {
              await carteiro.sandbox.payments.setStatus(event.data.id, { status: "paid" })
            }
            if (event.type !== "message.read") continue
            const message = await carteiro.messages.get(event.data.message_id)
            told.push(message.type)
            if (message.type === "template") break
            if (message.type === "interactive") {
              const button_reply = { id: "slot-14", title: "Amanhã, 14h" }
              const interactive = { type: "button_reply", button_reply } as const
              await carteiro.sandbox.simulateInbound({ ...says, type: "interactive", interactive })
            }
          }
          assert.sameMembers(told, ["media", "interactive", "text", "template"])
          const [payment] = await carteiro.payments.list().toArray({ limit: 2 })
          assert.deepInclude(payment, { status: "paid", amount_brl: "60.0000", customer_phone: customer })
          const [confirmed] = await carteiro.messages
            .list({ template_name: "booking_confirmed", include: "payload" })
            .toArray({ limit: 2 })
          assert.include(JSON.stringify(confirmed), "Amanhã, 14h")
          const ended = once(child, "exit")
          child.kill("SIGTERM")
          assert.deepStrictEqual(await ended, [0, null])
          assert.deepStrictEqual(await carteiro.webhooks.endpoints.list().toArray({ limit: 1 }), [])
        })
      }).pipe(Effect.scoped),
    240_000
  )
})
