import { execFile } from "node:child_process"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import type { Program } from "./clients/Story.ts"

const root = join(import.meta.dirname, "../..")
const project = join(root, ".carteiro/generated-clients")

/** Runs a script to its end; what it printed when it failed. */
const script = (...argv: ReadonlyArray<string>) =>
  Effect.callback<string>((resume) => {
    execFile(process.execPath, argv, { cwd: root }, (error, stdout, stderr) =>
      resume(Effect.succeed(error === null ? "" : `${error.message}\n${stdout}${stderr}`))
    )
  })

/** The project of an integrator: two generated clients and a program for each. */
class Clients extends Context.Service<Clients, { readonly problems: string }>()("@carteiro/test/openapi/Clients") {
  static readonly layer = Layer.effect(
    Clients,
    Effect.map(script(join(import.meta.dirname, "clients/generate.ts"), project), (problems) =>
      Clients.of({ problems })
    )
  )
}

const context = Layer.merge(WholeProduct(), Clients.layer)

it.layer(context, { excludeTestServices: true })("Clients made from /openapi.json", (it) => {
  it.effect("two generators make clients that compile with their programs", () =>
    Effect.gen(function* () {
      const { problems } = yield* Clients
      assert.strictEqual(problems, "")
      assert.strictEqual(yield* script("node_modules/typescript/bin/tsc", "-p", project), "")
    })
  )

  it.effect.each(["OpenapiFetch", "HeyApi"])(
    "%s creates an endpoint, sends a message, reads a list and knows a refusal by its code A-VER-02 A-ERR-01",
    (name) =>
      Effect.gen(function* () {
        const { acme, baseUrl } = yield* Api
        const { sandbox } = yield* seedProject(acme.organization_id, name.toLowerCase())
        const number = yield* seedNumber(sandbox)
        const program = (yield* Effect.promise(() => import(join(project, `${name}.ts`)))) as Program
        const seen = yield* Effect.promise(() => program.run({ baseUrl, key: sandbox.key, phoneNumberId: number.id }))
        assert.match(seen.endpoint.id, /^we_/)
        assert.isAbove(seen.endpoint.secret.length, 20)
        assert.deepStrictEqual(seen.endpoint.events, ["message.sent", "message.received"])
        assert.strictEqual(seen.sent.status, "queued")
        assert.strictEqual(seen.again, seen.sent.id)
        assert.deepStrictEqual(seen.listed, [{ id: seen.sent.id, to: "+5511912345678", failure: null }])
        assert.isFalse(seen.more)
        assert.strictEqual(seen.refused, "no number at sender.id")
      })
  )
})
