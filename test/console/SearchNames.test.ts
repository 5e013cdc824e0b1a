import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, type Visitor } from "./Visitor.ts"

/** Where a search of these words leads to. */
const find = (someone: Visitor, words: string) =>
  Effect.map(someone.get(`/dashboard/search?q=${encodeURIComponent(words)}`), ({ text }) =>
    [...text.slice(text.indexOf("<main")).matchAll(/href="([^"]+)" data-hit/g)].map(([, address = ""]) => address)
  )

it.layer(DashboardTest, { excludeTestServices: true })("The search by names", (it) => {
  it.effect(
    "finds customers by name and templates by how their name begins, also for members, none of others A-CONV-21",
    () =>
      Effect.gen(function* () {
        const { acme, other, post } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const customerOf = Effect.fnUntraced(function* (at: typeof acme.sandbox, from: string, name: string) {
          const { id: to } = yield* seedNumber(at)
          const spoken = { channel: "chatapp", from, to, type: "text", text: { body: "Oi" } }
          assert.strictEqual((yield* post("/v1/sandbox/inbound-messages", spoken, { key: at.key })).status, 202)
          yield* turnBy(5_000)
          const [contact] = yield* sql<{ readonly id: string }>`update contacts set profile_name = ${name}
          where environment_id = ${at.id} and phone = ${from} returning id`
          return `/dashboard/contacts/${at.id}/${contact?.id}`
        })
        const celia = yield* customerOf(acme.sandbox, "+5531987650001", "Antônia Célia Brandão")
        yield* customerOf(other.sandbox, "+5531987650002", "Célia Brandão de Outra Loja")
        const templates: Array<string> = []
        for (const name of ["pedido_pronto", "pedido_pronto_hoje"]) {
          const drafted = { name, language: "pt_BR", category: "utility", components: [{ type: "BODY", text: "Oi" }] }
          const made = yield* post("/v1/templates", drafted, { key: acme.sandbox.key })
          assert.strictEqual(made.status, 201, made.text)
          templates.push(`/dashboard/templates/${acme.sandbox.id}/${made.body.id}`)
        }
        const owner = yield* signedIn(acme)
        const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
        for (const someone of [owner, member]) {
          const open = (words: string) => someone.get(`/dashboard/search?open=1&q=${encodeURIComponent(words)}`)
          for (const words of ["celia brandao", "Antônia", "CÉLIA"])
            assert.deepStrictEqual(yield* find(someone, words), [celia], words)
          assert.strictEqual((yield* open("antonia celia")).headers.location, celia)
          assert.deepStrictEqual(yield* find(someone, "pedido_pr"), templates)
          assert.strictEqual((yield* open("pedido_pronto")).headers.location, templates[0])
          assert.strictEqual((yield* open("pedido_pr")).status, 200)
        }
      }).pipe(Effect.orDie)
  )
})
