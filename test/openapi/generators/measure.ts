import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { facetsOf } from "./Facets.ts"
import { type GeneratorFacts, tableOf, validatorTableOf } from "./Table.ts"
import { measuredValidators } from "./Validators.ts"

// node test/openapi/generators/measure.ts: makes a client with each generator and writes what its callers get to facts.json
// and into the table of the guide.
// The generators are installed by `npm ci` in this folder, which stands outside the workspaces.

const here = import.meta.dirname
const description = join(here, "../../../schema/openapi.json")
const work = join(here, "../../../.carteiro/generators")
const bin = (name: string) => join(here, "node_modules/.bin", name)
const node = process.execPath

/** Programs of a caller: each fact holds when its program compiles in strict mode. */
interface Probes {
  /** `idempotency-key` is an argument where it is optional. */
  readonly optionalKey: string
  /** `idempotency-key` is an argument where it is required, and a call without it does not compile. */
  readonly requiredKey: string
  /** The content of a message narrows by its `type`. */
  readonly unions: string
  /** A list takes `starting_after`, and `next_cursor` of its answer is text or null. */
  readonly paging: string
  /** A filter takes an instant with an offset, as in `-03:00`. */
  readonly instants: string
}

interface Generator {
  readonly name: string
  readonly package: string
  /** Settings that the client is made with; empty for none. */
  readonly settings: string
  readonly command: ReadonlyArray<string>
  readonly head: string
  readonly probes: Probes
}

const bodies = "declare const body: any\ndeclare const report: any\n"
const narrows =
  'export const seen = (m: SendMessage["message"]): string => (m.type === "text" ? m.text.body : m.type)\n'
const instant = '"2026-01-01T09:00:00-03:00"'
const refused = "// @ts-expect-error a call without the key\n"

writeConfigurations()

