import { authoringSignals } from "@carteiro/runtime/templates/template/AuthoringSignals.ts"
import { seededContents } from "@carteiro/runtime/templates/template/SeededTemplates.ts"
import { componentsFault } from "@carteiro/schema/templates/ComponentFaults.ts"
import { CreateTemplate } from "@carteiro/schema/templates/Template.ts"
import { storedComponents, type TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { TemplatesApi } from "@carteiro/schema/templates/TemplatesApi.ts"
import { type ParameterFormat, variablesFault, variablesIn } from "@carteiro/schema/templates/TemplateVariables.ts"
import { Result, Schema } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { bodyVerdict } from "../messages/Decoding.ts"

const body = { type: "BODY", text: "Tudo certo." }
const named = (text: string, ...names: ReadonlyArray<string>) => ({
  type: "BODY",
  text,
  example: { body_text_named_params: names.map((param_name) => ({ param_name, example: "x" })) }
})
const button = (one: object) => [body, { type: "BUTTONS", buttons: [one] }]
const url = (address: string, more: object = {}) => button({ type: "URL", text: "Ver", url: address, ...more })

const verdictOf = bodyVerdict(TemplatesApi, "create")

/** The path of the first fault of these components, without their list; undefined when there is none. */
const faultOf = (components: ReadonlyArray<object>, parameter_format: ParameterFormat = "POSITIONAL") => {
  const verdict = verdictOf({ name: "a", language: "pt_BR", category: "utility", parameter_format, components })
  return verdict === "ok" ? undefined : verdict.replace(/^invalid_template_request components\.?/, "")
}

type Case = readonly [components: ReadonlyArray<object>, path: string | undefined, format?: ParameterFormat]

describe("Components", () => {
  it('name the first place that breaks the shapes gaps-2 G "Component shapes" M-TPL-07 U-HID-06', () => {
    const cases: ReadonlyArray<Case> = [
      [[body], undefined],
      [[], ""],
      [[body, body], "1.type"],
      [[{ type: "HEADER", format: "TEXT", text: "Oi" }], ""],
      [[{ type: "TITLE", text: "Oi" }], "0.type"],
      [[{ type: "BODY" }], "0.text"],
      [[{ type: "BODY", text: "" }], "0.text"],
      [[{ type: "BODY", text: "x".repeat(1024) }], undefined],
      [[{ type: "BODY", text: "x".repeat(1025) }], "0.text"],
      [[{ ...body, format: "TEXT" }], "0.format"],
      [[{ ...body, buttons: [{ type: "QUICK_REPLY", text: "Sim" }] }], "0.buttons"],
      [[body, { type: "HEADER", text: "Oi" }], "1.format"],
      [[body, { type: "HEADER", format: "TEXT" }], "1.text"],
      [[body, { type: "HEADER", format: "TEXT", text: "ã".repeat(60) }], undefined],
      [[body, { type: "HEADER", format: "TEXT", text: "ã".repeat(61) }], "1.text"],
      [[body, { type: "HEADER", format: "TEXT", text: "{{1}} e {{2}}" }], "1.text"],
      [[body, { type: "HEADER", format: "IMAGE" }], undefined],
      [[body, { type: "HEADER", format: "VIDEO", text: "Oi" }], "1.text"],
      [[body, { type: "HEADER", format: "AUDIO" }], "1.format"],
      [[body, { type: "header", format: "document", example: { header_handle: "mda_1" } }], undefined],
      [[body, { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::a"] } }], undefined],
      [[body, { type: "HEADER", format: "IMAGE", example: { header_text: "x" } }], "1.example.header_text"],
      [[body, { type: "FOOTER", text: "Loja" }], undefined],
      [[body, { type: "FOOTER", text: "x".repeat(61) }], "1.text"],
      [[body, { type: "FOOTER", text: "{{1}}" }], "1.text"],
      [[body, { type: "FOOTER", text: "Loja", example: { body_text: ["x"] } }], "1.example"],
      [[body, { type: "BUTTONS" }], "1.buttons"],
      [[body, { type: "BUTTONS", buttons: [] }], "1.buttons"],
      [
        [body, { type: "BUTTONS", buttons: Array.from({ length: 11 }, () => ({ type: "QUICK_REPLY", text: "a" })) }],
        "1.buttons"
      ],
      [button({ type: "QUICK_REPLY", text: "Sim", payload: "x".repeat(256) }), undefined],
      [button({ type: "quick_reply", text: "x".repeat(25) }), undefined],
      [button({ type: "QUICK_REPLY", text: "x".repeat(26) }), "1.buttons.0.text"],
      [button({ type: "QUICK_REPLY", text: "{{1}}" }), "1.buttons.0.text"],
      [button({ type: "QUICK_REPLY", text: "Sim", payload: "x".repeat(257) }), "1.buttons.0.payload"],
      [button({ type: "QUICK_REPLY", text: "Sim", url: "https://a.example" }), "1.buttons.0.url"],
      [button({ type: "URL", text: "Ver" }), "1.buttons.0.url"],
      [url("https://a.example/"), undefined],
      [url("https://a.example/{{1}}", { example: "https://a.example/42" }), undefined],
      [url("https://a.example/{{1}}", { example: ["42"] }), undefined],
      [url("https://a.example/", { example: "42" }), "1.buttons.0.example"],
      [url("https://a.example/{{1}}/x"), "1.buttons.0.url"],
      [url("https://a.example/{{1}}{{2}}"), "1.buttons.0.url"],
      [url("https://a.example/{{2}}"), "1.buttons.0.url"],
      [url("https://a.example/{{1}"), "1.buttons.0.url"],
      [url("{{1}}"), "1.buttons.0.url"],
      [url("ftp://a.example/"), "1.buttons.0.url"],
      [url(`https://a.example/${"x".repeat(2000)}`), "1.buttons.0.url"],
      [button({ type: "PHONE_NUMBER", text: "Ligar", phone_number: "+551140028922" }), undefined],
      [button({ type: "PHONE_NUMBER", text: "Ligar" }), "1.buttons.0.phone_number"],
      [button({ type: "PHONE_NUMBER", text: "Ligar", phone_number: "190" }), "1.buttons.0.phone_number"],
      [button({ type: "REQUEST_CONTACT_INFO" }), undefined],
      [button({ type: "request_contact_info" }), undefined],
      [button({ type: "REQUEST_CONTACT_INFO", text: "Telefone" }), "1.buttons.0.text"],
      [button({ type: "COPY_CODE", example: "x".repeat(15) }), undefined],
      [button({ type: "COPY_CODE", example: "x".repeat(16) }), "1.buttons.0.example"],
      [button({ type: "COPY_CODE" }), "1.buttons.0.example"],
      [button({ type: "COPY_CODE", text: "Copiar", example: "1" }), "1.buttons.0.text"],
      [button({ type: "FLOW", text: "Agendar", flow_id: "flw_1" }), undefined],
      [button({ type: "FLOW", text: "Agendar" }), "1.buttons.0.flow_id"],
      [button({ type: "LIST", text: "Ver" }), "1.buttons.0.type"]
    ]
    for (const [components, path, format] of cases) {
      assert.strictEqual(faultOf(components, format), path, JSON.stringify(components).slice(0, 200))
    }
  })

  it("NAMED variables are unique names, POSITIONAL ones run 1..n without gaps M-TPL-03 M-TPL-04", () => {
    const text = (written: string) => [{ type: "BODY", text: written }]
    for (const written of ["{{2}}", "{{1}} {{3}}", "{{0}}", "{{01}}", "{{a}}", "{{}}", "{{ 1 }}", "{{1", "1}}"]) {
      assert.strictEqual(faultOf(text(written)), "0.text", written)
    }
    for (const written of ["{{1}}", "{{2}} {{1}}", "{{1}} {{1}} {{2}}", "{1}"]) {
      assert.isUndefined(faultOf(text(written)), written)
    }
    for (const [written, name] of [
      ["{{Name}}", "Name"],
      ["{{1}}", "1"],
      ["{{_a}}", "_a"],
      ["{{first-name}}", "first-name"],
      ["{{a}} {{a}}", "a"]
    ] as const) {
      assert.strictEqual(faultOf([named(written, name)], "NAMED"), "0.text", written)
    }
    assert.isUndefined(faultOf([named("Oi {{first_name2}}", "first_name2")], "NAMED"))
  })

  it("NAMED variables of BODY and text HEADER need exactly their examples M-TPL-05", () => {
    const example = "0.example.body_text_named_params"
    assert.isUndefined(faultOf([named("{{a}} {{b}}", "b", "a")], "NAMED"))
    for (const names of [["a"], ["a", "c"], ["a", "a"], ["a", "b", "c"], []]) {
      assert.strictEqual(faultOf([named("{{a}} {{b}}", ...names)], "NAMED"), example, names.join())
    }
    assert.strictEqual(faultOf([{ type: "BODY", text: "{{a}}" }], "NAMED"), example)
    const header = { type: "HEADER", format: "TEXT", text: "{{a}}" }
    assert.strictEqual(faultOf([body, header], "NAMED"), "1.example.header_text_named_params")
    const shown = { header_text_named_params: [{ param_name: "a", example: "x" }] }
    assert.isUndefined(faultOf([body, { ...header, example: shown }], "NAMED"))
    const positional = (body_text: unknown) => [{ type: "BODY", text: "{{1}} {{2}}", example: { body_text } }]
    for (const values of [["a", "b"], [["a", "b"]]]) assert.isUndefined(faultOf(positional(values)))
    for (const values of [["a"], [["a", "b", "c"]], []]) {
      assert.strictEqual(faultOf(positional(values)), "0.example.body_text", JSON.stringify(values))
    }
    assert.strictEqual(faultOf([{ ...named("{{1}}", "a") }]), example)
    assert.strictEqual(
      faultOf([{ type: "BODY", text: "x {{a}}", example: { body_text: ["x"] } }], "NAMED"),
      "0.example.body_text"
    )
  })

  it("every valid variable is found, and nothing else is", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/)), fc.string(), (names, between) => {
        const plain = between.replaceAll(/[{}]/g, "")
        const text = names.map((name) => `${plain}{{${name}}}`).join("")
        assert.deepStrictEqual(variablesIn(text), { keys: names, hasLooseBraces: false })
        assert.isUndefined(variablesFault(variablesIn(text), "NAMED"))
      })
    )
  })

  it("seeded templates follow the rules and get no authoring signal", () => {
    for (const { category, components, parameter_format } of Object.values(seededContents)) {
      assert.isUndefined(componentsFault(components, parameter_format))
      if (category === "marketing") assert.deepStrictEqual(authoringSignals({ category, components }), [])
    }
  })

  it("are stored in upper case with every member that was sent", () => {
    const [stored] = storedComponents([
      { type: "buttons", buttons: [{ type: "quick_reply", text: "Sim", payload: "yes" }] }
    ])
    assert.deepStrictEqual(stored, {
      type: "BUTTONS",
      buttons: [{ type: "QUICK_REPLY", text: "Sim", payload: "yes" }]
    } satisfies TemplateComponent)
    const decoded = Schema.decodeUnknownResult(CreateTemplate)({
      name: "a",
      language: "pt",
      category: "utility",
      parameter_format: null,
      components: [{ ...body, example: null, format: null }]
    })
    assert.isTrue(Result.isSuccess(decoded))
  })
})

