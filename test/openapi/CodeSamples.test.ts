import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { inspect } from "node:util"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { afterAll, describe } from "vitest"
import { Commands, carteiro } from "../cli-integrator/Cli.ts"
import { codesFor, operations } from "../contract/Described.ts"
import { seedThings } from "../contract/Stage.ts"
import { Api } from "../support/ApiTest.ts"
import { withoutSettings } from "../support/Program.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

interface Sample {
  readonly label: string
  readonly source: string
}

const samplesOf = (operationId: string): Readonly<Record<string, string>> => {
  const one = operations.find((each) => each.operationId === operationId)
  const samples = (one as { readonly "x-codeSamples"?: ReadonlyArray<Sample> } | undefined)?.["x-codeSamples"] ?? []
  return Object.fromEntries(samples.map(({ label, source }) => [label, source]))
}

/** The operations that people call most; reads stand behind what they read. */
const mostUsed = [
  "account.get",
  "sandbox.quickstart",
  "sandbox.simulateInbound",
  "messages.send",
  "messages.list",
  "messages.get",
  "messages.cancel",
  "templates.create",
  "templates.list",
  "templates.get",
  "templates.submit",
  "contacts.optIn",
  "contacts.optOut",
  "contacts.list",
  "contacts.get",
  "batches.create",
  "batches.list",
  "batches.get",
  "batches.recipients",
  "audiences.create",
  "media.uploads.create",
  "media.list",
  "media.get",
  "phoneNumbers.list",
  "phoneNumbers.get",
  "webhooks.endpoints.create",
  "webhooks.endpoints.list",
  "webhooks.events.list",
  "webhooks.events.get",
  "payments.create",
  "payments.list",
  "payments.get",
  "billing.balance",
  "apiKeys.list"
]

/** Runs a program in the shell and returns what it printed, whatever its exit code. */
const run = (file: string, words: ReadonlyArray<string>, env: NodeJS.ProcessEnv) =>
  Effect.promise(
    () =>
      new Promise<string>((resolve) => {
        execFile(file, [...words], { cwd: root, env, timeout: 240_000 }, (_, stdout, stderr) =>
          resolve(stdout.trim() === "" ? stderr : stdout)
        )
      })
  )

it("every operation has a call with curl and the SDK, and with the command line where it sends JSON A-VER-02", () => {
  for (const { operationId } of operations) {
    const labels = operationId === "media.blobs.put" ? ["curl", "SDK"] : ["curl", "SDK", "CLI"]
    assert.deepStrictEqual(Object.keys(samplesOf(operationId)), labels, operationId)
  }
})

describe("The calls with the SDK", () => {
  mkdirSync(join(root, ".carteiro"), { recursive: true })
  const folder = mkdtempSync(join(root, ".carteiro/samples-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it.effect(
    "type-check in strict mode, all of them A-VER-02",
    () =>
      Effect.gen(function* () {
        for (const { operationId } of operations) {
          writeFileSync(join(folder, `${operationId}.ts`), samplesOf(operationId).SDK ?? "")
        }
        const compilerOptions = {
          types: ["node"],
          typeRoots: [join(root, "node_modules/@types")],
          noUnusedLocals: false
        }
        const project = { extends: join(root, "tsconfig.base.json"), compilerOptions, include: ["*.ts"] }
        writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(project))
        const tsc = join(root, "node_modules/typescript/bin/tsc")
        assert.strictEqual(yield* run(process.execPath, [tsc, "-p", folder], process.env), "")
      }),
    240_000
  )
})

/** Returns the words of a call of the command line, as the shell reads them. */
const wordsOf = (source: string) =>
  Effect.map(run("bash", ["-c", `carteiro() { printf '%s\\0' "$@"; }\n${source}`], process.env), (text) =>
    text.split("\0").slice(0, -1)
  )

/** Runs a program of the SDK in this process; returns its answer as JSON, or its error as Node.js prints one. */
const answerOf = Effect.fnUntraced(function* (name: string, source: string) {
  const file = join(root, ".carteiro", `sample-${process.pid}-${name}.ts`)
  writeFileSync(file, `${source}\nexport { answer }\n`)
  const program = () => import(pathToFileURL(file).href) as Promise<{ readonly answer: unknown }>
  const printed = Effect.promise(() => program().then(({ answer }) => JSON.stringify(answer), inspect))
  return yield* Effect.ensuring(
    printed,
    Effect.sync(() => rmSync(file))
  )
})

/** Sets variables of this process for as long as the scope lives: the SDK and programs read them. */
const withVariables = (variables: Readonly<Record<string, string>>) =>
  Effect.acquireRelease(
    Effect.sync(() => void Object.assign(process.env, variables)),
    () =>
      Effect.sync(() => {
        for (const name of Object.keys(variables)) delete process.env[name]
      })
  )

const product = Layer.merge(WholeProduct(), Commands.layer)

it.layer(product, { excludeTestServices: true, timeout: 240_000 })("The calls that people copy most", (it) => {
  it.effect(
    "answer as described when their ids are filled in: with curl, with the SDK, on the command line A-VER-02",
    () =>
      Effect.gen(function* () {
        const { acme, baseUrl } = yield* Api
        const { sandbox } = yield* seedProject(acme.organization_id, "samples")
        const things: Readonly<Record<string, string>> = yield* seedThings(sandbox)
        const filled = (source: string) =>
          Object.entries(things)
            .reduce((text, [name, id]) => text.replaceAll(new RegExp(`\\b${name.toUpperCase()}\\b`, "g"), id), source)
            .replaceAll(/\bpn_\w{26}\b/g, things.phone_number_id ?? "")
        const settings = { CARTEIRO_API_KEY: sandbox.key, CARTEIRO_API_BASE: baseUrl }
        const env = { ...withoutSettings(), ...settings }
        yield* withVariables(settings)
        const judge = (operationId: string, label: string, answer: string) => {
          const one = operations.find((each) => each.operationId === operationId)
          assert.isDefined(one, operationId)
          const code = /\bcode"?: ?["']?(\w+)/.exec(answer)?.[1]
          const isRefusal = /"error":|^error|Error:/m.test(answer)
          if (!isRefusal)
            return assert.match(answer, /"?object"?: ?["']\w+["']/, `${operationId} with ${label}: ${answer}`)
          // Made a second time, by another way of calling: there already, or past it.
          assert.include(
            Object.keys(one?.responses ?? {}).flatMap((status) => (one ? codesFor(one, Number(status)) : [])),
            code,
            `${operationId} with ${label}: ${answer}`
          )
          assert.notMatch(code ?? "", /^invalid_|_not_found$|exception/, `${operationId} with ${label}: ${answer}`)
        }
        for (const operationId of mostUsed) {
          const { CLI, SDK, curl } = samplesOf(operationId)
          judge(
            operationId,
            "curl",
            yield* run("bash", ["-c", `curl() { command curl -s "$@"; }\n${filled(curl ?? "")}`], env)
          )
          const { stderr, stdout } = yield* carteiro(root, settings, ...(yield* wordsOf(filled(CLI ?? ""))), "--json")
          judge(operationId, "CLI", stdout.trim() === "" ? stderr : stdout)
          judge(operationId, "SDK", yield* answerOf(operationId, filled(SDK ?? "")))
        }
      }).pipe(Effect.scoped),
    600_000
  )
})
