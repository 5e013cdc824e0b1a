import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { Carteiro, webhooks } from "@carteiro/sdk"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { emptyFolder, settings } from "../cli-integrator/Cli.ts"
import { clonedFolder } from "../docs/GuideShell.ts"
import { withoutSettings } from "../support/Program.ts"
import { type StartedNode, startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { root, run } from "./Packed.ts"

const slow = 240_000
const customer = "+5511977770001"

/** The blocks of a document that a reader runs in a shell of their own. */
const blocksOf = (file: string): ReadonlyArray<string> =>
  [...readFileSync(join(root, file), "utf8").matchAll(/^```shell\n(.*?)^```/gms)].map(([, block = ""]) => block)

/** A clone, the tarballs that `npm run pack` made of it, a started product, and the address where a bot may listen. */
class Ground extends Context.Service<
  Ground,
  {
    readonly clone: string
    readonly base: string
    readonly dist: string
    readonly port: number
    readonly node: StartedNode
  }
>()("@carteiro/test/sdk/Ground") {
  static readonly layer = Layer.effect(
    Ground,
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const data = yield* emptyFolder
      const { clone, folder } = yield* clonedFolder
      const port = yield* freePort()
      const allowed = `http://127.0.0.1:${port}`
      const node = yield* startedNode({
        ...settings(url, data),
        PORT: "0",
        CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: allowed
      })
      yield* Effect.promise(() => run("npm", ["run", "-s", "pack"], { cwd: clone }))
      return { clone, base: folder, dist: join(clone, "dist"), port, node }
    })
  ).pipe(Layer.provide(TestDatabase.layer))
}