describe("Authoring signals", () => {
  const codes = (components: ReadonlyArray<TemplateComponent>, category: "utility" | "marketing" = "utility") =>
    authoringSignals({ category, components }).map(({ code, component }) => `${code} ${component}`)

  it('remark on edges, many variables, promotion and short links, and block nothing M-TPL-10 gaps-2 G "authoring_signals"', () => {
    const text = (written: string): TemplateComponent => ({ type: "BODY", text: written })
    assert.deepStrictEqual(codes([text("{{1}}, seu pedido saiu ontem mesmo.")]), ["variable_at_edge BODY"])
    assert.deepStrictEqual(codes([text("Seu pedido saiu ontem, {{1}}")]), ["variable_at_edge BODY"])
    assert.deepStrictEqual(codes([text("Oi {{1}} {{2}} ok.")]), ["too_many_variables BODY"])
    assert.deepStrictEqual(codes([text("Aproveite o desconto hoje.")]), ["promotional_wording BODY"])
    assert.deepStrictEqual(codes([text("Aproveite o desconto hoje.")], "marketing"), [])
    assert.deepStrictEqual(codes([text("Pedido saiu, wholesale e salesforce.")]), [])
    assert.deepStrictEqual(codes([text("Veja em https://bit.ly/3x agora.")]), ["short_link BODY"])
    assert.deepStrictEqual(
      codes([
        text("Tudo certo."),
        { type: "BUTTONS", buttons: [{ type: "URL", text: "Cupom", url: "https://tinyurl.com/abc" }] }
      ]),
      ["promotional_wording BUTTONS", "short_link BUTTONS"]
    )
    assert.deepStrictEqual(codes([text("Seu pedido saiu ontem.")]), [])
  })
})
