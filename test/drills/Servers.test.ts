import { existsSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { drill } from "./Drill.ts"

const debian15 = "/usr/lib/postgresql/15/bin"
const hasDebian15 = existsSync(debian15)
const unlessDebian15 = hasDebian15 ? "" : " (not run: Debian's postgresql-15 is missing)"

describe("The drills of PostgreSQL's servers", () => {
  it.live(
    `an idle node costs Debian's PostgreSQL 15 at most 2 % of a core${unlessDebian15}`,
    () =>
      Effect.gen(function* () {
        if (!hasDebian15) return
        const { code, output } = yield* drill("idle.mjs", { PGBIN: debian15 })
        assert.match(output, /^PostgreSQL 15\.\d+ .*; jit = on for sessions of others$/m)
        assert.match(output, /^PostgreSQL took \d\.\d % of a core for an idle node, at most 2 %\npassed\n$/m)
        assert.strictEqual(code, 0)
      }),
    600_000
  )

  it.live(
    `a newer major version takes over by logical replication: no row differs, nothing answered is lost${unlessDebian15}`,
    () =>
      Effect.gen(function* () {
        if (!hasDebian15) return
        const { code, output } = yield* drill("major.mjs", { PGBIN: debian15 })
        for (const step of ["the new server copies and follows", "the nodes change over"]) {
          assert.include(output, `${step}: lost 0, there twice 0, refused 0, unanswered 0`)
        }
        assert.match(output, /^tables: \d+, of them different: 0$/m)
        assert.match(output, /the console's activity is counted on: true\npassed\n$/)
        assert.strictEqual(code, 0)
      }),
    900_000
  )
})