const generators: ReadonlyArray<Generator> = [
  {
    name: "hey-api",
    package: "@hey-api/openapi-ts",
    settings: "",
    command: [bin("openapi-ts"), "-i", description, "-o", join(work, "hey-api")],
    head: `import { feedbackCreate, messagesList, messagesSend } from "./hey-api/sdk.gen"
import type { SendMessage } from "./hey-api/types.gen"
`,
    probes: {
      optionalKey: 'messagesSend({ body, headers: { "idempotency-key": "a" } })',
      requiredKey: `feedbackCreate({ body: report, headers: { "idempotency-key": "a" } })\n${refused}feedbackCreate({ body: report })`,
      unions: narrows,
      paging:
        'const next: string | null | undefined = (await messagesList({ query: { starting_after: "a" } })).data?.next_cursor',
      instants: `messagesList({ query: { created_after: ${instant} } })`
    }
  },
  {
    name: "orval",
    package: "orval",
    settings: '`output.headers: true`, `client: "fetch"`',
    command: [bin("orval"), "--config", join(work, "orval.config.mjs")],
    head: `import { feedbackCreate, messagesList, messagesSend, type SendMessage } from "./orval/api"\n`,
    probes: {
      optionalKey: 'messagesSend(body, { "idempotency-key": "a" })',
      requiredKey: `feedbackCreate(report, { "idempotency-key": "a" })\n${refused}feedbackCreate(report)`,
      unions: narrows,
      paging: `const answer = await messagesList({ starting_after: "a" })
const next: string | null | undefined = answer.status === 200 ? answer.data.next_cursor : null`,
      instants: `messagesList({ created_after: ${instant} })`
    }
  },
  {
    name: "kubb",
    package: "@kubb/core",
    settings: "plugins `oas`, `ts` and `client`",
    command: [bin("kubb"), "generate", "--config", join(work, "kubb.config.mjs")],
    head: `import { feedbackCreate } from "./kubb/clients/feedback/create"
import { messagesList } from "./kubb/clients/messages/list"
import { messagesSend } from "./kubb/clients/messages/send"
import type { SendMessage } from "./kubb/types/SendMessage"
`,
    probes: {
      optionalKey: 'messagesSend(body, { "idempotency-key": "a" })',
      requiredKey: `feedbackCreate(report, { "idempotency-key": "a" })\n${refused}feedbackCreate(report)`,
      unions: narrows,
      paging: 'const next: string | null | undefined = (await messagesList({ starting_after: "a" })).next_cursor',
      instants: `messagesList({ created_after: ${instant} })`
    }
  },
  {
    name: "swagger-typescript-api",
    package: "swagger-typescript-api",
    settings: "",
    command: [
      bin("swagger-typescript-api"),
      "generate",
      "-p",
      description,
      "-o",
      join(work, "swagger"),
      "-n",
      "api.ts"
    ],
    head: `import { Api, type SendMessage } from "./swagger/api"\nconst { v1 } = new Api()\n`,
    probes: {
      optionalKey: 'v1.messagesSend(body, { "idempotency-key": "a" })',
      requiredKey: `v1.feedbackCreate(report, { "idempotency-key": "a" })\n${refused}v1.feedbackCreate(report)`,
      unions: narrows,
      paging:
        'const next: string | null | undefined = (await v1.messagesList({ starting_after: "a" })).data.next_cursor',
      instants: `v1.messagesList({ created_after: ${instant} })`
    }
  },
  {
    name: "openapi-zod-client",
    package: "openapi-zod-client",
    settings: "`--export-schemas`",
    command: [bin("openapi-zod-client"), description, "-o", join(work, "zod-client.ts"), "--export-schemas"],
    head: `import type { z } from "zod"
import { createApiClient, schemas } from "./zod-client"
const api = createApiClient("http://127.0.0.1")
type SendMessage = z.infer<typeof schemas.SendMessage>
`,
    probes: {
      optionalKey: 'api["messages.send"](body, { headers: { "idempotency-key": "a" } })',
      requiredKey: `api["feedback.create"](report, { headers: { "idempotency-key": "a" } })\n${refused}api["feedback.create"](report)`,
      unions: narrows,
      paging:
        'const next: string | null | undefined = (await api["messages.list"]({ queries: { starting_after: "a" } })).next_cursor',
      instants: `api["messages.list"]({ queries: { created_after: ${instant} } })`
    }
  },
  {
    name: "openapi-typescript-codegen",
    package: "openapi-typescript-codegen",
    settings: "`--useOptions --useUnionTypes`",
    command: [
      node,
      join(here, "node_modules/openapi-typescript-codegen/bin/index.js"),
      ...["--input", description, "--output", join(work, "codegen"), "--useOptions", "--useUnionTypes"]
    ],
    head: `import { FeedbackService, MessagesService, type SendMessage } from "./codegen"\n`,
    probes: {
      optionalKey: 'MessagesService.messagesSend({ requestBody: body, idempotencyKey: "a" })',
      requiredKey: `FeedbackService.feedbackCreate({ requestBody: report, idempotencyKey: "a" })\n${refused}FeedbackService.feedbackCreate({ requestBody: report })`,
      unions: narrows,
      paging: `const page = await MessagesService.messagesList({ startingAfter: "a" })
const next: string | null = "has_more" in page ? page.next_cursor : null`,
      instants: `MessagesService.messagesList({ createdAfter: ${instant} })`
    }
  },
  {
    name: "oazapfts",
    package: "oazapfts",
    settings: "",
    command: [bin("oazapfts"), description, join(work, "oazapfts.ts")],
    head: `import { feedbackCreate, messagesList, messagesSend, type SendMessage } from "./oazapfts"\n`,
    probes: {
      optionalKey: 'messagesSend(body, { idempotencyKey: "a" })',
      requiredKey: `feedbackCreate("a", report)\n${refused}feedbackCreate(undefined, report)`,
      unions: narrows,
      paging: `const answer = await messagesList({ startingAfter: "a" })
const next: string | null = "has_more" in answer.data ? answer.data.next_cursor : null`,
      instants: `messagesList({ createdAfter: ${instant} })`
    }
  },
  {
    name: "typed-openapi",
    package: "typed-openapi",
    settings: "",
    command: [bin("typed-openapi"), description, "-o", "typed-openapi.ts"],
    head: `import { createApiClient, type Schemas } from "./typed-openapi"
declare const fetcher: any
const api = createApiClient(fetcher)
type SendMessage = Schemas.SendMessage
`,
    probes: {
      optionalKey: 'api.post("/v1/messages", { body, header: { "idempotency-key": "a" } })',
      requiredKey: `api.post("/v1/feedback", { body: report, header: { "idempotency-key": "a" } })\n${refused}api.post("/v1/feedback", { body: report })`,
      unions: narrows,
      paging:
        'const next: string | null | undefined = (await api.get("/v1/messages", { query: { starting_after: "a" } })).next_cursor',
      instants: `api.get("/v1/messages", { query: { created_after: ${instant} } })`
    }
  }
]

