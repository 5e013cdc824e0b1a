import {
  checkTemplateParameters,
  type SentParameters,
  type SentTemplate,
  templateNeeds
} from "@carteiro/runtime/templates/Templates.ts"
import type { TemplateComponent } from "@carteiro/schema/templates/TemplateComponents.ts"
import { Result } from "effect"
import fc from "fast-check"
import { assert, describe, it } from "vitest"

const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
const value = fc.string({ minLength: 1, maxLength: 12 }).filter((text) => !text.includes("     "))
const media = fc.constantFrom("IMAGE" as const, "VIDEO" as const, "DOCUMENT" as const)

/** A whole template, what may stand in its parts chosen freely. */
const template: fc.Arbitrary<SentTemplate> = fc
  .record({
    named: fc.boolean(),
    names: fc.uniqueArray(name, { maxLength: 5 }),
    headerName: fc.option(name, { nil: undefined }),
    header: fc.oneof(fc.constant("none" as const), fc.constant("text" as const), media),
    buttons: fc.array(fc.constantFrom("reply", "fixed", "dynamic"), { maxLength: 10 })
  })
  .map(({ buttons, header, headerName, named, names }): SentTemplate => {
    const key = (index: number) => (named ? (names[index] as string) : String(index + 1))
    const components: Array<TemplateComponent> = [
      { type: "BODY", text: `Olá ${names.map((_, index) => `{{${key(index)}}}`).join(" e ")}.` }
    ]
    if (header === "text") {
      const variable = headerName === undefined ? "" : `{{${named ? headerName : "1"}}}`
      components.push({ type: "HEADER", format: "TEXT", text: `Oi ${variable}` })
    } else if (header !== "none") components.push({ type: "HEADER", format: header })
    if (buttons.length > 0) {
      components.push({
        type: "BUTTONS",
        buttons: buttons.map((kind) =>
          kind === "reply"
            ? { type: "QUICK_REPLY", text: "Sim" }
            : { type: "URL", text: "Ver", url: `https://shop.example/${kind === "dynamic" ? "{{1}}" : ""}` }
        )
      })
    }
    return { parameter_format: named ? "NAMED" : "POSITIONAL", components }
  })

/** Exactly what a template needs, built from what it says it needs. */
const exactly = (of: SentTemplate, text: string): Required<SentParameters> => {
  const needs = templateNeeds(of)
  const parameters = (named: boolean) => [
    { type: "text", text, ...(named ? { parameter_name: needs.header as string } : {}) }
  ]
  return {
    variables: Object.fromEntries(needs.body.map((key) => [key, text])),
    components: [
      ...(needs.header === undefined
        ? []
        : [{ type: "header", parameters: parameters(of.parameter_format === "NAMED") }]),
      ...needs.buttons.map((index) => ({ type: "button", sub_type: "url", index, parameters: parameters(false) }))
    ],
    header_media: needs.media === undefined ? null : { kind: needs.media }
  }
}

const wrong = (of: SentTemplate, sent: SentParameters) => {
  const checked = checkTemplateParameters(templateNeeds(of), sent)
  return Result.isFailure(checked) ? checked.failure.param : undefined
}

const body = (text: string, parameter_format: SentTemplate["parameter_format"] = "POSITIONAL"): SentTemplate => ({
  parameter_format,
  components: [{ type: "BODY", text }]
})

