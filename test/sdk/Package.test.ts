import { globSync, readFileSync } from "node:fs"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { createContext, runInContext } from "node:vm"
import { gzipSync } from "node:zlib"
import { publint } from "publint"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bundled } from "./Bundled.ts"
import { hoversOf } from "./Hovers.ts"
import { installed, type Packed, packed, packedByNpm, readmeProgram, removed, root, run } from "./Packed.ts"

/** An integrator's program in strict TypeScript. */
const program = `import { Carteiro, CarteiroApiError, webhooks } from "@carteiro/sdk"
import { fileCursors } from "@carteiro/sdk/node"

const carteiro = new Carteiro({ apiKey: "svc_sbx_test", maxRetries: 0, fetch: async () => new Response('{"id":"msg_1","status":"sent"}') })
const message: Carteiro.Message = await carteiro.messages.get("msg_1")
const later: string = message.status
const told = (event: Carteiro.Event): string => (event.type === "message.received" ? event.data.message_id : event.id)
const chosen = (event: Carteiro.Event): string => {
  switch (event.type) {
    case "message.sent":
      return event.data.to
    case "message.received":
      return event.data.content.type === "text" ? event.data.content.text.body : event.data.sender.id
    default:
      return event.type + JSON.stringify(event.data)
  }
}
// @ts-expect-error a type that this version does not know falls through
const closed = (event: Carteiro.InboundContent): string => {
  switch (event.type) {
    case "text": case "media": case "interactive": case "flow": case "reaction": case "unsupported": case "unknown":
      return event.type
  }
}
const params: Carteiro.SendMessage = {
  channel: "chatapp",
  sender: { type: "chatapp_phone_number", id: "pn_1" },
  recipient: { type: "phone_e164", id: "+5511999998888" },
  message: { type: "text", text: { body: "Oi" } }
}
// @ts-expect-error a text needs a body
const wrong: Carteiro.SendMessage = { ...params, message: { type: "text", text: {} } }
const bytes = new TextEncoder().encode("{}")
const headers = await webhooks.sign(bytes, "whsec_a")
await webhooks.verify(bytes, headers, "whsec_a")
const isKnown = (error: CarteiroApiError): boolean => error.code === "service_window_required" || error.code === "a_code_of_tomorrow"
console.log(message.id, [told, chosen, closed, later, wrong, isKnown, fileCursors].map((value) => typeof value).join(" "), params.channel)
`

const options = {
  target: "es2022",
  module: "nodenext",
  moduleResolution: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false
}

/** The two worlds whose types a program may have: Node.js alone, or the browser's, which Deno and workers have too. */
const worlds = {
  node: { lib: ["es2022"], types: ["node"], typeRoots: [join(root, "node_modules/@types")] },
  dom: { lib: ["es2022", "dom", "dom.iterable", "dom.asynciterable"], types: [] }
}

