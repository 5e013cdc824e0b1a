import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import papaparse from "papaparse"
import { readList } from "../../packages/console/batches/RecipientList.ts"
import { phone, seedBatches, shownPhone } from "../batches/BatchStage.ts"
import { type Answer, Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { seedProject } from "../support/Tenants.ts"
import { csrfIn, DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const list = (...rows: ReadonlyArray<string>) => ["to,1", ...rows].join("\r\n")

/** Returns the form of an environment as a browser would send it: what stands in its fields, with what is typed. */
const formOf = (text: string, typed: Readonly<Record<string, string>>) => ({
  template: /<option value="(tpl_[^"]*)"[^>]*>welcome, pt_BR/.exec(text)?.[1] ?? "",
  sender: /<option value="(pn_[^"]*)"/.exec(text)?.[1] ?? "",
  ...typed
})

/** The template that a form proposes. */
const proposed = (page: string): string | undefined =>
  /<option value="tpl_\w+" selected>([^<]+)/.exec(page.slice(page.indexOf('name="template"')))?.[1]

/** Returns the id of the batch that a form started. */
const startedBy = ({ headers }: Answer): string =>
  /\/(bat_[0-9a-z]{26})\?done=batch_started$/.exec(headers.location ?? "")?.[1] ?? ""

it.layer(DashboardTest, { excludeTestServices: true })("The form of a batch", (it) => {
  it.effect("the preview says which recipients get the message and which do not and why, and sends nothing", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id, key } = acme.sandbox
      yield* seedBatches(acme.sandbox)
      yield* post("/v1/contacts/opt-out", { phone: phone(2) }, { key })
      const someone = yield* signedIn(acme)
      const page = `/dashboard/batches/${id}/new`
      assert.include((yield* someone.get(`/dashboard/batches?environment=${id}`)).text, `href="${page}"`)
      const { text } = yield* someone.get(page)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const choices = (shown: string) => [...shown.matchAll(/<option value="tpl_[^<]+/g)].map(([option]) => option)
      assert.deepStrictEqual(choices((yield* member.get(page)).text), choices(text))
      assert.isAbove(choices(text).length, 0)
      assert.strictEqual(proposed(text), "promo, pt_BR", "the newest template that is no code for one person")
      const typed = list(`${phone(0)},Maria`, "12,João", `${phone(1)},`, `${phone(2)},Rui`, `${phone(0)},Maria`)
      const looked = yield* someone.submit(page, page, formOf(text, { intent: "look", list: typed, name: "Maio" }))
      assert.strictEqual(looked.status, 200)
      const shown = textOf(looked.text)
      for (const part of [
        "Get the message 1",
        "Held back 1",
        "Rows that cannot be sent 2",
        "Rows of a customer named before 1",
        "nothing: a sandbox is free",
        `${shownPhone(2)} This recipient opted out`,
        "3 12",
        `4 ${phone(1)}`,
        "Maria"
      ])
        assert.include(shown, part)
      assert.include(looked.text, `\n${typed}</textarea>`)
      assert.lengthOf((yield* get("/v1/batches", { key })).body.data, 0)
    })
  )

  it.effect(
    "the preview says what a production batch costs at most, under the plan of its organization C-PLAN-09",
    () =>
      Effect.gen(function* () {
        const { other } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const { id } = other.production
        yield* seedBatches(other.production)
        const someone = yield* signedIn(other)
        const page = `/dashboard/batches/${id}/new`
        const member = yield* signedIn(other, yield* seedMember(other, "member"))
        assert.strictEqual((yield* member.get(page)).status, 200)
        const { text } = yield* someone.get(page)
        const look = (typed: string) =>
          Effect.map(someone.submit(page, page, formOf(text, { intent: "look", list: typed })), (answer) =>
            textOf(answer.text)
          )
        const two = list(`${phone(0)},Maria`, `${phone(1)},Rui`)
        assert.include(yield* look(two), "Costs at most R$ 0,10 , R$ 0,05 a message")
        yield* sql`insert into account_plans (account_id, plan_offering_id, effective_from)
        select ${other.organization_id}, id, '2020-01-01' from plan_offerings where code = 'scale'`
        assert.include(yield* look(two), "Costs at most R$ 0,05 , R$ 0,0250 a message")
      })
  )

  it.effect("starts a batch once, however often the form is sent, without the rows that cannot be sent", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = acme.sibling.sandbox
      yield* seedBatches(acme.sibling.sandbox)
      const someone = yield* signedIn(acme)
      const page = `/dashboard/batches/${id}/new`
      const { text } = yield* someone.get(page)
      const typed = list(`${phone(10)},Maria`, "12,João", `${phone(11)},Rui`, ",Ana")
      const form = formOf(text, { intent: "start", list: typed, name: "Junho" })
      const refused = yield* someone.submit(page, page, form)
      assert.strictEqual(refused.status, 400)
      for (const part of [
        "Some rows cannot be sent.",
        "Rows that cannot be sent 2",
        "3 12",
        "5 This row has no phone number.",
        "Get the message 2"
      ])
        assert.include(textOf(refused.text), part)
      const inOrder = ["Some rows cannot be sent.", 'name="leave_out"', 'value="start"', 'id="faulty"']
      const places = inOrder.map((part) => refused.text.indexOf(part))
      // A refusal below twenty rows is out of view, and the page looks as if nothing had been pressed.
      assert.deepStrictEqual(
        places,
        places.toSorted((one, other) => one - other)
      )
      assert.notInclude(places, -1)
      const shown = { ...form, csrf: csrfIn(refused.text), leave_out: "yes" }
      const [first, second] = [yield* someone.post(page, shown), yield* someone.post(page, shown)]
      assert.deepStrictEqual([first.status, second.headers.location], [303, first.headers.location])
      yield* turnBy(20_000)
      const { data } = (yield* get("/v1/batches", { key })).body
      assert.lengthOf(data, 1)
      assert.deepInclude(data[0], { name: "Junho", status: "completed", recipient_count: 2, sent_count: 2 })
      const audited = yield* sql`select action, subject from audit_log where action = 'batch.created'`
      assert.deepInclude(audited, { action: "batch.created", subject: startedBy(first) })
    })
  )

  it.effect("starts at an instant in the reader's time zone, with its values and metadata", () =>
    Effect.gen(function* () {
      const { get, other } = yield* Api
      const sql = yield* SqlClient.SqlClient
      const { id, key } = other.sandbox
      yield* seedBatches(other.sandbox)
      const someone = yield* signedIn(other)
      const page = `/dashboard/batches/${id}/new`
      yield* someone.get(`${page}?time_zone=America/Sao_Paulo`)
      const { text } = yield* someone.get(page)
      assert.include(textOf(text), "Time zone: Brasília, São Paulo.")
      const typed = `Telefone;1;metadata.order\n"${phone(20)}";"da Silva; Maria";42\n`
      const form = formOf(text, { intent: "start", list: typed, starts: "2026-01-02T09:30" })
      const started = startedBy(yield* someone.submit(page, page, form))
      const { body } = yield* get(`/v1/batches/${started}`, { key })
      assert.deepInclude(body, { status: "scheduled", scheduled_at: "2026-01-02T12:30:00.000Z" })
      const kept = yield* sql`select phone, variables::text as variables, metadata::text as metadata
        from batch_recipients where batch_id = ${started}`
      assert.deepStrictEqual(
        kept.map(({ metadata, phone, variables }) => [
          phone,
          JSON.parse(String(variables)),
          JSON.parse(String(metadata))
        ]),
        [[phone(20), { "1": "da Silva; Maria" }, { order: "42" }]]
      )
      assert.strictEqual(proposed((yield* someone.get(page)).text), "welcome, pt_BR", "the one that was used last")
    })
  )

  it.effect(
    'a list of an office gets its columns in a step without scripts, and shows what its numbers are read as gaps-2 A "Phones outside `recipient.id`"',
    () =>
      Effect.gen(function* () {
        const { get, other } = yield* Api
        const sql = yield* SqlClient.SqlClient
        const { id, key } = other.sibling.sandbox
        yield* seedBatches(other.sibling.sandbox)
        const someone = yield* signedIn(other)
        const page = `/dashboard/batches/${id}/new`
        const { text } = yield* someone.get(page)
        const bytes = Buffer.from(
          "Nome;Telefone;Plano\r\nJoão;(11) 99999-0001;Ouro\r\nBia;99999-0002;Prata\r\n",
          "latin1"
        )
        const typed = formOf(text, { intent: "look", list_file: bytes.toString("base64") })
        const asked = yield* someone.submit(page, page, typed)
        assert.strictEqual(asked.status, 200)
        const read = textOf(asked.text)
        for (const part of [
          "2 rows Windows-1252, as Excel saves it Separator: semicolon The first row names the columns",
          "João · Bia"
        ])
          assert.include(read, part)
        assert.include(asked.text, "Nome;Telefone;Plano\nJoão;(11) 99999-0001;Ouro".replaceAll("\n", "\r\n"))
        assert.match(asked.text, /<select[^>]*name="column_1"[^>]*>[\s\S]*?<option value="phone" selected>/)
        assert.match(asked.text, /<select[^>]*name="column_0"[^>]*>[\s\S]*?<option value="variable\.1" selected>/)
        const columns = [...asked.text.matchAll(/name="column_name" value="([^"]*)"/g)].map(([, name = ""]) => name)
        assert.deepStrictEqual(columns, ["Nome", "Telefone", "Plano"])
        const chosen = {
          ...typed,
          list_file: "",
          list: "Nome;Telefone;Plano\r\nJoão;(11) 99999-0001;Ouro\r\nBia;99999-0002;Prata\r\n",
          column_0: "variable.1",
          column_1: "phone",
          column_2: "metadata.plan",
          leave_out: "yes",
          column_name: columns
        }
        const looked = yield* someone.submit(page, page, chosen)
        assert.strictEqual(looked.status, 200, textOf(looked.text))
        for (const part of [
          "Numbers as they will be dialled 1 of 1 differ from the list: what was added is marked. Numbers as they will be dialled Row Written Dialled Country 2 (11) 99999-0001 +55 11999990001 Brazil",
          "3 99999-0002 Brazil has no such number. Write its area code, too; for a number of another country, + and its country code.",
          "Rows that cannot be sent 1",
          "João"
        ])
          assert.include(textOf(looked.text), part)
        assert.include(looked.text, "<code><mark>+55</mark>11999990001</code>")
        const file = yield* someone.submit(page, page, { ...chosen, intent: "refused" })
        assert.match(file.headers["content-disposition"] ?? "", /attachment; filename="refused-rows\.csv"/)
        assert.strictEqual(
          file.text,
          'row,to,1,metadata.plan,reason\r\n3,99999-0002,Bia,Prata,"Brazil has no such number. Write its area code, too; for a number of another country, + and its country code."\r\n'
        )
        const started = startedBy(yield* someone.submit(page, page, { ...chosen, intent: "start" }))
        assert.strictEqual((yield* get(`/v1/batches/${started}`, { key })).body.recipient_count, 1)
        const rows = yield* sql`select phone, variables::text as variables, metadata::text as metadata
          from batch_recipients where batch_id = ${started}`
        assert.deepStrictEqual(
          rows.map(({ metadata, phone: to, variables }) => [
            to,
            JSON.parse(String(variables)),
            JSON.parse(String(metadata))
          ]),
          [["+5511999990001", { "1": "João" }, { plan: "Ouro" }]]
        )
      })
  )

  it.effect("keeps the input beside its errors", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      yield* seedBatches(acme.sandbox)
      yield* post("/v1/audiences", { name: "All", filter: {} }, { key })
      const someone = yield* signedIn(acme)
      const page = `/dashboard/batches/${id}/new`
      const { text } = yield* someone.get(page)
      const good = list(`${phone(0)},Maria`)
      const wrong: ReadonlyArray<readonly [Readonly<Record<string, string>>, string]> = [
        [{ list: "" }, "The list has no row."],
        [{ list: "name,1\nMaria,x" }, "Choose below which column holds the phone number."],
        [{ list: "to,1,1\n12,x,y" }, "Row 1, column C: Two columns are for 1."],
        [{ list: "to,1" }, "The list names its columns and has no row below them."],
        [{ list: `to,1\n${phone(0)},x,y` }, "Row 2, column C: The cell has a value, and its column has no name."],
        [{ list: 'to,1\n"12,x' }, "Row 2, column A: a quotation mark is missing."],
        [{ list: list(`${phone(0)},${"x".repeat(1025)}`) }, "Row 2:"],
        [{ list: good, template: "tpl_x" }, "Choose a template."],
        [{ list: good, sender: "pn_x" }, "Sender"],
        [{ list: good, starts: "tomorrow" }, "scheduled_at"],
        [{ list: good, starts: "2020-01-01T00:00" }, "scheduled_at"],
        [{ list: good, audience: "aud_x" }, "audience"]
      ]
      for (const [typed, said] of wrong) {
        const { status, text: answer } = yield* someone.submit(
          page,
          page,
          formOf(text, { intent: "look", name: "Ma<io", ...typed })
        )
        assert.strictEqual(status, 400, said)
        assert.include(textOf(answer), said)
        assert.include(answer, 'aria-invalid="true"', said)
        assert.include(answer, 'value="Ma&lt;io"', said)
      }
    })
  )

  it.effect("asks for the file of a header where the template has one, and sends it with no other", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { sandbox } = yield* seedProject(acme.organization_id, "with-pictures")
      yield* seedBatches(sandbox)
      const sql = yield* SqlClient.SqlClient
      yield* sql`update template_versions v set components = '[{"type":"HEADER","format":"IMAGE"},{"type":"BODY","text":"Oi"}]'
        from templates t where t.environment_id = ${sandbox.id} and t.name = 'promo'
          and v.environment_id = t.environment_id and v.template_id = t.id`
      const someone = yield* signedIn(acme)
      const page = `/dashboard/batches/${sandbox.id}/new`
      const { text } = yield* someone.get(page)
      const marked = [...text.matchAll(/<option [^>]*class="with-header-file"[^>]*>([^<]+)/g)].map(([, name]) => name)
      assert.deepStrictEqual(marked, ["promo, pt_BR"])
      assert.match(text, /class="for-header-file"><div class="field">\s*<label for="header_media">/)
      const typed = { intent: "look", list: list(`${phone(0)},Maria`), header_media: "https://a.test/x.png" }
      assert.strictEqual((yield* someone.submit(page, page, formOf(text, typed))).status, 200)
    })
  )

  it.effect("takes ten thousand rows, and refuses more", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const { id } = acme.sandbox
      yield* seedBatches(acme.sandbox)
      const someone = yield* signedIn(acme)
      const page = `/dashboard/batches/${id}/new`
      const { text } = yield* someone.get(page)
      const rows = (count: number) => list(...Array.from({ length: count }, (_, n) => `${phone(n)},Maria ${n}`))
      const many = yield* someone.submit(page, page, formOf(text, { intent: "look", list: rows(10_000) }))
      assert.strictEqual(many.status, 200)
      assert.include(textOf(many.text), "Get the message 9,999")
      const more = yield* someone.submit(page, page, formOf(text, { intent: "look", list: rows(10_001) }))
      assert.strictEqual(more.status, 400)
      const huge = yield* someone.submit(page, page, formOf(text, { intent: "look", list: "1".repeat(1_010_000) }))
      assert.strictEqual(huge.status, 413)
    })
  )

  it.effect("the preview says that a sign of reais stands twice, in the template and in the list", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const text = "Olá, a parcela de R$ {{valor}} vence amanhã."
      const example = { body_text_named_params: [{ param_name: "valor", example: "12,00" }] }
      const made = yield* post(
        "/v1/templates",
        {
          name: "parcela",
          language: "pt_BR",
          category: "utility",
          parameter_format: "NAMED",
          components: [{ type: "BODY", text, example }]
        },
        { key }
      )
      yield* post(`/v1/templates/${made.body.id}/submit`, undefined, { key })
      yield* turnBy(2_000)
      const someone = yield* signedIn(acme)
      const page = `/dashboard/batches/${id}/new`
      const form = formOf((yield* someone.get(page)).text, { intent: "look", template: made.body.id })
      const looked = (value: string) =>
        Effect.map(
          someone.submit(page, page, { ...form, list: `to;valor\n${phone(7)};1,00\n${phone(8)};${value}` }),
          (answer) => textOf(answer.text)
        )
      assert.include(yield* looked("R$ 1.200,00"), "Some messages would say reais twice")
      assert.notInclude(yield* looked("1.200,00"), "reais twice")
    })
  )
})

