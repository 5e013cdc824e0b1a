import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { envelopeOf } from "@carteiro/schema/conventions/Event.ts"
import { subscribableEvents } from "@carteiro/schema/webhooks/EventCatalog.ts"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { afterAll, beforeAll } from "vitest"
import { root, run } from "../sdk/Packed.ts"

const home = join(root, "packages/n8n-nodes-carteiro")

/** A property of a node as n8n shows it. */
interface Property {
  readonly displayName: string
  readonly name: string
  readonly type: string
  readonly default: unknown
  readonly description?: string
  readonly options?: ReadonlyArray<Property & { readonly value?: string; readonly values?: ReadonlyArray<Property> }>
}

interface Translated {
  readonly displayName?: string
  readonly options?: Readonly<Record<string, Translated & { readonly values?: Readonly<Record<string, Translated>> }>>
}

interface NodeClass {
  readonly prototype: { execute(this: object): Promise<ReadonlyArray<ReadonlyArray<{ readonly json: unknown }>>> }
  new (): { readonly description: { readonly name: string; readonly properties: ReadonlyArray<Property> } }
}

let folder = ""
let load: (path: string) => Readonly<Record<string, NodeClass>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "carteiro-n8n-"))
  await run(process.execPath, [join(home, "build.mjs"), join(folder, "dist")])
  // n8n itself is not installed here: these are the names that descriptions need of it.
  const stub = join(folder, "node_modules/n8n-workflow")
  mkdirSync(stub, { recursive: true })
  writeFileSync(
    join(stub, "index.js"),
    'exports.NodeConnectionTypes = { Main: "main" }; exports.NodeApiError = Error; exports.NodeOperationError = Error'
  )
  const require = createRequire(join(folder, "index.js"))
  load = (path) => require(join(folder, path))
}, 60_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

const nodes = (): ReadonlyArray<readonly [string, InstanceType<NodeClass>["description"]]> =>
  ["Carteiro", "CarteiroTrigger"].map((name) => {
    const Node = load(`dist/nodes/${name}/${name}.node.js`)[name]
    if (Node === undefined) throw new Error(`no class ${name}`)
    return [name, new Node().description] as const
  })

const optionsOf = (name: string, property: string): ReadonlyArray<string> =>
  (nodes().find(([node]) => node === name)?.[1].properties ?? [])
    .filter((each) => each.name === property)
    .flatMap(({ options = [] }) => options.map(({ value = "" }) => value))

it("the built nodes load nothing but n8n-workflow and their own files, and use no global that n8n refuses", () => {
  const files = globSync("dist/**/*.js", { cwd: folder })
  assert.isAbove(files.length, 3)
  for (const file of files) {
    const code = readFileSync(join(folder, file), "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "")
    const loaded = [...code.matchAll(/\b(?:require|import)\(["']([^"']+)["']\)/g)].map(([, name = ""]) => name)
    for (const name of loaded) assert.match(name, /^(n8n-workflow|\.\.?\/.+\.js)$/, file)
    assert.notMatch(
      code,
      /\b(?:globalThis|setTimeout|setInterval|setImmediate|clearTimeout|__dirname|__filename)\b/,
      file
    )
    assert.notMatch(code, /(?<![.\w])process\./, file)
  }
})

it("package.json names every built node and credential, has no dependency, and pins what its tests install", () => {
  const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"))
  const built = globSync("dist/{nodes/*/*.node,credentials/*}.js", { cwd: folder })
  assert.sameMembers([...manifest.n8n.nodes, ...manifest.n8n.credentials], built)
  assert.notProperty(manifest, "dependencies")
  for (const version of Object.values(manifest.devDependencies)) assert.match(String(version), /^\d+\.\d+\.\d+$/)
  const rootLock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"))
  assert.notProperty(rootLock.packages, "packages/n8n-nodes-carteiro")
  for (const path of Object.keys(rootLock.packages)) assert.notMatch(path, /node_modules\/n8n-/)
})

it("the trigger offers every event that an endpoint can subscribe to, in the documented order", () => {
  const types = subscribableEvents.map(({ type }) => type)
  assert.deepStrictEqual(optionsOf("CarteiroTrigger", "events"), types)
  assert.deepStrictEqual(optionsOf("Carteiro", "eventType"), types)
})

it("each sample event is what its declaration says, without a member more", async () => {
  for (const event of subscribableEvents) {
    const decode = Schema.decodeUnknownSync(envelopeOf(event) as Schema.Top as Schema.Codec<unknown>)
    const sample = await sampleOf(event.type)
    assert.doesNotThrow(() => decode(sample, { onExcessProperty: "error" }), event.type)
  }
})

/** Returns what the built node hands on for "Get Sample Event". */
const sampleOf = async (eventType: string): Promise<unknown> => {
  const parameters: Readonly<Record<string, string>> = { resource: "sandbox", operation: "getSampleEvent", eventType }
  const Node = load("dist/nodes/Carteiro/Carteiro.node.js").Carteiro
  const caller = {
    getCredentials: async () => ({ apiKey: "svc_sbx_none", baseUrl: "http://127.0.0.1:1" }),
    getInputData: () => [{ json: {} }],
    getNodeParameter: (name: string) => parameters[name]
  }
  const [[item] = []] = (await Node?.prototype.execute.call(caller)) ?? []
  return item?.json
}

it("every label of both nodes has a Portuguese one, in the form that n8n's translations have", () => {
  for (const [name, description] of nodes()) {
    const file = join(home, `nodes/${name}/translations/pt-BR/${description.name}.json`)
    const { nodeView } = JSON.parse(readFileSync(file, "utf8")) as {
      readonly nodeView: Readonly<Record<string, Translated>>
    }
    for (const property of description.properties) checkLabels(property, nodeView[property.name], property.name)
  }
})

const checkLabels = (property: Property, translated: Translated | undefined, path: string): void => {
  assert.isNotEmpty(translated?.displayName, path)
  for (const option of property.options ?? []) {
    const key = option.value ?? option.name
    if (/^[a-z_]+\.[a-z_]+$/.test(key)) continue
    const inside = translated?.options?.[key]
    if (option.value !== undefined || option.values !== undefined)
      assert.isNotEmpty(inside?.displayName, `${path} ${key}`)
    else checkLabels(option, inside, `${path} ${key}`)
    for (const value of option.values ?? [])
      checkLabels(value, inside?.values?.[value.name], `${path} ${key} ${value.name}`)
  }
}
