import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** Where clients are made, and how programs run there. */
export interface Workspace {
  readonly folder: string
  readonly description: string
  readonly bin: (name: string) => string
  readonly run: (command: ReadonlyArray<string>) => string
  readonly versionOf: (name: string) => string
}

/** What a validator that a generator makes takes for an instant. */
export interface ValidatorFacts {
  readonly name: string
  readonly version: string
  readonly settings: string
  /** A member of a request with an offset, as in `-03:00`. */
  readonly request: boolean
  /** A member of a request whose text is no instant, which the API refuses. */
  readonly text: boolean
  /** A member of an answer as the API writes it: UTC with milliseconds. */
  readonly answer: boolean
  /** A member of an answer with an offset, which the API never writes and a caller's own fixture may hold. */
  readonly foreignAnswer: boolean
}

interface Mode {
  readonly name: string
  readonly package: string
  readonly settings: string
  readonly file: string
  readonly command: (workspace: Workspace) => ReadonlyArray<string>
  /** A program that exports `takes(schema, value)` and the schemas `request` and `answer`. */
  readonly probe: string
}

const zodTakes = "export const takes = (schema, value) => schema.safeParse(value).success\n"
const valibotTakes =
  'import * as valibot from "valibot"\nexport const takes = (schema, value) => valibot.safeParse(schema, value).success\n'

const members = (request: string, answer: string, inner = "shape") =>
  `export const request = ${request}.${inner}.scheduled_at\nexport const answer = ${answer}.${inner}.created_at\n`

const configured =
  (name: string, program: ReadonlyArray<string>, content: (workspace: Workspace) => string) =>
  (workspace: Workspace): ReadonlyArray<string> => {
    const file = join(workspace.folder, `${name}.config.mjs`)
    writeFileSync(file, content(workspace))
    const [command = "", ...words] = program
    return [workspace.bin(command), ...words, file]
  }

const heyApi = (file: string, plugin: string) =>
  configured(
    file,
    ["openapi-ts", "-f"],
    ({ description, folder }) => `export default {
  input: ${JSON.stringify(description)},
  output: ${JSON.stringify(join(folder, file))},
  plugins: [${plugin}]
}
`
  )

const kubb = (file: string, options: string) =>
  configured(
    file,
    ["kubb", "generate", "--config"],
    ({ description, folder }) => `import { defineConfig } from "@kubb/core"
import { pluginOas } from "@kubb/plugin-oas"
import { pluginTs } from "@kubb/plugin-ts"
import { pluginZod } from "@kubb/plugin-zod"
export default defineConfig({
  root: ${JSON.stringify(folder)},
  input: { path: ${JSON.stringify(description)} },
  output: { path: "./${file}", format: false, lint: false },
  plugins: [pluginOas(), pluginTs(), pluginZod({ ${options} })]
})
`
  )

const heyApiZod = (file: string) =>
  `import { zBatch, zCreateBatch } from "./${file}/zod.gen"\n${zodTakes}${members("zCreateBatch", "zBatch")}`

const kubbZod = (file: string) =>
  `import { batchSchema } from "./${file}/zod/batchSchema"
import { createBatchSchema } from "./${file}/zod/createBatchSchema"
${zodTakes}${members("createBatchSchema", "batchSchema")}`

const typed = (runtime: string) => (workspace: Workspace) => [
  workspace.bin("typed-openapi"),
  workspace.description,
  ...["-r", runtime, "-o", `typed-${runtime}.ts`]
]