it("a list is read with commas, semicolons or tabs", () => {
  // An apostrophe before a formula is a mark of the file and no part of the text (decision 0114).
  const cell = fc
    .string({ minLength: 1, maxLength: 20 })
    .filter((text) => text.trim() === text && text !== "" && !/^'[=+\-@]/.test(text))
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 999_999 }), cell, cell), { minLength: 1, maxLength: 20 })
  fc.assert(
    fc.property(rows, fc.constantFrom(",", ";", "\t"), fc.boolean(), (given, delimiter, isQuoted) => {
      const data = given.map(([n, first, second]) => [phone(n), first, second])
      const written = papaparse.unparse([["to", "first_name", "2"], ...data], { delimiter, quotes: isQuoted })
      const read = readList(`\ufeff${written}\r\n\r\n`, { variables: ["first_name", "2"], region: "BR" })
      assert.deepStrictEqual(
        read.recipients,
        data.map(([to = "", first = "", second = ""], index) => ({
          row: index + 2,
          written: to,
          recipient: { to, variables: { first_name: first, "2": second } }
        }))
      )
    })
  )
})

it("a list that begins with a phone number has its columns in the order of the variables", () => {
  const list = "+55 (11) 91234-5678, Maria\n\n(11) 91234-5679,Rui,42\n"
  assert.deepStrictEqual(readList(list, { variables: ["1", "2"], region: "BR" }).recipients, [
    {
      row: 1,
      written: "+55 (11) 91234-5678",
      recipient: { to: "+5511912345678", variables: { "1": "Maria", "2": "" } }
    },
    { row: 3, written: "(11) 91234-5679", recipient: { to: "+5511912345679", variables: { "1": "Rui", "2": "42" } } }
  ])
})