/** What loads another module; `import` is also the name of a method of the client. */
const imports = /\bfrom\s*["']|\bimport\s*\((?!\w*\)\s*\{)/

describe("The published package", () => {
  let client: Packed
  beforeAll(async () => {
    client = await packed()
  }, 300_000)
  afterAll(() => removed(client))

  /** Compiles one file in a project that has nothing but the tarball. */
  const compiled = async (user: string, file: string, more: object, bin = "node_modules/typescript/bin/tsc") => {
    const config = join(user, "tsconfig.json")
    await writeFile(config, JSON.stringify({ compilerOptions: { ...options, ...more }, files: [file] }))
    await run(process.execPath, [join(root, bin), "-p", user]).catch(({ stdout }) => assert.fail(stdout))
  }

  it.each([
    ["of Node.js alone", worlds.node, "node_modules/typescript/bin/tsc"],
    ["of the browser alone", worlds.dom, "node_modules/typescript/bin/tsc"],
    ["of Node.js alone, under TypeScript 5", worlds.node, "test/node_modules/typescript/bin/tsc"]
  ])(
    "type-checks in strict mode with the types %s, its declarations too, and runs A-VER-05",
    async (_, world, bin) => {
      const user = await installed(client)
      await writeFile(
        join(user, "main.ts"),
        world === worlds.dom ? `declare const console: Console\n${program}` : program
      )
      await compiled(user, "main.ts", world, bin)
      const { stdout } = await run(process.execPath, [join(user, "main.js")])
      assert.strictEqual(stdout.trim(), "msg_1 function function function string object function function chatapp")
    },
    300_000
  )

  it("npm pack -w packages/sdk makes the package that runs and type-checks, and leaves the workspace as it was", async () => {
    const clone = await packedByNpm()
    try {
      const user = await installed(clone)
      await writeFile(join(user, "main.ts"), program)
      await compiled(user, "main.ts", worlds.node)
      const { stdout } = await run(process.execPath, [join(user, "main.js")])
      assert.match(stdout, /^msg_1 /)
      const files = globSync("node_modules/@carteiro/sdk/**/*", { cwd: user, withFileTypes: true })
      const sources = files.filter(({ name }) => name.endsWith(".ts") && !name.endsWith(".d.ts"))
      assert.deepStrictEqual(sources, [])
      const workspace = readFileSync(join(root, "packages/sdk/package.json"), "utf8")
      assert.strictEqual(readFileSync(join(clone.dist, "package.json"), "utf8"), workspace)
      const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js")
      await run(process.execPath, [attw, clone.tarball, "--profile", "esm-only", "--no-color"]).catch(
        ({ stdout: told }: { readonly stdout: string }) => assert.fail(told)
      )
    } finally {
      await removed(clone)
    }
  }, 300_000)

  it("type-checks the README's examples in strict mode as printed", async () => {
    const user = await installed(client)
    await writeFile(join(user, "main.ts"), await readmeProgram())
    await compiled(user, "main.ts", { ...worlds.node, noEmit: true })
  }, 300_000)

  it("passes publint and arethetypeswrong, and has no dependency", async () => {
    const { messages } = await publint({ pkgDir: client.dist, strict: true })
    assert.deepStrictEqual([...messages], [])
    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js")
    await run(process.execPath, [attw, client.tarball, "--profile", "esm-only", "--no-color"]).catch(
      ({ stdout }: { readonly stdout: string }) => assert.fail(stdout)
    )
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(client.dist, "package.json"), "utf8"))
    assert.deepStrictEqual([dependencies, peerDependencies], [undefined, undefined])
  }, 300_000)

  it("is below 40 KB minified and gzipped, with no import of a runtime's own", async () => {
    const code = await bundled(join(client.dist, "index.js"))
    assert.isBelow(gzipSync(code).length, 40_000)
    assert.notMatch(code, imports)
  })

  it("reads phones in one module without imports, which programs that read none do not load", async () => {
    const code = await bundled(join(client.dist, "phone.js"))
    assert.isBelow(gzipSync(code).length, 60_000)
    assert.notMatch(code, imports)
    const world = createContext({})
    runInContext(await bundled(join(client.dist, "phone.js"), "iife"), world)
    assert.strictEqual(runInContext('sdk.phone("(11) 98765-4321", "BR")', world), "+5511987654321")
  })

  it("runs with only fetch, Web Crypto and their kin, as in a worker without manual redirects", async () => {
    const asked: Array<string> = []
    const worker = createContext({
      ...{ AbortController, AbortSignal, Blob, Headers, ReadableStream, Response, TextDecoder, TextEncoder, URL },
      ...{ URLSearchParams, clearTimeout, crypto, setTimeout },
      fetch: (url: string, init: RequestInit) => {
        asked.push(`${init.method} ${url} ${init.redirect}`)
        return Promise.resolve(Response.json({ id: "msg_1" }))
      }
    })
    runInContext(await bundled(join(client.dist, "index.js"), "iife"), worker)
    const seen = await runInContext(
      `(async () => {
        const carteiro = new sdk.Carteiro({ apiKey: "svc_sbx_test", baseUrl: "https://api.example" })
        const sent = await carteiro.messages.send({})
        const body = new TextEncoder().encode('{"id":"evt_1"}')
        const event = await carteiro.webhooks.verify(body, await carteiro.webhooks.sign(body, "whsec_a"), "whsec_a")
        return [sent.id, event.id].join(" ")
      })()`,
      worker
    )
    assert.strictEqual(seen, "msg_1 evt_1")
    assert.deepStrictEqual(asked, ["POST https://api.example/v1/messages manual"])
  })

  it("shows documentation on hover, and leads to declarations with their text", async () => {
    const user = await installed(client)
    const hovers = hoversOf(
      user,
      `import { Carteiro, type CarteiroApiError } from "@carteiro/sdk"
const carteiro = new Carteiro({ /*?*/apiKey: "svc_sbx_test" })
export const sent = (body: Carteiro.SendMessage) => carteiro./*?*/messages./*?*/send(body)
export const seen = (event: Carteiro.Event) => event.type === "message.received" && event./*?*/data
export const told = (error: CarteiroApiError) => error./*?*/code
export const walked = () => carteiro./*?*/listen()
`
    )
    assert.deepStrictEqual(
      hovers.map(({ shown }) => shown),
      [
        "(property) ClientOptions.apiKey?: string | undefined",
        "(property) Carteiro.messages: MessagesResource",
        "(method) MessagesResource.send(body: SendMessage, options?: RequestOptions): ApiPromise<MessageAccepted>",
        "(property) data: MessageReceivedData",
        "(property) CarteiroApiError.code: ErrorCode",
        "(method) CarteiroBase.listen(options?: ListenOptions): AsyncGenerator<Event, void, undefined>"
      ]
    )
    assert.match(hovers[1]?.doc ?? "", /^Messages to customers/)
    assert.match(hovers[2]?.doc ?? "", /^Send a message\.[\s\S]*Needs scope `messages:write`/)
    for (const { definition } of hovers) assert.match(definition, /@carteiro\/sdk\/[\w/]+\.d\.ts$/)
  })

  it("shows no any, no type of effect and no name of a generator in its declarations", () => {
    const declarations = globSync("**/*.d.ts", { cwd: client.dist }).map((file) =>
      readFileSync(join(client.dist, file), "utf8")
    )
    assert.notMatch(declarations.join("\n"), /\b[AMC]-[A-Z]{2,}-\d|gaps-\d/)
    const code = declarations.join("\n").replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, "")
    assert.isAbove(declarations.length, 15)
    assert.deepStrictEqual(
      code.match(/\bany\b|["'](?:effect|@effect)|\bSchema\b|\boperations\[|\bcomponents\[|\b\w+_\d+\b(?=[;,<])/g),
      null
    )
  })
})
