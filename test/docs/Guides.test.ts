import { readdirSync } from "node:fs"
import { join } from "node:path"
import { freePort } from "@carteiro/runtime/boot/FreePort.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { startedNode } from "../support/StartedNode.ts"
import { TestDatabase } from "../support/TestDatabase.ts"
import { blocksOf, guides } from "./GuideBlocks.ts"
import { clonedFolder, guideShell, type Ran } from "./GuideShell.ts"

/** Real processes, on a machine that may be busy with other files. In milliseconds. */
const patience = 900_000

/** Blocks that start the product or run its tests, or fetch the generators of clients, which test/openapi covers. */
const elsewhere = /^npm ci\b|\bnpx -y\b/m

/** Codes of refusals that a block says in its comments, such as `# 403 data_export_disabled`. */
const promised = (block: string): ReadonlyArray<string> =>
  [...block.matchAll(/#.*?\b[45]\d\d ([a-z_]+)/g)].map(([, code = ""]) => code)

const refusals = ({ output }: Ran): ReadonlyArray<string> =>
  [...output.matchAll(/"error":\{"type":"[a-z_]+","code":"([a-z_]+)"/g)].map(([, code = ""]) => code)

it.layer(TestDatabase.layer, { excludeTestServices: true })("The guides, in the order of the README", (it) => {
  it.effect(
    "run in one shell with curl and Node.js, every block as printed, and leave the clone unchanged",
    () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const folder = yield* clonedFolder
        const port = yield* freePort()
        const receiver = `127.0.0.1:${port}`
        const node = yield* startedNode({
          DATABASE_URL: url,
          CARTEIRO_DATA_DIR: join(folder.clone, ".carteiro"),
          CARTEIRO_WEBHOOK_TARGET_ALLOWLIST: `http://${receiver}`,
          PORT: "0"
        })
        const shell = yield* guideShell(folder, { DATABASE_URL: url, PORT: String(port) })
        const before = readdirSync(folder.clone)
        assert.isAbove(guides.length, 14)
        for (const guide of guides) {
          for (const block of blocksOf(guide)) {
            if (elsewhere.test(block)) continue
            // The receiver's own port may be taken on this machine.
            const ran = yield* shell.run(block.replaceAll("127.0.0.1:4020", receiver))
            const about = `${guide}\n${block}\n${ran.output}`
            assert.deepStrictEqual([ran.status, ran.failed], [0, []], about)
            assert.sameMembers([...refusals(ran)], [...promised(block)], about)
          }
        }
        const { output } = yield* shell.run('wait $RECEIVER; jobs -r; echo "$PWD $B"')
        assert.strictEqual(output.trim().split("\n").at(-1), `${folder.clone} ${node.file.base_url}`)
        assert.notInclude(shell.printed(), "Running")
        assert.notInclude(shell.printed(), "REFUSED")
        assert.include(shell.printed(), "verified message.read")
        assert.deepStrictEqual(readdirSync(folder.clone), before)
      }).pipe(Effect.scoped),
    patience
  )
})