const modes: ReadonlyArray<Mode> = [
  {
    name: "hey-api, zod",
    package: "@hey-api/openapi-ts",
    settings: "plugin `zod`",
    file: "hey-zod",
    command: heyApi("hey-zod", '{ name: "zod" }'),
    probe: heyApiZod("hey-zod")
  },
  {
    name: "hey-api, zod",
    package: "@hey-api/openapi-ts",
    settings: 'plugin `{ name: "zod", dates: { offset: true } }`',
    file: "hey-zod-offset",
    command: heyApi("hey-zod-offset", '{ name: "zod", dates: { offset: true } }'),
    probe: heyApiZod("hey-zod-offset")
  },
  {
    name: "hey-api, valibot",
    package: "@hey-api/openapi-ts",
    settings: "plugin `valibot`",
    file: "hey-valibot",
    command: heyApi("hey-valibot", '{ name: "valibot" }'),
    probe: `import { vBatch, vCreateBatch } from "./hey-valibot/valibot.gen"\n${valibotTakes}${members("vCreateBatch", "vBatch", "entries")}`
  },
  {
    name: "orval, zod",
    package: "orval",
    settings: '`client: "zod"`',
    file: "orval-zod",
    command: configured("orval-zod", ["orval", "--config"], ({ description, folder }) => {
      const api = { input: description, output: { target: join(folder, "orval-zod.ts"), client: "zod" } }
      return `export default ${JSON.stringify({ api })}\n`
    }),
    probe: `import { BatchesCreateBody, BatchesGetResponse } from "./orval-zod"\n${zodTakes}${members("BatchesCreateBody", "BatchesGetResponse")}`
  },
  {
    name: "kubb, zod",
    package: "@kubb/plugin-zod",
    settings: "plugin `zod`",
    file: "kubb-zod",
    command: kubb("kubb-zod", ""),
    probe: kubbZod("kubb-zod")
  },
  {
    name: "kubb, zod",
    package: "@kubb/plugin-zod",
    settings: '`pluginZod({ dateType: "stringOffset" })`',
    file: "kubb-zod-offset",
    command: kubb("kubb-zod-offset", 'dateType: "stringOffset"'),
    probe: kubbZod("kubb-zod-offset")
  },
  {
    name: "openapi-zod-client, zod",
    package: "openapi-zod-client",
    settings: "`--export-schemas`",
    file: "zod-client-schemas",
    command: ({ bin, description, folder }) => [
      bin("openapi-zod-client"),
      ...[description, "-o", join(folder, "zod-client-schemas.ts"), "--export-schemas"]
    ],
    probe: `import { schemas } from "./zod-client-schemas"\n${zodTakes}${members("schemas.CreateBatch", "schemas.Batch")}`
  },
  {
    name: "typed-openapi, zod",
    package: "typed-openapi",
    settings: "`--runtime zod`",
    file: "typed-zod",
    command: typed("zod"),
    probe: `import { Batch, CreateBatch } from "./typed-zod"\n${zodTakes}${members("CreateBatch", "Batch")}`
  },
  {
    name: "typed-openapi, valibot",
    package: "typed-openapi",
    settings: "`--runtime valibot`",
    file: "typed-valibot",
    command: typed("valibot"),
    probe: `import { Batch, CreateBatch } from "./typed-valibot"\n${valibotTakes}${members("CreateBatch", "Batch", "entries")}`
  }
]

const withOffset = "2026-11-29T10:00:00-03:00"
const asAnswered = "2026-11-29T13:00:00.000Z"

/** Makes the validators of each mode, and asks them for instants. */
export const measuredValidators = async (workspace: Workspace): Promise<ReadonlyArray<ValidatorFacts>> => {
  const facts: Array<ValidatorFacts> = []
  for (const { command, file, name, package: from, probe, settings } of modes) {
    workspace.run(command(workspace))
    const program = join(workspace.folder, `validator.${file}.js`)
    const bundle = join(workspace.folder, `validator.${file}.mjs`)
    writeFileSync(program, probe)
    workspace.run([
      workspace.bin("esbuild"),
      program,
      ...["--bundle", "--format=esm", "--packages=external"],
      // What generators write runs on Zod 4, which the last Zod 3, a dependency of some of them, holds under this name.
      "--alias:zod=zod/v4",
      `--outfile=${bundle}`
    ])
    const { answer, request, takes } = await import(pathToFileURL(bundle).href)
    // A schema that takes any text measures nothing; each refuses what is no text.
    if (takes(request, 7) || takes(answer, 7)) throw new Error(`${name} takes a number for an instant`)
    facts.push({
      ...{ name, version: workspace.versionOf(from), settings },
      request: takes(request, withOffset),
      text: takes(request, "tomorrow"),
      answer: takes(answer, asAnswered),
      foreignAnswer: takes(answer, withOffset)
    })
  }
  return facts
}
