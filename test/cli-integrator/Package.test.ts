import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, dirname, join } from "node:path"
import { promisify } from "node:util"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { clonedFolder, guideShell } from "../docs/GuideShell.ts"
import { carteiro, emptyFolder, Product } from "./Cli.ts"

const slow = 240_000
const root = join(import.meta.dirname, "../..")
const run = (program: string, words: ReadonlyArray<string>, cwd: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => promisify(execFile)(program, [...words], { cwd, env: { ...process.env, ...env } }))

const readme = readFileSync(join(root, "packages/cli/README.md"), "utf8")
const blocks = (language: string): ReadonlyArray<string> =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, text = ""]) => text)

it.layer(Product.layer, { excludeTestServices: true, timeout: slow })("The package", (it) => {
  it.effect(
    "runs every example of the README as printed, in a clone",
    () =>
      Effect.gen(function* () {
        const { base_url, sandbox } = yield* Product
        const clone = yield* clonedFolder
        const config = yield* emptyFolder
        const shell = yield* guideShell(clone, {
          CARTEIRO_API_KEY: sandbox.api_key,
          CARTEIRO_API_BASE: base_url,
          XDG_CONFIG_HOME: config
        })
        // A text without a template needs a customer who wrote, as the block before it makes happen.
        assert.isAbove(blocks("sh").length, 1)
        for (const block of blocks("sh")) {
          const ran = yield* shell.run(block)
          assert.deepStrictEqual([ran.status, ran.failed], [0, []], `${block}\n${ran.output}`)
        }
        for (const line of blocks("console").join("").trim().split("\n")) {
          const words = line.replace("npx --no carteiro ", "").split(" ")
          const help = yield* carteiro(config, {}, ...words, "--help")
          assert.strictEqual(help.code, 0, line)
          for (const option of words.filter((word) => word.startsWith("--"))) assert.include(help.stdout, option, line)
        }
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "installs from its tarball as one package without dependencies, and runs without the clone",
    () =>
      Effect.gen(function* () {
        const { base_url, sandbox } = yield* Product
        const folder = yield* emptyFolder
        const user = join(folder, "user")
        mkdirSync(user)
        writeFileSync(join(user, "package.json"), '{"name":"user","private":true}')
        yield* run("npm", ["pack", "--silent", "--pack-destination", folder], join(root, "packages/cli"))
        const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? ""
        yield* run("npm", ["install", "--offline", "--no-audit", "--no-fund", join(folder, tarball)], user)
        const installed = readdirSync(join(user, "node_modules")).filter((name) => !name.startsWith("."))
        assert.deepStrictEqual(installed, ["@carteiro"])
        assert.deepStrictEqual(readdirSync(join(user, "node_modules/@carteiro/cli")).toSorted(), [
          "README.md",
          "carteiro.js",
          "dist",
          "package.json"
        ])
        const env = { CARTEIRO_API_KEY: sandbox.api_key, CARTEIRO_API_BASE: base_url }
        const words = [join(user, "node_modules/@carteiro/cli/carteiro.js"), "trigger", "message.received", "--json"]
        const { stdout } = yield* run(process.execPath, words, user, env)
        assert.strictEqual(JSON.parse(stdout).events[0].type, "message.received")
        // npx takes an option before the command for its own, and npm exec one behind it.
        const byNpm = { ...env, PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}` }
        for (const [program, ...options] of [
          ["npx", "--no", "carteiro", "whoami", "--json"],
          ["npx", "--no", "carteiro", "--json", "whoami"],
          ["npm", "exec", "carteiro", "whoami", "--json"],
          ["npm", "exec", "--", "carteiro", "whoami", "--json"]
        ] as const) {
          const told = yield* run(program, options, user, byNpm)
          assert.strictEqual(JSON.parse(told.stdout).object, "account_profile", options.join(" "))
          assert.strictEqual(told.stderr, "")
        }
      }).pipe(Effect.scoped),
    slow
  )

  it.effect("completes commands, options, choices and scenarios, and its bash script calls the completion", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const complete = (...words: ReadonlyArray<string>) =>
        Effect.map(carteiro(folder, {}, "complete", "--", ...words), ({ stdout }) => stdout.trim().split("\n"))
      assert.deepStrictEqual(yield* complete("me"), ["messages", "media"])
      assert.deepStrictEqual(yield* complete("messages", ""), ["send", "tail", "help"])
      assert.includeMembers(yield* complete("messages", "send", "--t"), ["--to", "--text", "--template"])
      assert.deepStrictEqual(yield* complete("messages", "tail", "--direction", "in"), ["inbound"])
      assert.deepStrictEqual(yield* complete("trigger", "payment.p"), ["payment.paid"])
      assert.deepStrictEqual(yield* complete("completion", ""), ["bash", "zsh", "fish"])
      for (const name of ["bash", "zsh", "fish"]) {
        assert.include((yield* carteiro(folder, {}, "completion", name)).stdout, "carteiro complete --")
      }
      const bin = join(folder, "bin")
      mkdirSync(bin)
      const program = join(root, "packages/cli/carteiro.js")
      writeFileSync(join(bin, "carteiro"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 })
      const script = [
        "source <(carteiro completion bash)",
        "COMP_WORDS=(carteiro trigger template.); COMP_CWORD=2; _carteiro",
        'echo "${' + 'COMPREPLY[@]}"'
      ].join("\n")
      const { stdout } = yield* run("/bin/bash", ["-c", script], folder, { PATH: `${bin}:${process.env.PATH}` })
      assert.strictEqual(
        stdout.trim(),
        "template.approved template.category_updated template.rejected template.paused template.disabled"
      )
    }).pipe(Effect.scoped)
  )
})
