import { execFile, spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { Carteiro } from "@carteiro/sdk"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { programsOf } from "../../packages/console/webhooks/VerifyParts.ts"
import { emptyFolder, settings } from "../cli-integrator/Cli.ts"
import { type Arrived, receiver } from "../cli-integrator/Receiver.ts"
import { read } from "../docs/GuideBlocks.ts"
import { startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const run = promisify(execFile)
/** Debian's own interpreters go before those of version managers, which take seconds to start. */
const path = `/usr/bin:${process.env.PATH}`

/** How a language's program is made ready once, and run; the folder is the working directory. */
interface Toolchain {
  readonly probe: ReadonlyArray<string>
  readonly compile?: ReadonlyArray<string>
  readonly run: ReadonlyArray<string>
  /** How the test names it where it is missing. */
  readonly needs: string
}

const toolchains: Readonly<Record<string, Toolchain>> = {
  Python: { probe: ["python3", "--version"], run: ["python3", "verify.py"], needs: "python3" },
  PHP: { probe: ["php", "--version"], run: ["php", "verify.php"], needs: "php-cli" },
  Go: {
    probe: ["go", "version"],
    compile: ["go", "build", "-o", "verify", "verify.go"],
    run: ["./verify"],
    needs: "golang-go"
  },
  Ruby: { probe: ["ruby", "--version"], run: ["ruby", "verify.rb"], needs: "ruby" },
  Java: {
    probe: ["javac", "-version"],
    compile: ["javac", "Verify.java"],
    run: ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "Verify"],
    needs: "default-jdk-headless"
  },
  "C#": { probe: ["mcs", "--version"], compile: ["mcs", "verify.cs"], run: ["mono", "verify.exe"], needs: "mono-mcs" }
}

/** A saved delivery, the secrets of its receiver, and the verdict on them. */
interface Case {
  readonly name: string
  readonly verdict: "verified" | "refused"
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  readonly secrets: ReadonlyArray<string>
  readonly now: number
}

/** Accents, what shells and templates of strings read as their own, and what lies outside the basic plane. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: a text that a shell or a template could take for its own
const hard = 'Olá, João! Preço: $HOME ${x} #{y} %s {0} \\n "já" `não` R$ 1.109,87 — 日本 👍🏽'

const headersOf = ({ headers }: Arrived, prefix = /^(?:svc-)?webhook-/) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      prefix.test(name) && typeof value === "string" ? [[name, value] as const] : []
    )
  )

/** Deliveries of a started product: one with hard text, one with a long text, and one after a rotation. */
const delivered = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const hook = yield* receiver(() => 200)
  const data = yield* emptyFolder
  const node = yield* startedNode({
    ...settings(url, data),
    PORT: "0",
    CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: new URL(hook.url).origin
  })
  const { base_url, sandbox } = node.file
  const client = new Carteiro({ apiKey: sandbox.api_key, baseUrl: base_url })
  const writes = (body: string) =>
    Effect.promise(() =>
      client.sandbox.simulateInbound({
        channel: "chatapp",
        from: "+5511977776666",
        to: sandbox.phone_number_id ?? "",
        type: "text",
        text: { body }
      })
    )
  const first = yield* Effect.promise(() =>
    client.webhooks.endpoints.create({ url: hook.url, subscribed_events: ["message.received"] })
  )
  yield* writes(hard)
  const short = yield* hook.request(1)
  yield* writes(`${hard} `.repeat(45))
  const long = yield* hook.request(2)
  const second = yield* Effect.promise(() => client.webhooks.endpoints.rotateSecret(first.id))
  yield* writes(hard)
  const rotated = yield* hook.request(3)
  return { short, long, rotated, first, second }
})

