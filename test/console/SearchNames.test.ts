import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { nodesOf, ranBy, Statements } from "../contract/Planned.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf, type Visitor } from "./Visitor.ts"

/** Where a search of these words leads to. */
const find = (someone: Visitor, words: string) =>
  Effect.map(someone.get(`/dashboard/search?q=${encodeURIComponent(words)}`), ({ text }) =>
    [...text.slice(text.indexOf("<main")).matchAll(/href="([^"]+)" data-hit/g)].map(([, address = ""]) => address)
  )

it.layer(DashboardTest.pipe(Layer.provideMerge(Statements.layer)), { excludeTestServices: true })(
  "The search by names",
  (it) => {
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
            for (const words of ["celia brandao", "Antônia", "CÉLIA", "brand anto"])
              assert.deepStrictEqual(yield* find(someone, words), [celia], words)
            assert.strictEqual((yield* open("antonia celia")).headers.location, celia)
            const shown = (yield* someone.get("/dashboard/search?q=celia")).text
            assert.include(textOf(shown), "Antônia Célia Brandão, +55 31 98765-0001", "namesakes are told apart")
            assert.include(shown, 'name="q" type="text" value="celia"', "what was looked for stays to be corrected")
            for (const end of ["98765-0001", "8765-0001", "0001"])
              assert.deepStrictEqual(yield* find(someone, end), [celia], end)
            assert.strictEqual((yield* open("98765-0001")).headers.location, celia)
            assert.deepStrictEqual(yield* find(someone, "98765-0002"), [], "a customer of another organization")
            assert.deepStrictEqual(yield* find(someone, "001"), [], "too little")
            assert.deepStrictEqual(yield* find(someone, "pedido_pr"), templates)
            assert.strictEqual((yield* open("pedido_pronto")).headers.location, templates[0])
            assert.strictEqual((yield* open("pedido_pr")).status, 200)
          }
        }).pipe(Effect.orDie)
    )

    it.effect("finds a customer who was only written to, by any end of the phone and in full A-CONV-21", () =>
      Effect.gen(function* () {
        const { acme, other, post } = yield* Api
        const write = Effect.fnUntraced(function* (at: typeof acme.sandbox, to: string) {
          const { key } = at
          const { id: from } = yield* seedNumber(at)
          const drafted = {
            name: "aviso",
            language: "pt_BR",
            category: "utility",
            components: [{ type: "BODY", text: "Oi" }]
          }
          const { id } = (yield* post("/v1/templates", drafted, { key })).body
          yield* post(`/v1/templates/${id}/submit`, {}, { key })
          yield* turnBy(5_000)
          const parties = {
            channel: "chatapp",
            sender: { type: "chatapp_phone_number", id: from },
            recipient: { type: "phone_e164", id: to }
          }
          const message = { type: "template", template: { name: "aviso", language: "pt_BR" } }
          const sent = yield* post("/v1/messages", { ...parties, message }, { key })
          assert.strictEqual(sent.status, 202, sent.text)
          return from
        })
        const phone = "+5521988887766"
        const number = yield* write(acme.sandbox, phone)
        yield* write(other.sandbox, "+5521977777766")
        const chat = `/dashboard/chat?environment=${acme.sandbox.id}&amp;customer=%2B5521988887766`
        const owner = yield* signedIn(acme)
        const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
        for (const someone of [owner, member]) {
          for (const typed of ["7766", "98888-7766", "21 98888-7766", "(21) 8888-7766", phone]) {
            assert.include(yield* find(someone, typed), chat, typed)
            const open = yield* someone.get(`/dashboard/search?open=1&q=${encodeURIComponent(typed)}`)
            assert.strictEqual(open.headers.location, chat.replace("&amp;", "&"), typed)
          }
          assert.deepStrictEqual(yield* find(someone, "7767"), [])
        }
        const spoken = { channel: "chatapp", from: phone, to: number, type: "text", text: { body: "Oi" } }
        yield* post("/v1/sandbox/inbound-messages", spoken, { key: acme.sandbox.key })
        yield* turnBy(5_000)
        const [known, ...rest] = yield* find(owner, "7766")
        assert.match(known ?? "", /\/contacts\/.*\/con_/, "one who wrote is shown once, as a contact")
        assert.deepStrictEqual(rest, [])
      }).pipe(Effect.orDie)
    )

    it.effect(
      "finds payments by their payer, amount, reference and phone, also for members, none of others C-PAY-30",
      () =>
        Effect.gen(function* () {
          const { acme, other, post } = yield* Api
          const sql = yield* SqlClient.SqlClient
          const charge = Effect.fnUntraced(function* (at: typeof acme.sandbox, fields: object) {
            const made = yield* post("/v1/payments", { amount_brl_centavos: 777, ...fields }, { key: at.key })
            assert.strictEqual(made.status, 201, made.text)
            return `/dashboard/payments/${at.id}/${made.body.id}`
          })
          const payer = { customer_name: "Conceição D'Ávila-Sá", customer_phone: "+5511987654321" }
          const bought = {
            ...payer,
            amount_brl_centavos: 1_234_590,
            external_reference: "PED-2041",
            description: "Camisa"
          }
          const shirt = yield* charge(acme.sandbox, bought)
          const next = yield* charge(acme.sandbox, { external_reference: "PED-2042", customer_name: "Rui" })
          yield* charge(other.sandbox, bought)
          const owner = yield* signedIn(acme)
          const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
          for (const someone of [owner, member]) {
            for (const words of [
              "conceicao",
              "Conceição d'avila",
              "sa conc",
              "12.345,90",
              "R$ 12345,90",
              "12,345.90",
              "R$ 12345.90",
              "ped-2041",
              "2041"
            ])
              assert.deepStrictEqual(yield* find(someone, words), [shirt], words)
            for (const phone of ["4321", "98765-4321", "011 98765-4321"])
              assert.deepStrictEqual(yield* find(someone, phone), [shirt], phone)
            assert.deepStrictEqual([...(yield* find(someone, "ped 204"))].toSorted(), [next, shirt].toSorted())
            for (const words of ["2.345,90", "12,345.9", "1,2345.90", "onceicao", "8765-432", "PED-204 rui ana"])
              assert.deepStrictEqual(yield* find(someone, words), [], words)
            const open = yield* someone.get("/dashboard/search?open=1&q=ped-2041")
            assert.strictEqual(open.headers.location, shirt)
            const shown = textOf((yield* someone.get("/dashboard/search?q=conceicao")).text)
            assert.include(shown, "R$ 12.345,90, Camisa, Conceição D'Ávila-Sá")
            const listed = (yield* someone.get(`/dashboard/payments?environment=${acme.sandbox.id}&named=conceicao`))
              .text
            assert.include(listed, shirt)
            assert.notInclude(listed, next)
          }
          yield* sql`insert into payment_requests select (jsonb_populate_record(p, jsonb_build_object(
          'id', 'pay_' || lpad(n::text, 26, '0'), 'customer_name', 'Ana Rocha', 'external_reference', 'NF ' || n, 'amount', n,
          'page_hash', null, 'page_token', null))).* from payment_requests p, generate_series(1, 3000) n
          where p.external_reference = 'PED-2042'`
          const statements = yield* Statements
          for (const [words, index] of [
            ["conceicao", "payment_requests_words"],
            ["12.345,90", "payment_requests_amount"]
          ] as const) {
            const [hits, ran] = yield* statements.during(find(owner, words))
            assert.deepStrictEqual(hits, [shirt], words)
            const reads = ran.filter(({ text }) => text.includes("payment_requests"))
            assert.strictEqual(reads.length, 1)
            for (const read of reads) {
              const nodes = nodesOf(yield* ranBy(read))
              assert.isTrue(
                nodes.some((node) => node["Index Name"] === index),
                JSON.stringify(nodes)
              )
              assert.isBelow(Math.max(...nodes.map((node) => node["Actual Rows"] ?? 0)), 10)
            }
          }
        }).pipe(Effect.orDie)
    )

    it.effect("finds the oldest of many customers, by an index and in one statement A-CONV-21", () =>
      Effect.gen(function* () {
        const { acme } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const statements = yield* Statements
        yield* sql`insert into contacts (environment_id, id, customer_type, match_key, phone, profile_name, opt_in_status, source,
          created_at, updated_at)
        select ${acme.sandbox.id}, 'con_' || lpad(n::text, 26, '0'), 'phone_e164', '+55119' || n, '+55119' || n,
          case n when 1 then 'Zulmira D''Ávila-Prates' else 'Ana Souza ' || n end, 'none', 'api', now(), now()
        from generate_series(1, 12000) n`
        const oldest = `/dashboard/contacts/${acme.sandbox.id}/con_${"1".padStart(26, "0")}`
        const owner = yield* signedIn(acme)
        for (const words of ["zulmira", "prates d'avila", "ávila zul"]) {
          const [hits, ran] = yield* statements.during(find(owner, words))
          assert.deepStrictEqual(hits, [oldest], words)
          const reads = ran.filter(({ text }) => text.includes("as name") && text.includes("contacts"))
          assert.strictEqual(reads.length, 1)
          for (const read of reads) {
            const nodes = nodesOf(yield* ranBy(read))
            assert.isTrue(
              nodes.some((node) => node["Index Name"] === "contacts_name_words"),
              JSON.stringify(nodes)
            )
            assert.isBelow(Math.max(...nodes.map((node) => node["Actual Rows"] ?? 0)), 10)
          }
        }
        const nearEnd = `/dashboard/contacts/${acme.sandbox.id}/con_${"11999".padStart(26, "0")}`
        const [ends, asked] = yield* statements.during(find(owner, "1911999"))
        assert.deepStrictEqual(ends, [nearEnd])
        const reads = asked.filter(({ text }) => text.includes("reverse(o.match_key"))
        assert.strictEqual(reads.length, 1)
        for (const read of reads) {
          const nodes = nodesOf(yield* ranBy(read))
          assert.isTrue(
            nodes.some((node) => node["Index Name"] === "contacts_phone_end"),
            JSON.stringify(nodes)
          )
          assert.isBelow(Math.max(...nodes.map((node) => node["Actual Rows"] ?? 0)), 10)
        }
        assert.deepStrictEqual(yield* find(owner, "rates"), [])
        assert.strictEqual((yield* find(owner, "souza")).length, 40)
      }).pipe(Effect.orDie)
    )
  }
)
