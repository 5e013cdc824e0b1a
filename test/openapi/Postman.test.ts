import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import postman from "postman-collection"
import { postmanCollection } from "../../packages/openapi/Postman.ts"
import { emptyFolder, Product } from "../cli-integrator/Cli.ts"
import { description, operations } from "../contract/Described.ts"
import { withoutSettings } from "../support/Program.ts"

const newman = createRequire(import.meta.url).resolve("newman/bin/newman.js")
const slow = 240_000

it("a Postman collection has every operation once behind its first run, read by Postman's own library A-VER-02", () => {
  const made = postmanCollection(JSON.parse(JSON.stringify(description)), "https://api.example.com")
  const collection = new postman.Collection(made as never)
  const ids: Array<string> = []
  collection.forEachItem((item) => {
    assert.isTrue(postman.Item.isItem(item))
    ids.push(item.id)
    const url = item.request.url.toString()
    assert.isTrue(url.startsWith("{{baseUrl}}/v1/"), url)
  })
  const ofFirstRun = (id: string) => id.startsWith("first.")
  assert.strictEqual(
    ids.findIndex((id) => !ofFirstRun(id)),
    ids.filter(ofFirstRun).length
  )
  assert.deepStrictEqual(
    ids.filter((id) => !ofFirstRun(id)).sort(),
    operations.map(({ operationId }) => operationId).sort()
  )
  assert.strictEqual(collection.variables.get("baseUrl"), "https://api.example.com")
  const send = collection.oneDeep("messages.send") as unknown as postman.Item
  assert.deepInclude(JSON.parse(send.request.body?.raw ?? ""), {
    channel: "chatapp",
    sender: { type: "chatapp_phone_number", id: "{{phone_number_id}}" }
  })
})

/** What newman writes of a run. */
interface Report {
  readonly run: {
    readonly executions: ReadonlyArray<{
      readonly item: { readonly id: string }
      readonly response?: { readonly code: number; readonly stream?: unknown }
      readonly assertions?: ReadonlyArray<{ readonly error?: { readonly message: string } }>
    }>
  }
}

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("The Postman collection", (it) => {
  it.effect(
    "25 of 25 requests of a first run answer with a success in newman, with a new key, and once more A-VER-02",
    () =>
      Effect.gen(function* () {
        const { base_url, sandbox } = yield* Product
        const folder = yield* emptyFolder
        const report = join(folder, "report.json")
        const run = Effect.callback<string>((resume) => {
          const words = ["run", `${base_url}/postman.json`, "--folder", "First run"]
          const settings = ["--env-var", `apiKey=${sandbox.api_key}`]
          const reporter = ["--reporters", "json,cli", "--reporter-json-export", report]
          execFile(
            process.execPath,
            [newman, ...words, ...settings, ...reporter],
            { env: withoutSettings(), cwd: folder, maxBuffer: 2 ** 24 },
            (_error, stdout, stderr) => resume(Effect.succeed(stdout + stderr))
          )
        })
        for (const round of ["first", "second"]) {
          const printed = yield* run
          const { executions } = (JSON.parse(readFileSync(report, "utf8")) as Report).run
          const codes = executions.map(({ item, response }) => `${item.id} ${response?.code ?? "no answer"}`)
          assert.deepStrictEqual(
            codes.filter((one) => !/ 20\d$/.test(one)),
            [],
            `${round}: ${printed}`
          )
          assert.strictEqual(codes.length, 25, printed)
          for (const { assertions } of executions) {
            assert.isAbove(assertions?.length ?? 0, 0)
            for (const { error } of assertions ?? []) assert.isUndefined(error?.message)
          }
        }
      }),
    slow
  )
})