function writeConfigurations(): void {
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  symlinkSync(join(here, "node_modules"), join(work, "node_modules"))
  const orval = {
    carteiro: { input: description, output: { target: join(work, "orval/api.ts"), headers: true, client: "fetch" } }
  }
  writeFileSync(join(work, "orval.config.mjs"), `export default ${JSON.stringify(orval)}\n`)
  const imported = (name: string, plugin: string) => `import { ${plugin} } from "@kubb/${name}"\n`
  const kubb = `${imported("core", "defineConfig")}${imported("plugin-oas", "pluginOas")}${imported("plugin-ts", "pluginTs")}${imported("plugin-client", "pluginClient")}
export default defineConfig({
  root: ${JSON.stringify(work)},
  input: { path: ${JSON.stringify(description)} },
  output: { path: "./kubb", format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginClient()]
})
`
  writeFileSync(join(work, "kubb.config.mjs"), kubb)
}

/** Runs a program to its end and returns what it printed; a failure ends the measurement. */
const run = ([program = "", ...words]: ReadonlyArray<string>): string =>
  execFileSync(program, words, { cwd: work, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 26 })

const probeFile = (name: string, fact: string) => `probe.${name}.${fact}.ts`

/** Compiles every probe beside the clients, and returns the files with an error. */
const faultyFiles = (): ReadonlySet<string> => {
  const modules = (name: string) => join(here, "node_modules", name)
  writeFileSync(
    join(work, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        ...{ target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom", "dom.iterable"] },
        ...{ strict: true, noEmit: true, skipLibCheck: true, allowImportingTsExtensions: true, types: [] }
      },
      files: readdirSync(work).filter((file) => file.startsWith("probe."))
    })
  )
  const { stdout } = spawnSync(node, [modules("typescript/bin/tsc"), "-p", work, "--pretty", "false"], {
    cwd: work,
    encoding: "utf8"
  })
  return new Set([...stdout.matchAll(/^(\S+?)\(\d+,\d+\): error /gm)].map(([, file = ""]) => file))
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8")).version

for (const { command, head, name, probes } of generators) {
  run(command)
  for (const [fact, program] of Object.entries(probes)) {
    writeFileSync(join(work, probeFile(name, fact)), `${head}${bodies}${program}\nexport {}\n`)
  }
}
const faulty = faultyFiles()
/** The linters' own exit codes: 0 when they report nothing. */
const lint = (program: string, ...words: ReadonlyArray<string>): number | null =>
  spawnSync(bin(program), words, { cwd: here, stdio: "ignore" }).status

const facts = {
  facets: facetsOf(JSON.parse(readFileSync(description, "utf8"))),
  linters: {
    [`@stoplight/spectral-cli ${versionOf("@stoplight/spectral-cli")}`]: lint(
      "spectral",
      ...["lint", "-r", ".spectral.yaml", "--fail-severity", "hint", description]
    ),
    [`@redocly/cli ${versionOf("@redocly/cli")}`]: lint("redocly", "lint", "--config", "redocly.yaml", description)
  },
  generators: generators.map(({ name, package: from, probes, settings }) => ({
    name,
    version: versionOf(from),
    settings,
    ...Object.fromEntries(Object.keys(probes).map((fact) => [fact, !faulty.has(probeFile(name, fact))]))
  })),
  validators: await measuredValidators({ folder: work, description, bin, run, versionOf })
}
const guide = join(here, "../../../docs/generated-clients.md")
/** Puts a table in the place of the one with the same first column, between two blank lines. */
const replaced = (text: string, column: string, table: string): string => {
  const [before, after] = text.split(new RegExp(`\\n\\| ${column} [^\\n]*\\n(?:\\|[^\\n]*\\n)+\\n`))
  if (before === undefined || after === undefined) throw new Error(`the guide has no table of ${column}`)
  return `${before}\n${table}\n${after}`
}
const generatorFacts = facts.generators as unknown as ReadonlyArray<GeneratorFacts>
const withGenerators = replaced(readFileSync(guide, "utf8"), "generator", tableOf(generatorFacts))
writeFileSync(guide, replaced(withGenerators, "validator", validatorTableOf(facts.validators)))
writeFileSync(join(here, "facts.json"), `${JSON.stringify(facts, null, 2)}\n`)
process.stdout.write([...faulty].join("\n"))