const casesOf = ({ first, long, rotated, second, short }: Effect.Success<typeof delivered>): ReadonlyArray<Case> => {
  const at = Number(short.headers["svc-webhook-timestamp"])
  const later = Number(rotated.headers["svc-webhook-timestamp"])
  const [own, standard] = [/^svc-webhook-/, /^webhook-/]
  const [signing, standardSigning] = [first.signing_secret, first.standard_webhooks_secret]
  const [newSigning, newStandard] = [second.signing_secret, second.standard_webhooks_secret]
  const good = { headers: headersOf(short), body: short.body, secrets: [signing], now: at }
  const changed = Uint8Array.from(short.body, (byte, index) => (index === 40 ? byte ^ 1 : byte))
  const after = { headers: headersOf(rotated), body: rotated.body, now: later }
  const verified: ReadonlyArray<readonly [string, Omit<Case, "name" | "verdict">]> = [
    ["both sets, signing secret", good],
    ["both sets, standard secret", { ...good, secrets: [standardSigning] }],
    ["own headers alone", { ...good, headers: headersOf(short, own) }],
    ["Standard Webhooks headers alone", { ...good, headers: headersOf(short, standard), secrets: [standardSigning] }],
    ["a long body", { ...good, headers: headersOf(long), body: long.body }],
    ["a long body, standard", { ...good, headers: headersOf(long), body: long.body, secrets: [standardSigning] }],
    ["300 seconds late", { ...good, now: at + 300 }],
    ["300 seconds early", { ...good, now: at - 300 }],
    ["after a rotation, new and old secret", { ...after, secrets: [newSigning, signing] }],
    ["after a rotation, old and new secret", { ...after, secrets: [signing, newSigning] }],
    ["after a rotation, new standard secret", { ...after, secrets: [newStandard] }],
    ["after a rotation, old standard secret", { ...after, secrets: [standardSigning] }]
  ]
  const emptyKey = "webhook-signature"
  const refused: ReadonlyArray<readonly [string, Omit<Case, "name" | "verdict">]> = [
    ["one bit of the body changed", { ...good, body: changed, secrets: [signing, standardSigning] }],
    ["the secret of another endpoint", { ...good, secrets: [newSigning, newStandard] }],
    ["after a rotation, old secret of the own headers", { ...after, secrets: [signing] }],
    ["another signature", { ...good, headers: { ...good.headers, "svc-webhook-signature": "0".repeat(64) } }],
    ["301 seconds late", { ...good, secrets: [signing, standardSigning], now: at + 301 }],
    ["301 seconds early", { ...good, secrets: [signing, standardSigning], now: at - 301 }],
    ["an empty secret", { ...good, secrets: [""] }],
    ["an empty signature", { ...good, headers: { ...headersOf(short, standard), [emptyKey]: "" }, secrets: ["x"] }],
    ["the other set's headers for a secret", { ...good, headers: headersOf(short, standard) }],
    ["no headers", { ...good, headers: {} }],
    ["a timestamp of another spelling", { ...good, headers: { ...good.headers, "svc-webhook-timestamp": `+${at}` } }]
  ]
  const named = (verdict: Case["verdict"], list: typeof verified) =>
    list.map(([name, rest]): Case => ({ name, verdict, ...rest }))
  return [...named("verified", verified), ...named("refused", refused)]
}

/** The cases, each saved in a folder with its number. */
class Saved extends Context.Service<Saved, { readonly folder: string; readonly cases: ReadonlyArray<Case> }>()(
  "@carteiro/test/webhooks/Saved"
) {
  static readonly layer = Layer.effect(
    Saved,
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const cases = casesOf(yield* delivered)
      for (const [index, { body, headers }] of cases.entries()) {
        const saved = join(folder, String(index))
        mkdirSync(saved)
        writeFileSync(join(saved, "body.json"), body)
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`)
        writeFileSync(join(saved, "headers.txt"), lines.join(""))
      }
      return { folder, cases }
    })
  ).pipe(Layer.provide(TestDatabase.layer))
}

it.layer(Saved.layer, { excludeTestServices: true, timeout: 240_000 })("Programs of the guide", (it) => {
  const programs = programsOf(read("docs/webhooks.md"))

  it("there is one for each language A-SIG-07", () =>
    assert.deepStrictEqual(
      programs.map(({ name }) => name),
      Object.keys(toolchains)
    ))

  for (const { file, name, source } of programs) {
    const toolchain = toolchains[name]
    if (toolchain === undefined) throw new Error(`no toolchain for ${name}`)
    const [probe = "", ...words] = toolchain.probe
    const isInstalled = spawnSync(probe, words, { env: { ...process.env, PATH: path } }).status === 0
    const promise = `${name} verifies deliveries of both header sets, and refuses what is changed, stale or signed by others A-SIG-07..12`
    it.effect.skipIf(!isInstalled)(
      isInstalled ? promise : `${promise} (${toolchain.needs} is not installed)`,
      () =>
        Effect.gen(function* () {
          const { cases, folder } = yield* Saved
          writeFileSync(join(folder, file), source)
          const started = ([program = "", ...rest]: ReadonlyArray<string>, secret = "") =>
            Effect.promise(() =>
              run(program, rest, {
                cwd: folder,
                env: { ...process.env, PATH: path, SECRET: secret, GOCACHE: join(folder, ".go"), GOFLAGS: "-mod=mod" }
              })
            )
          if (toolchain.compile !== undefined) yield* started(toolchain.compile)
          for (const [index, { name: what, now, secrets, verdict }] of cases.entries()) {
            const files = [`${index}/headers.txt`, `${index}/body.json`]
            const { stdout } = yield* started([...toolchain.run, ...files, String(now)], secrets.join(","))
            assert.strictEqual(stdout.trim(), verdict, what)
          }
        }),
      240_000
    )
  }
})