describe("Template parameters", () => {
  it('takes exactly what a template needs and hands every value on M-MSG-29 M-MSG-30 M-MSG-33 gaps-2 B "Template parameter check details"', () => {
    fc.assert(
      fc.property(template, value, (of, text) => {
        const sent = exactly(of, text)
        const checked = Result.getOrThrow(checkTemplateParameters(templateNeeds(of), sent))
        const needs = templateNeeds(of)
        assert.deepStrictEqual(checked.body, sent.variables)
        assert.deepStrictEqual(checked.header, needs.header === undefined ? {} : { [needs.header]: text })
        assert.deepStrictEqual(
          checked.buttons,
          needs.buttons.map((index) => [index, text])
        )
      })
    )
  })

  it("names the first group that is wrong: variables, components, header_media M-MSG-35..37", () => {
    fc.assert(
      fc.property(template, value, fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()), (of, text, broken) => {
        const sent = exactly(of, text)
        const variables = { ...sent.variables, not_there: text }
        const components = [...(sent.components ?? []), { type: "button", sub_type: "url", index: 9, parameters: [] }]
        const header_media = sent.header_media === null ? { kind: "image" } : null
        const [first] = (["variables", "components", "header_media"] as const).filter((_, group) => broken[group])
        assert.strictEqual(
          wrong(of, {
            variables: broken[0] ? variables : sent.variables,
            components: broken[1] ? components : sent.components,
            header_media: broken[2] ? header_media : sent.header_media
          }),
          first
        )
      })
    )
  })

  it("refuses a send that lacks a required value, or has an empty one M-MSG-34..37", () => {
    fc.assert(
      fc.property(template, value, fc.nat(), (of, text, at) => {
        const sent = exactly(of, text)
        const keys = Object.keys(sent.variables ?? {})
        const key = keys[at % Math.max(1, keys.length)]
        if (key !== undefined) {
          const { [key]: _, ...rest } = sent.variables as Record<string, string>
          assert.strictEqual(wrong(of, { ...sent, variables: rest }), "variables")
          assert.strictEqual(wrong(of, { ...sent, variables: { ...rest, [key]: "" } }), "variables")
        }
        const components = sent.components ?? []
        if (components.length > 0) {
          const index = at % components.length
          const without = components.filter((_, other) => other !== index)
          const twice = [...components, components[index] as (typeof components)[number]]
          assert.strictEqual(wrong(of, { ...sent, components: without }), "components")
          assert.strictEqual(wrong(of, { ...sent, components: twice }), "components")
        }
        if (sent.header_media !== null) assert.strictEqual(wrong(of, { ...sent, header_media: null }), "header_media")
      })
    )
  })

  it("reads only a record's own keys", () => {
    assert.strictEqual(wrong(body("{{constructor}}", "NAMED"), { variables: {} }), "variables")
    assert.strictEqual(wrong(body("Olá"), { variables: JSON.parse('{"__proto__": "x"}') }), "variables")
  })

  it("an index is 0..9, as a number or one digit; a name is for NAMED headers only M-MSG-31", () => {
    const of: SentTemplate = {
      parameter_format: "NAMED",
      components: [
        { type: "HEADER", format: "TEXT", text: "Oi {{first_name}}" },
        { type: "BODY", text: "Tudo bem?" },
        { type: "BUTTONS", buttons: [{ type: "URL", text: "Ver", url: "https://shop.example/{{1}}" }] }
      ]
    }
    const header = { type: "header", parameters: [{ text: "Ana", parameter_name: "first_name" }] }
    const button = (index: unknown) =>
      ({ type: "button", sub_type: "url", index, parameters: [{ text: "42" }] }) as {
        readonly type: string
        readonly index: number
      }
    for (const index of [0, "0"]) assert.isUndefined(wrong(of, { components: [header, button(index)] }))
    for (const index of [1, "00", " 0", 0.5, -1, null, undefined, "0x0"]) {
      assert.strictEqual(wrong(of, { components: [header, button(index)] }), "components")
    }
    const unnamed = { type: "header", parameters: [{ text: "Ana" }] }
    assert.strictEqual(wrong(of, { components: [unnamed, button(0)] }), "components")
    assert.strictEqual(
      wrong(
        { ...body("Olá"), components: [{ type: "HEADER", format: "TEXT", text: "{{1}}" }] },
        { components: [header] }
      ),
      "components"
    )
  })

  it("a value with a line break, a tab or five blanks in a row is a mismatch of its own U-SND-05", () => {
    const of = {
      parameter_format: "POSITIONAL",
      components: [
        { type: "HEADER", format: "TEXT", text: "{{1}}" },
        { type: "BODY", text: "{{1}} {{2}}" }
      ]
    } as const satisfies SentTemplate
    const header = (text: string) => ({ components: [{ type: "header", parameters: [{ text }] }] })
    for (const bad of ["a\nb", "a\rb", "a\tb", "a     b"]) {
      const inBody = checkTemplateParameters(templateNeeds(of), { variables: { 1: "a", 2: bad }, ...header("x") })
      assert.deepInclude(Result.isFailure(inBody) ? inBody.failure : {}, { param: "variables", value: ".2" }, bad)
      const inHeader = checkTemplateParameters(templateNeeds(of), { variables: { 1: "a", 2: "b" }, ...header(bad) })
      const told = Result.isFailure(inHeader) ? inHeader.failure : {}
      assert.deepInclude(told, { param: "components", value: ".0.parameters.0.text" }, bad)
    }
    assert.isUndefined(wrong(of, { variables: { 1: "a    b", 2: "c" }, ...header("x") }))
  })

  it("media of another kind, or none where a file is needed, is a mismatch of header_media M-MSG-32 M-MSG-37", () => {
    const of: SentTemplate = {
      parameter_format: "POSITIONAL",
      components: [
        { type: "HEADER", format: "IMAGE" },
        { type: "BODY", text: "Olá" }
      ]
    }
    assert.isUndefined(wrong(of, { header_media: { kind: "image" } }))
    assert.strictEqual(wrong(of, { header_media: { kind: "video" } }), "header_media")
    assert.strictEqual(wrong(of, {}), "header_media")
  })
})
