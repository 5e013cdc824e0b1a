import { execFile } from "node:child_process"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, describe, it } from "vitest"

const run = promisify(execFile)
const root = join(import.meta.dirname, "../..")

/** An integrator's program in strict TypeScript. */
const program = `import { Carteiro, CarteiroApiError, webhooks } from "@carteiro/sdk"
import { fileCursors } from "@carteiro/sdk/node"

const carteiro = new Carteiro({ apiKey: "svc_sbx_test", maxRetries: 0, fetch: async () => new Response('{"id":"msg_1","status":"sent"}') })
const message: Carteiro.Message = await carteiro.messages.get("msg_1")
const later: string = message.status
const told = (event: Carteiro.Event): string => (event.type === "message.received" ? event.data.message_id : event.id)
const params: Carteiro.SendMessage = {
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: "pn_1" },
  recipient: { type: "phone_e164", id: "+5511999998888" },
  message: { type: "text", text: { body: "Oi" } }
}
// @ts-expect-error a text needs a body
const wrong: Carteiro.SendMessage = { ...params, message: { type: "text", text: {} } }
const headers = await webhooks.sign("{}", "whsec_a")
await webhooks.verify(new TextEncoder().encode("{}"), headers, "whsec_a")
const isKnown = (error: CarteiroApiError): boolean => error.code === "service_window_required" || error.code === "a_code_of_tomorrow"
console.log(message.id, typeof told, typeof later, typeof wrong, typeof isKnown, typeof fileCursors, params.channel)
`

const options = {
  target: "es2022",
  module: "nodenext",
  moduleResolution: "nodenext",
  lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true
}

describe("The published package", () => {
  it("installs from its tarball into an empty folder, type-checks in strict mode and runs", {
    timeout: 300_000
  }, async () => {
    const folder = await mkdtemp(join(tmpdir(), "carteiro-sdk-"))
    try {
      const dist = join(folder, "dist")
      await run(process.execPath, [join(root, "packages/sdk/build.ts"), dist])
      await run("npm", ["pack", dist, "--pack-destination", folder, "--silent"])
      const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz")) ?? ""
      const user = await mkdtemp(join(folder, "user-"))
      await writeFile(join(user, "package.json"), '{"name":"user","private":true,"type":"module"}')
      await run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, tarball)], { cwd: user })
      await writeFile(join(user, "main.ts"), program)
      await writeFile(join(user, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files: ["main.ts"] }))
      await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", user])
      const { stdout } = await run(process.execPath, [join(user, "main.js")])
      assert.match(stdout, /^msg_1 function string object function function chatapp/)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
