import type { Template } from "@carteiro/schema/templates/Template.ts"
import { storedComponents } from "@carteiro/schema/templates/TemplateComponents.ts"
import { assert, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import * as fc from "fast-check"
import { newTemplate, templateBody, typedOf, variablesOf } from "../../packages/console/templates/TemplateForm.ts"
import { Api } from "../support/ApiTest.ts"
import { seedNumber } from "../support/Numbers.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { DashboardTest, seedMember, signedIn, textOf } from "./Visitor.ts"

const page = "/dashboard/templates"

const body = (name: string, more: object = {}) => ({
  name,
  language: "pt_BR",
  category: "utility",
  components: [
    { type: "HEADER", format: "TEXT", text: "Pedido <i>novo</i>" },
    { type: "BODY", text: "Olá {{1}}, seu pedido saiu.", example: { body_text: [["Maria"]] } },
    { type: "FOOTER", text: "Loja & Cia" },
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "Obrigado" },
        { type: "URL", text: "Ver", url: 'https://loja.example/"><script>' }
      ]
    }
  ],
  ...more
})

it.layer(DashboardTest, { excludeTestServices: true })("Templates", (it) => {
  it.effect("are listed by name, category and status", () =>
    Effect.gen(function* () {
      const { acme, post } = yield* Api
      const { id, key } = acme.sandbox
      const one = (yield* post("/v1/templates", body("order_shipped"), { key })).body.id
      const two = (yield* post("/v1/templates", body("offer", { category: "marketing" }), { key })).body.id
      yield* post(`/v1/templates/${two}/submit`, undefined, { key })
      yield* turnBy(2000)
      const someone = yield* signedIn(acme)
      const ids = (query: string) =>
        Effect.map(someone.get(`${page}?environment=${id}${query}`), ({ text }) =>
          [...text.matchAll(/href="\/dashboard\/templates\/env_[0-9a-z]+\/(tpl_[0-9a-z]+)"/g)].map(([, found]) => found)
        )
      assert.deepStrictEqual(yield* ids(""), [two, one])
      assert.deepStrictEqual(yield* ids("&name=offer"), [two])
      assert.deepStrictEqual(yield* ids("&category=utility"), [one])
      assert.deepStrictEqual(yield* ids("&status=approved"), [two])
      assert.deepStrictEqual(yield* ids("&status=bogus"), [two, one])
      assert.deepStrictEqual(yield* ids(`&before=${two}`), [one])
      const list = textOf((yield* someone.get(`${page}?environment=${id}`)).text)
      for (const part of ["order_shipped", "draft version 1", "nothing yet", "approved version 1"])
        assert.include(list, part)
      assert.include(
        textOf((yield* someone.get(`${page}?environment=${id}&name=none`)).text),
        "Nothing here is like this"
      )
    })
  )

  it.effect("shows its versions with their review and its text, with all values escaped", () =>
    Effect.gen(function* () {
      const { acme, patch, post } = yield* Api
      const { id, key } = acme.sibling.sandbox
      const template = (yield* post("/v1/templates", body("order_shipped"), { key })).body.id
      yield* post(`/v1/templates/${template}/submit`, undefined, { key })
      yield* turnBy(2000)
      yield* patch(`/v1/templates/${template}`, { category: "marketing" }, { key })
      const someone = yield* signedIn(acme)
      const path = `${page}/${id}/${template}`
      const { text } = yield* someone.get(path)
      for (const raw of ["<i>novo</i>", "<script>", 'href="https://loja']) assert.notInclude(text, raw)
      const shown = textOf(text)
      for (const part of [
        "Pedido <i>novo</i>",
        "Olá {{1}}, seu pedido saiu.",
        "Loja & Cia",
        "answers Obrigado",
        'https://loja.example/"><script>',
        "Version 2 draft",
        "Version 1 approved sends use it"
      ])
        assert.include(shown, part)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.include(textOf((yield* member.get(path)).text), "Version 1 approved sends use it")
      const status = { status: "rejected", rejection_reason: "No <b>reason</b>." }
      const moved = yield* post(`/v1/sandbox/templates/${template}/status`, status, { key })
      assert.strictEqual(moved.status, 200, moved.text)
      const refused = yield* someone.get(path)
      assert.notInclude(refused.text, "<b>reason</b>")
      assert.include(textOf(refused.text), "No <b>reason</b>.")
      yield* post(`/v1/templates/${template}/submit`, undefined, { key })
      const unasked = { status: "rejected", rejection_reason: "no_provider_connection" }
      yield* post(`/v1/sandbox/templates/${template}/status`, unasked, { key })
      const inPortuguese = textOf((yield* someone.get(`${path}?language=pt`)).text)
      for (const part of ["Nenhuma conta da plataforma de chat está conectada. Conecte", "Variáveis por posição"])
        assert.include(inPortuguese, part)
      assert.notMatch(inPortuguese, /POSITIONAL|no_provider_connection|unknown/)
    })
  )

  it.effect("are imported by a button of production, which needs an account U-TPL-08", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const someone = yield* signedIn(acme)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      const list = (id: string) => `${page}?environment=${id}`
      const words = "Import from the platform"
      const { production, sandbox } = acme
      assert.include((yield* someone.get(list(production.id))).text, words)
      assert.notInclude((yield* someone.get(list(sandbox.id))).text, words)
      assert.notInclude((yield* member.get(list(production.id))).text, words)
      const path = `${page}/${production.id}/import`
      const unconnected = yield* someone.submit(list(production.id), path)
      assert.strictEqual(unconnected.status, 409)
      assert.include(textOf(unconnected.text), "No account of the chat platform is connected")
      assert.strictEqual((yield* member.submit("/dashboard", path)).status, 403)
      // A sandbox has no account: an import takes nothing.
      const empty = yield* someone.submit(list(production.id), `${page}/${sandbox.id}/import`)
      assert.strictEqual(empty.headers.location, `${page}?environment=${sandbox.id}&done=templates_imported`)
    })
  )

  it.effect('are handed in and deleted by owners and admins gaps-2 G "Template routes"', () =>
    Effect.gen(function* () {
      const { acme, get, other, post } = yield* Api
      const { id, key } = acme.sandbox
      const made = (yield* post("/v1/templates", body("by_hand"), { key })).body
      const path = `${page}/${id}/${made.id}`
      const status = Effect.map(
        get(`/v1/templates/${made.id}`, { key }),
        (answer) => answer.body.status ?? answer.status
      )
      const someone = yield* signedIn(acme)
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      for (const words of ["Submit for review", "Delete…", "A test can be sent once a version was approved. Submit"]) {
        assert.include((yield* someone.get(path)).text, words)
        assert.notInclude((yield* member.get(path)).text, words)
      }
      const sql = yield* SqlClient.SqlClient
      const switched = (off: string) => sql`update environments set capabilities_off = ${off} where id = ${id}`
      yield* switched('["messaging"]')
      assert.strictEqual((yield* someone.submit(path, `${path}/submit`)).status, 403)
      yield* switched("[]")
      for (const refused of [
        yield* member.submit("/dashboard", `${path}/submit`),
        yield* member.submit("/dashboard", `${path}/delete`),
        yield* someone.post(`${path}/delete`, {})
      ])
        assert.strictEqual(refused.status, 403)
      const stranger = yield* signedIn(other)
      assert.strictEqual((yield* stranger.submit("/dashboard", `${path}/delete`)).status, 404)
      assert.strictEqual(yield* status, "draft")

      const submitted = yield* someone.submit(path, `${path}/submit`)
      assert.deepStrictEqual([submitted.status, submitted.headers.location], [303, `${path}?done=submitted`])
      assert.strictEqual(yield* status, "submitted")
      assert.notInclude((yield* someone.get(path)).text, "Submit for review")
      assert.strictEqual((yield* someone.submit(path, `${path}/submit`)).status, 409)
      yield* turnBy(2000)
      assert.strictEqual(yield* status, "approved")
      assert.notInclude((yield* someone.get(path)).text, "A test can be sent once")

      assert.include(textOf((yield* someone.get(`${path}/delete`)).text), "Delete this template?")
      const another = yield* someone.submit(`${path}/delete`, `${path}/delete`, { name: "another" })
      assert.deepStrictEqual([another.status, textOf(another.text).includes("That is not by_hand.")], [400, true])
      assert.strictEqual(yield* status, "approved")
      const deleted = yield* someone.submit(`${path}/delete`, `${path}/delete`, { name: "by_hand" })
      assert.strictEqual(deleted.headers.location, `${page}?environment=${id}&done=template_deleted`)
      assert.include(textOf((yield* someone.get(deleted.headers.location ?? "")).text), "Deleted. Sends by its name")
      assert.strictEqual(yield* status, 404)
      assert.strictEqual((yield* someone.get(path)).status, 404)
      assert.strictEqual((yield* someone.submit("/dashboard", `${path}/delete`)).status, 404)
      assert.strictEqual((yield* someone.submit("/dashboard", `${page}/${id}/nothing/submit`)).status, 404)
    })
  )

  it.effect("of another organization answer 404 A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, other, post } = yield* Api
      const { id } = (yield* post("/v1/templates", body("private_words"), { key: other.sandbox.key })).body
      const someone = yield* signedIn(acme)
      for (const path of [
        `${page}/${other.sandbox.id}/${id}`,
        `${page}/${acme.sandbox.id}/${id}`,
        `${page}/${acme.sandbox.id}/tpl_nothing`,
        `${page}?environment=${other.sandbox.id}`
      ]) {
        const { status, text } = yield* someone.get(path)
        assert.strictEqual(status, 404, path)
        assert.notInclude(text, "private_words")
      }
    })
  )

  it.effect(
    "are written beside a preview, with examples and limits, and refusals of the API stand at their field",
    () =>
      Effect.gen(function* () {
        const { acme, get, other } = yield* Api
        const { id, key } = acme.sandbox
        const someone = yield* signedIn(acme)
        const form = `${page}/${id}/new`
        assert.notInclude((yield* someone.get(form)).text, "The code, in the provider", "nothing is written yet")
        const fields = {
          name: "pickup_ready",
          language: "pt_BR",
          category: "utility",
          header: "Loja {{1}}",
          body: "Olá {{1}},\r\nseu pedido {{2}} <b>chegou</b>.",
          footer: "Até já",
          example_1: "Maria",
          example_2: "77",
          button_0_kind: "URL",
          button_0_text: "Ver",
          button_0_url: "https://loja.example/p/{{1}}"
        }
        const looked = yield* someone.submit(form, form, { ...fields, intent: "look" })
        assert.strictEqual(looked.status, 200)
        const told = textOf(looked.text)
        for (const part of ["Loja Maria", "Olá Maria,", "seu pedido 77 <b>chegou</b>.", "10 of 60 characters."])
          assert.include(told, part)
        assert.notInclude(looked.text, "<b>chegou")
        const phone = /<p class="who-writes"><span[^>]*><\/span>([^<]+)</.exec(looked.text)?.[1]
        assert.isDefined(phone)
        assert.include(textOf(looked.text), `In ${phone} ·`, "the phone names the business")
        const [, script = ""] = /src="(\/dashboard\/scripts\/editor\.js[^"]*)"/.exec(looked.text) ?? []
        assert.include((yield* get(script.replaceAll("&amp;", "&"))).text, '"Insert variable"')
        assert.include(told, "Variables are {{1}}")
        assert.include(looked.text, 'id="example_2"')
        assert.strictEqual((yield* get("/v1/templates?name=pickup_ready", { key })).body.data.length, 0)

        for (const [changed, part] of [
          [{ name: "!" }, "name-error"],
          [{ body: "Olá {{2}}" }, "body-error"],
          [{ body: "Olá {{?}}, tudo bem?" }, "body-error"],
          [{ header: "x".repeat(61) }, "header-error"],
          [{ example_2: "" }, "Write an example for the review: <code>{{2}}</code>"],
          [{ button_0_url: "http://" }, "Buttons (optional)"]
        ] as const) {
          const refused = yield* someone.submit(form, form, { ...fields, ...changed, intent: "save" })
          assert.strictEqual(refused.status, 400, JSON.stringify(changed))
          assert.include(refused.text, part)
          assert.match(refused.text, /class="error"/)
        }

        // A name as a person writes it is saved as templates have it.
        const made = yield* someone.submit(form, form, { ...fields, name: " Píckup/Ready! ", intent: "submit" })
        const path = made.headers.location?.split("?")[0] ?? ""
        assert.match(made.headers.location ?? "", /\/tpl_[0-9a-z]+\?done=submitted$/)
        const template = (yield* get(`/v1/templates/${path.split("/").at(-1)}`, { key })).body
        const { name, parameter_format, status } = template
        assert.deepStrictEqual([name, status, parameter_format], ["pickup_ready", "submitted", "POSITIONAL"])
        assert.deepStrictEqual(template.components, [
          { type: "HEADER", format: "TEXT", text: "Loja {{1}}", example: { header_text: ["Maria"] } },
          {
            type: "BODY",
            text: "Olá {{1}},\nseu pedido {{2}} <b>chegou</b>.",
            example: { body_text: [["Maria", "77"]] }
          },
          { type: "FOOTER", text: "Até já" },
          {
            type: "BUTTONS",
            buttons: [
              { type: "URL", text: "Ver", url: "https://loja.example/p/{{1}}", example: "https://loja.example/p/1" }
            ]
          }
        ])
        assert.notInclude((yield* someone.get(path)).text, `${path}/edit`)
        yield* turnBy(2000)
        assert.include((yield* someone.get(path)).text, `${path}/edit`)
        const again = yield* someone.get(`${path}/edit`)
        for (const part of ["Loja {{1}}", 'value="Maria"', 'value="Até já"', "https://loja.example/p/{{1}}"])
          assert.include(again.text, part)
        const changed = yield* someone.submit(`${path}/edit`, `${path}/edit`, {
          ...fields,
          footer: "Tchau",
          intent: "save"
        })
        assert.strictEqual(changed.headers.location, `${path}?done=saved`)
        const next = (yield* get(`/v1/templates/${template.id}`, { key })).body
        assert.deepStrictEqual([next.status, next.version, next.approved_version], ["draft", 2, 1])
        assert.strictEqual(next.components[2].text, "Tchau")

        const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
        assert.strictEqual((yield* member.submit("/dashboard", form, { ...fields, intent: "save" })).status, 403)
        const stranger = yield* signedIn(other)
        assert.strictEqual((yield* stranger.submit("/dashboard", form, { ...fields, intent: "save" })).status, 404)
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ readonly action: string }>`select action from audit_log
        where organization_id = ${acme.organization_id} and subject = ${template.id} order by created_at, id`
        assert.deepStrictEqual(
          rows.map(({ action }) => action),
          ["template.created", "template.updated"]
        )
      })
  )

  it.effect("take variables as people write them, and save them as templates have them", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { id, key } = acme.sandbox
      const someone = yield* signedIn(acme)
      const form = `${page}/${id}/new`
      const fields = {
        name: "Parcela a vencer",
        language: "pt_BR",
        category: "utility",
        header: "{{Loja}} informa",
        body: "Olá {{Nome}}, a parcela de {{ Valor da Prestação }} vence amanhã.",
        example_loja: "Casa Sol",
        example_nome: "Maria",
        example_valor_da_prestacao: "R$ 120,50"
      }
      const looked = yield* someone.submit(form, form, { ...fields, intent: "look" })
      assert.include(textOf(looked.text), "Olá Maria, a parcela de R$ 120,50 vence amanhã.")
      const made = yield* someone.submit(form, form, { ...fields, intent: "save" })
      const saved = made.headers.location?.split("?")[0]?.split("/").at(-1) ?? ""
      const { components, parameter_format } = (yield* get(`/v1/templates/${saved}`, { key })).body
      assert.deepStrictEqual(
        [parameter_format, components[0].text, components[1].text],
        ["NAMED", "{{loja}} informa", "Olá {{nome}}, a parcela de {{valor_da_prestacao}} vence amanhã."]
      )
    })
  )

  it.effect("say while they are written what a review would, and are sent to one phone as a test M-TPL-10", () =>
    Effect.gen(function* () {
      const { acme, get, post } = yield* Api
      const { id, key } = acme.sandbox
      const number = yield* seedNumber(acme.sandbox)
      const someone = yield* signedIn(acme)
      const form = `${page}/${id}/new`
      const fields = {
        name: "spring_offer",
        language: "pt_BR",
        category: "utility",
        body: "Oferta para {{1}}",
        intent: "look"
      }
      const looked = textOf((yield* someone.submit(form, form, fields)).text)
      assert.include(looked, "This reads as marketing; take the category marketing.")
      assert.include(looked, "Put words before the first and after the last variable.")
      const wrong = textOf(
        (yield* someone.submit(form, form, { ...fields, body: "Oi {{2}}, tudo bem por aqui?" })).text
      )
      assert.include(wrong, "Variables from {{1}} on without gaps")
      assert.notInclude(wrong, "components.0.text", "a page names no path of a request")

      for (const strange of [{ body: "x".repeat(1025) }, { category: "bogus" }])
        assert.strictEqual((yield* someone.submit(form, form, { ...fields, ...strange })).status, 200)

      const made = (yield* post("/v1/templates", body("to_test"), { key })).body
      const path = `${page}/${id}/${made.id}`
      assert.strictEqual((yield* someone.get(`${path}/test`)).status, 404)
      yield* post(`/v1/templates/${made.id}/submit`, undefined, { key })
      yield* turnBy(2000)
      assert.include((yield* someone.get(path)).text, `${path}/test`)
      assert.include((yield* someone.get(`${path}/test`)).text, 'value="Maria"')
      const test = { to: "(11) 98888-7766", sender: number.id, value_1: "Bia" }
      const refused = yield* someone.submit(`${path}/test`, `${path}/test`, { ...test, to: "12" })
      assert.deepStrictEqual([refused.status, refused.text.includes("to-error")], [400, true])
      assert.include(textOf(refused.text), "With the country code. Without it, Brazil (+55) is assumed.")
      const abroad = yield* someone.submit(`${path}/test`, `${path}/test`, { ...test, to: "1 (415) 555-0134" })
      assert.strictEqual(abroad.status, 400)
      assert.include(
        textOf(abroad.text),
        "Brazil has no such number. For a number of another country, write + and its country code: +1 415 555 0134 · United States."
      )
      const sent = yield* someone.submit(`${path}/test`, `${path}/test`, test)
      const message = /(msg_[0-9a-z]+)\?done=test_sent$/.exec(sent.headers.location ?? "")?.[1]
      const { recipient, type } = (yield* get(`/v1/messages/${message}`, { key })).body
      assert.deepStrictEqual([recipient.id, type], ["+5511988887766", "template"])
      const national = yield* someone.submit(`${path}/test`, `${path}/test`, { ...test, to: "(415) 555-0134" })
      const shown = yield* someone.get((national.headers.location ?? "").replace("?", "?language=pt&"))
      assert.include(textOf(shown.text), "+55 41 5555-0134 · Brasil")
      const member = yield* signedIn(acme, yield* seedMember(acme, "member"))
      assert.strictEqual((yield* member.submit("/dashboard", `${path}/test`, test)).status, 403)
    })
  )

  it("a template of the editor is read back unchanged", () => {
    const word = fc.stringMatching(/^[a-z]{1,8}$/)
    const named = fc.record({
      body: fc.constantFrom("Oi {{nome}}, {{pedido}}", "Oi"),
      header: fc.constantFrom("", "Loja {{loja}}")
    })
    const numbered = fc.record({
      body: fc.constantFrom("{{2}} e {{1}}", "Oi {{1}}"),
      header: fc.constantFrom("", "Loja {{1}}")
    })
    const pictured = fc.record({
      body: fc.constant("Oi {{1}}"),
      headerKind: fc.constantFrom("IMAGE", "VIDEO", "DOCUMENT"),
      headerFile: fc.constantFrom("", "mda_01kah7v3m8q6x2r9d4t5w0y1z3")
    })
    const buttons = fc.subarray([
      { kind: "QUICK_REPLY", text: "Sim", target: "yes" },
      { kind: "URL", text: "Ver", target: "https://loja.example/p" },
      { kind: "PHONE_NUMBER", text: "Ligar", target: "+551140028922" },
      { kind: "COPY_CODE", text: "", target: "MAIO10" }
    ])
    fc.assert(
      fc.property(
        fc.oneof(named, numbered, pictured),
        word,
        buttons,
        fc.constantFrom("", "Tchau"),
        (texts, value, buttons, footer) => {
          const typed = {
            ...newTemplate,
            name: "a",
            ...texts,
            buttons: newTemplate.buttons.map((none, place) => buttons[place] ?? none),
            footer
          }
          const examples = new Map(variablesOf(typed).map((key) => [key, `${value}${key}`]))
          const body = Result.getOrThrow(templateBody({ ...typed, examples }))
          const back = typedOf({ ...body, components: storedComponents(body.components) } as unknown as Template)
          assert.deepStrictEqual(back, { ...typed, examples })
        }
      )
    )
  })
})