/** Nothing of the clone's settings, no registry, and Node.js 24 as `node`. */
const environment = ({ node }: Ground["Service"]): Record<string, string | undefined> => ({
  ...withoutSettings(),
  PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`,
  npm_config_offline: "true",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_update_notifier: "false",
  CARTEIRO_API_KEY: node.file.sandbox.api_key,
  CARTEIRO_API_BASE: node.file.base_url
})

const bash = (script: string, cwd: string, env: Record<string, string | undefined>) =>
  Effect.promise(() => run("bash", ["-euo", "pipefail", "-c", script], { cwd, env }))

it.layer(Ground.layer, { excludeTestServices: true, timeout: slow })("npm run pack", (it) => {
  it.effect("makes a tarball of each package that integrators install, with their SHA512SUMS", () =>
    Effect.gen(function* () {
      const { dist } = yield* Ground
      const tarballs = readdirSync(dist).filter((name) => name.endsWith(".tgz"))
      for (const name of ["sdk", "cli"])
        assert.match(tarballs.join(" "), new RegExp(`carteiro-${name}-\\d+\\.\\d+\\.\\d+\\.tgz`))
      assert.strictEqual(
        readFileSync(join(dist, "SHA512SUMS"), "utf8"),
        tarballs
          .toSorted()
          .map(
            (name) =>
              `${createHash("sha512")
                .update(readFileSync(join(dist, name)))
                .digest("hex")}  ${name}\n`
          )
          .join("")
      )
    })
  )

  it.effect(
    "the README's lines install both into an empty folder, where the command line and a script of the SDK run",
    () =>
      Effect.gen(function* () {
        const ground = yield* Ground
        const env = environment(ground)
        const [block = ""] = blocksOf("README.md")
        assert.match(block, /^npm run pack /)
        // The tarballs are there, and another run would build them once more.
        const { stdout } = yield* bash(block.replace(/^npm run pack.*$/m, ""), ground.clone, env)
        assert.match(stdout, /: OK\n/)
        assert.match(stdout, /\n\d+\.\d+\.\d+\n$/)
        const project = join(ground.base, "my-app")
        assert.deepStrictEqual(
          readdirSync(join(project, "node_modules")).filter((name) => !name.startsWith(".")),
          ["@carteiro"]
        )
        const account = yield* bash("npx --no carteiro whoami --json", project, env)
        assert.strictEqual(JSON.parse(account.stdout).object, "account_profile")
        writeFileSync(
          join(project, "script.mjs"),
          'import { Carteiro } from "@carteiro/sdk"\nconsole.log((await new Carteiro().sandbox.quickstart()).object)\n'
        )
        const script = yield* bash("node script.mjs", project, env)
        assert.strictEqual(script.stdout.trim(), "sandbox_quickstart")
      }),
    slow
  )

  it.effect(
    "the starter, copied out and installed, verifies deliveries and answers a customer once",
    () =>
      Effect.gen(function* () {
        const ground = yield* Ground
        const { base_url, sandbox } = ground.node.file
        const env = environment(ground)
        const bot = join(ground.base, "starter")
        cpSync(join(root, "examples/starter"), bot, { recursive: true })
        mkdirSync(join(bot, "vendor"))
        const [install = ""] = blocksOf("examples/starter/README.md")
        const copying = /^for name in .*$/m.exec(install)?.[0] ?? ""
        yield* bash(`${copying.replaceAll("../my-bot", "../starter")}\ncd ../starter && npm install`, ground.clone, env)
        assert.isTrue(existsSync(join(bot, "package-lock.json")))

        const client = new Carteiro({ apiKey: sandbox.api_key, baseUrl: base_url })
        const hook = `http://127.0.0.1:${ground.port}/hook`
        const registered = yield* bash(`npm run -s register -- ${hook}`, bot, env)
        const [, secret = ""] = /CARTEIRO_WEBHOOK_SECRET=(whsec_[\w-]{43})/.exec(registered.stdout) ?? []
        const server = yield* startedServer(bot, {
          ...env,
          PORT: String(ground.port),
          CARTEIRO_WEBHOOK_SECRET: `whsec_old,${secret}`
        })
        assert.strictEqual((yield* Effect.promise(() => fetch(new URL("/", hook)))).status, 200)
        yield* Effect.promise(() =>
          client.sandbox.simulateInbound({
            channel: "chatapp",
            from: customer,
            to: sandbox.phone_number_id ?? "",
            type: "text",
            text: { body: "Olá, R$ 10?" }
          })
        )
        const event = yield* server.prints(/^message\.received (evt_\w+)$/m)
        const answers = () => client.messages.list({ recipient: customer, direction: "outbound" }).toArray({ limit: 5 })
        assert.lengthOf(yield* Effect.promise(answers), 1)

        const posted = (body: string, signedWith: string) =>
          Effect.promise(async () =>
            fetch(hook, {
              method: "POST",
              body,
              headers: await webhooks.sign(body, signedWith, { id: event[1] ?? "" })
            })
          )
        const again = JSON.stringify({ id: event[1], type: "message.received", data: {} })
        assert.strictEqual((yield* posted(again, secret)).status, 204)
        assert.strictEqual((yield* posted(again, "whsec_of_another")).status, 400)
        assert.strictEqual((yield* posted(`"${"a".repeat(1024 * 1024)}"`, secret)).status, 413)
        assert.lengthOf(yield* Effect.promise(answers), 1)
        server.stop("SIGTERM")
        assert.strictEqual(yield* server.exited, 0)
      }).pipe(Effect.scoped),
    slow
  )

  it("the starter's deploy files start what npm start starts, and copy each of its files", () => {
    const read = (name: string) => readFileSync(join(root, "examples/starter", name), "utf8")
    const { scripts } = JSON.parse(read("package.json"))
    assert.strictEqual(read("Procfile"), `web: ${scripts.start}\n`)
    assert.match(
      read("Dockerfile"),
      new RegExp(
        `^CMD \\[${scripts.start
          .split(" ")
          .map((word: string) => `"${word}"`)
          .join(", ")}\\]$`,
        "m"
      )
    )
    assert.match(read("Dockerfile"), /^COPY \*\.js \.\/$/m)
  })
})

/** A server of an integrator, started by `npm start`'s own command. */
interface StartedServer {
  /** Waits for an output that matches. */
  readonly prints: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
  readonly stop: (signal: NodeJS.Signals) => void
  readonly exited: Effect.Effect<number | null>
}

/** Starts `server.js` of a folder and waits until it listens; closing the scope kills it. */
const startedServer = Effect.fnUntraced(function* (folder: string, env: Readonly<Record<string, string | undefined>>) {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, ["server.js"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] })),
    (running) => Effect.sync(() => void running.kill("SIGKILL"))
  )
  let printed = ""
  const hear = new Set<() => void>()
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk) => {
      printed += String(chunk)
      for (const each of [...hear]) each()
    })
  }
  const exit = new Promise<number | null>((resolve) => child.once("close", resolve))
  const prints = (pattern: RegExp) =>
    Effect.callback<RegExpExecArray>((resume) => {
      const look = () => {
        const match = pattern.exec(printed)
        if (match === null) return
        hear.delete(look)
        resume(Effect.succeed(match))
      }
      hear.add(look)
      look()
      void exit.then((code) => resume(Effect.die(new Error(`ended with ${code}: ${printed}`))))
    })
  yield* prints(/^listening on \d+$/m)
  return {
    prints,
    stop: (signal) => void child.kill(signal),
    exited: Effect.promise(() => exit)
  } satisfies StartedServer as StartedServer
})
