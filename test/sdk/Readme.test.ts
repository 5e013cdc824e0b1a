import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { Product } from "../cli-integrator/Cli.ts"
import { withoutSettings } from "../support/Program.ts"
import { installed, type Packed, packed, readmeProgram, removed, run } from "./Packed.ts"
import { runtimes } from "./Runtimes.ts"

/** The packed client. */
class Client extends Context.Service<Client, Packed>()("@carteiro/test/sdk/Client") {
  static readonly layer = Layer.effect(
    Client,
    Effect.acquireRelease(Effect.promise(packed), (made) => Effect.promise(() => removed(made)))
  )
}

it.layer(Layer.merge(Client.layer, Product.alone), { excludeTestServices: true, timeout: 300_000 })(
  "The README's examples",
  (it) => {
    for (const { command, name } of runtimes()) {
      if (command === undefined) {
        it.effect.skip(`are not run on ${name}: neither the machine nor the registry has it here`, () => Effect.void)
        continue
      }
      it.effect(
        `run as printed on ${name}, from the tarball in an empty folder, against a started product`,
        () =>
          Effect.gen(function* () {
            const client = yield* Client
            const { base_url, sandbox } = yield* Product
            const { stdout } = yield* Effect.promise(async () => {
              const user = await installed(client)
              await writeFile(join(user, "main.mjs"), await readmeProgram())
              const [file, ...words] = command
              const env = {
                ...withoutSettings(),
                CARTEIRO_API_KEY: sandbox.api_key,
                CARTEIRO_API_BASE: base_url,
                DENO_DIR: join(user, "deno"),
                DENO_NO_UPDATE_CHECK: "1"
              }
              return run(file, [...words, "main.mjs"], { cwd: user, env, timeout: 120_000 })
            })
            assert.match(stdout, /^msg_\w+ queued$/m)
            assert.match(stdout, /^msg_1 was read$/m)
            assert.match(stdout, /^message\.received evt_\w+$/m)
            assert.match(stdout, /^message\.read evt_\w+$/m)
            assert.match(stdout, /^mda_\w+ pão de queijo$/m)
            assert.match(stdout, /^\+5511987654321 52998224725$/m)
            assert.match(stdout, /^invalid \+14155550100$/m)
            assert.match(stdout, /^msg_\w+ to the structured number$/m)
            assert.match(stdout, /^404 message_not_found req_\w+$/m)
          }),
        300_000
      )
    }
  }
)