it("columns are proposed for variables of the same, a similar or no name, and phone columns are left to a person", () => {
  const cases: ReadonlyArray<readonly [head: string, variables: ReadonlyArray<string>, uses: ReadonlyArray<string>]> = [
    ["Telefone;Nome;Pedido", ["nome", "pedido"], ["phone", "nome", "pedido"]],
    ["Telefone;Pedido nº;CLIENTE", ["customer_name", "order"], ["phone", "order", "customer_name"]],
    ["Telefone;Código;Endereço", ["cupom", "endereco"], ["phone", "cupom", "endereco"]],
    ["Telefone;Nome;Pedido;Loja", ["1", "2"], ["phone", "1", "2", ""]],
    ["Celular;Telefone;Nome", ["1"], ["", "", "1"]],
    ["Telefone;Cor", ["nome"], ["phone", ""]],
    ["Telefone;metadata.pedido;Nome", ["nome"], ["phone", "pedido", "nome"]]
  ]
  for (const [head, variables, uses] of cases) {
    const row = head.split(";").map((_, index) => (index === 0 ? "11 99999-0001" : "a"))
    const { columns } = readList(`${head}\n${row.join(";")}\n`, { variables, region: "BR" })
    assert.deepStrictEqual(
      columns?.uses.map((use) => (use === undefined ? "" : use.kind === "phone" ? "phone" : use.name)),
      uses,
      head
    )
  }
})
