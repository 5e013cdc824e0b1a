import { Effect } from "effect"
import { BenchFailure } from "../BenchFailure.ts"
import { startProduct } from "../Product.ts"
import { limit, medianOf } from "../Report.ts"
import { alternate, charged, type Sample } from "../Rounds.ts"
import type { Workload } from "./Workload.ts"

const contacts = 10_000
const rowsEach = 1000

/** Imports on top of imports: every round brings customers whom nobody knows yet. */
const importRows = (round: number, part: number) =>
  Array.from({ length: rowsEach }, (_, n) => ({
    phone: `+55119${String((round * contacts + part * rowsEach + n) % 100_000_000).padStart(8, "0")}`,
    metadata: { plan: "gold", number: n }
  }))

/** Importing contacts, as an integrator moves in. */
export const contactImport: Workload = {
  name: "contact-import",
  about: `POST /v1/contacts/bulk-import of ${contacts} new contacts with metadata, ${rowsEach} a call with an Idempotency-Key, one call after the other.`,
  needs: [],
  run: Effect.gen(function* () {
    const product = yield* startProduct({ name: "contact-import" })
    let round = 0
    const once = Effect.gen(function* () {
      const current = round++
      const bodies = Array.from({ length: contacts / rowsEach }, (_, part) => ({ rows: importRows(current, part) }))
      const started = performance.now()
      const answers = yield* Effect.forEach(bodies, (body, part) =>
        product.sandbox.post("/v1/contacts/bulk-import", body, `import-${current}-${part}`)
      )
      const seconds = (performance.now() - started) / 1000
      const imported = answers.reduce((sum, { body }) => sum + Number(body.imported), 0)
      if (imported !== contacts) {
        return yield* new BenchFailure({ message: `${imported} of ${contacts} contacts were imported` })
      }
      return seconds
    })
    const sides = yield* alternate([
      {
        name: "carteiro",
        round: Effect.map(
          charged(product, once, () => contacts),
          ({ result: seconds, ...spent }): Sample => ({ perSecond: contacts / seconds, ...spent })
        )
      }
    ])
    const stored = yield* product.database.count("select count(*) from contacts where opt_in_status = 'opted_in'")
    return {
      unit: "contacts",
      sides,
      bars: [limit("at least 5,000 contacts a second", medianOf(sides[0], "perSecond"), (value) => value >= 5000)],
      facts: [`${stored} contacts stored after the rounds`]
    }
  })
}
