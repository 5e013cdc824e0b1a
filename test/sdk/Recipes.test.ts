import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { signatureHeaders } from "@carteiro/runtime/webhooks/endpoint/Signature.ts"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { withoutSettings } from "../support/Program.ts"
import { readmeBlocks, root, run } from "./Packed.ts"

const secret = `whsec_${"B".repeat(43)}`
const names = ["node:http", "Express", "Fastify", "Hono", "Next"]

/** Next.js calls the handler of a route with a request of the platform; here a plain server does. */
const nextServer = `import { serve } from "@hono/node-server"
import { POST } from "./Next.ts"

serve({ fetch: (request) => POST(request), port: Number(process.env.PORT) })
`

/** Resolves once the port takes connections; rejects when the process ends before. */
const listening = async (child: ChildProcess, port: number): Promise<void> => {
  while (child.exitCode === null) {
    const socket = connect(port, "127.0.0.1")
    const taken = await once(socket, "connect").then(
      () => true,
      () => false
    )
    socket.destroy()
    if (taken) return
  }
  throw new Error(`ended with ${child.exitCode}`)
}

describe("The README's recipes for receivers", () => {
  // Inside the repository, where the frameworks are found.
  let folder: string
  beforeAll(async () => {
    mkdirSync(join(root, ".carteiro"), { recursive: true })
    folder = mkdtempSync(join(root, ".carteiro/recipes-"))
    const blocks = await readmeBlocks("Receive webhooks")
    assert.strictEqual(blocks.length, names.length)
    for (const [at, name] of names.entries()) writeFileSync(join(folder, `${fileOf(name)}.ts`), blocks[at] ?? "")
    writeFileSync(join(folder, "NextServer.ts"), nextServer)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const fileOf = (name: string) => name.replace(":", "-")

  it("type-check in strict mode as printed", async () => {
    const compilerOptions = { types: ["node"], typeRoots: [join(root, "node_modules/@types")], lib: ["es2024"] }
    const project = { extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project))
    const tsc = join(root, "node_modules/typescript/bin/tsc")
    await run(process.execPath, [tsc, "-p", folder]).catch(({ stdout }) => assert.fail(stdout))
  }, 240_000)

  it.each(names)(
    "%s takes what the server signs and refuses every other body A-SIG-11",
    async (name) => {
      const port = await Effect.runPromise(freePort())
      const file = name === "Next" ? "NextServer.ts" : `${fileOf(name)}.ts`
      const child = spawn(process.execPath, [join(folder, file)], {
        env: { ...withoutSettings(), PORT: String(port), CARTEIRO_WEBHOOK_SECRET: secret },
        stdio: ["ignore", "pipe", "inherit"]
      })
      let printed = ""
      child.stdout.on("data", (chunk) => {
        printed += String(chunk)
      })
      try {
        await listening(child, port)
        const body = '{"id":"evt_1","type":"message.sent","data":{"to":"Olá"}}'
        const headers = { "content-type": "application/json", ...signatureHeaders(secret, "evt_1", Date.now(), body) }
        const posted = async (text: string, more: Record<string, string> = headers) =>
          (await fetch(`http://127.0.0.1:${port}/hook`, { method: "POST", headers: more, body: text })).status
        assert.strictEqual(await posted(body), 204)
        assert.strictEqual(await posted(body.replace("Olá", "Oi")), 400)
        assert.strictEqual(await posted(body, { "content-type": "application/json" }), 400)
        assert.strictEqual(printed, "message.sent evt_1\n")
      } finally {
        child.kill("SIGKILL")
      }
    },
    240_000
  )
})
