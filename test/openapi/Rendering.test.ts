import { assert, it } from "@effect/vitest"
import { currentDescription } from "../../packages/openapi/Contract.ts"
import { rendered } from "../../packages/openapi/description/SchemaRendering.ts"

interface Schema {
  readonly [member: string]: unknown
  readonly type?: unknown
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Readonly<Record<string, string>> }
}

const description = JSON.parse(currentDescription())
const schemas = description.components.schemas as Readonly<Record<string, Schema>>

/** Every object of the description with where it stands. */
const everywhere = (value: unknown, at = ""): ReadonlyArray<readonly [string, Schema]> =>
  typeof value !== "object" || value === null
    ? []
    : [
        ...(Array.isArray(value) ? [] : [[at, value as Schema] as const]),
        ...Object.entries(value).flatMap(([name, member]) => everywhere(member, `${at}/${name}`))
      ]
const all = everywhere(description)

const unionsOf = (name: string) => {
  const { discriminator, oneOf } = schemas[name] as Schema
  return [discriminator?.propertyName, Object.keys(discriminator?.mapping ?? {}), oneOf?.length]
}

it("writes refinements beside the type they refine, instants as plain date-time A-CONV-10", () => {
  const instants = all.filter(([, { format }]) => format === "date-time")
  assert.isAbove(instants.length, 20)
  for (const [at, schema] of instants) {
    assert.includeMembers(["type", "format", "description", "examples"], Object.keys(schema), at)
    assert.include([schema.type].flat(), "string", at)
  }
  for (const [at, schema] of all) {
    assert.notProperty(schema, "allOf", at)
    for (const bound of ["minimum", "maximum"]) {
      if (typeof schema[bound] === "number") assert.isBelow(Math.abs(schema[bound]), 2 ** 53 - 1, at)
    }
  }
})

it("writes null as one of the types, and as a choice beside a named schema or several shapes alone", () => {
  for (const [at, { anyOf }] of all) {
    if (!Array.isArray(anyOf)) continue
    // A choice of plain types, such as a number or the same as a text: none of them is null.
    if (anyOf.every(({ $ref, type }) => $ref === undefined && type !== "null")) continue
    assert.deepStrictEqual(anyOf[1], { type: "null" }, at)
    const [shown = {}] = anyOf
    if (!("anyOf" in shown)) assert.hasAllKeys(shown, ["$ref"], at)
    assert.lengthOf(anyOf, 2, at)
  }
})

it("distinguishes tagged shapes by a discriminator, each with its required members M-MSG-17 M-MSG-18", () => {
  for (const [at, { discriminator, oneOf }] of all) {
    if (!Array.isArray(oneOf)) continue
    const { mapping = {}, propertyName = "" } = discriminator ?? {}
    assert.sameMembers(
      Object.values(mapping),
      oneOf.map(({ $ref }) => String($ref)),
      at
    )
    for (const [value, ref] of Object.entries(mapping)) {
      const shape = schemas[ref.split("/").at(-1) ?? ""]
      assert.deepStrictEqual(shape?.properties?.[propertyName]?.enum, [value], `${at} ${value}`)
      assert.include(shape?.required ?? [], propertyName, `${at} ${value}`)
    }
  }
  assert.deepStrictEqual(unionsOf("SimulateInbound"), [
    "type",
    ["text", "media", "interactive", "flow", "reaction", "unsupported", "unknown"],
    7
  ])
  assert.deepStrictEqual(schemas.SimulateText?.required, ["channel", "from", "to", "type", "text"])
  assert.doesNotHaveAnyKeys(schemas.SimulateText?.properties, [
    "flow",
    "interactive",
    "media",
    "reaction",
    "unsupported"
  ])
  assert.deepStrictEqual(schemas.SimulateUnknown?.required, ["channel", "from", "to", "type"])
  assert.deepStrictEqual(schemas.SocialRecipient?.required, ["type", "id"])
  assert.deepStrictEqual(schemas.PhoneRecipient?.required, ["type"])
  const { message, recipient } = schemas.SendMessage?.properties ?? {}
  assert.deepStrictEqual(Object.keys(message?.discriminator?.mapping ?? {}), [
    "text",
    "template",
    "media",
    "interactive",
    "flow",
    "reaction",
    "location",
    "contacts"
  ])
  assert.deepStrictEqual(schemas.OutboundText?.required, ["type", "text"])
  assert.doesNotHaveAnyKeys(schemas.OutboundText?.properties, ["template", "media", "interactive", "flow", "reaction"])
  assert.deepStrictEqual(unionsOf("InteractiveContent"), [
    "type",
    ["button", "list", "cta_url", "location_request", "order_details"],
    5
  ])
  assert.strictEqual(schemas.OrderDetailsMessage?.unevaluatedProperties, false)
  assert.deepStrictEqual(Object.keys(recipient?.discriminator?.mapping ?? {}), [
    "phone_e164",
    "chatapp_user_id",
    "chatapp_group",
    "social_user",
    "chatapp_channel"
  ])
})

it("keeps the code of an error open and lists the known ones of each response A-ERR-01 A-VER-05", () => {
  const { ErrorCode, Error: envelope } = schemas
  assert.strictEqual(ErrorCode?.type, "string")
  assert.doesNotHaveAnyKeys(ErrorCode, ["enum", "anyOf", "const"])
  assert.deepStrictEqual(envelope?.properties?.error?.properties?.code, { $ref: "#/components/schemas/ErrorCode" })
  const known = ErrorCode?.["x-known-codes"] as ReadonlyArray<string>
  assert.includeMembers(known as Array<string>, ["message_not_found", "rate_limited", "http_exception"])
  const responses = all.filter(([, one]) => "x-known-codes" in one && "content" in one)
  assert.isAbove(responses.length, 50)
  for (const [at, response] of responses) {
    const codes = response["x-known-codes"] as ReadonlyArray<string>
    assert.isNotEmpty(codes, at)
    for (const code of codes) {
      assert.include(known, code, at)
      assert.include(String(response.description), `\`${code}\``, at)
      assert.strictEqual(description.components.examples[code].value.error.code, code)
    }
  }
})

it("writes titles and summaries as plain text", () => {
  for (const [at, { summary }] of all) {
    if (typeof summary === "string") assert.notMatch(summary, /[`*#[\]<>]/, at)
  }
})

it("describes every member and parameter, except those with a single value A-VER-02", () => {
  const described = (schema: Schema): boolean => {
    const named = schemas[String(schema.$ref).split("/").at(-1) ?? ""]
    const choices = schema.anyOf ?? []
    return "description" in schema || (named !== undefined && described(named)) || choices.some(described)
  }
  const members = [...everywhere(description.components.schemas), ...everywhere(description.paths)]
    .flatMap(([at, { properties }]) =>
      Object.entries(properties ?? {}).map(([name, member]) => [`${at} ${name}`, member] as const)
    )
    .filter(
      ([, { const: only, enum: values }]) => only === undefined && !(Array.isArray(values) && values.length === 1)
    )
  assert.isAbove(members.length, 400)
  for (const [at, member] of members) assert.isTrue(described(member), at)
  for (const [at, one] of all) if ("in" in one && "name" in one) assert.isTrue(described(one), at)
})

it("leaves a choice of several types and an intersection unchanged", () => {
  const kept = { anyOf: [{ type: "string" }, { type: "integer" }] }
  assert.deepStrictEqual(rendered(kept), kept)
  assert.deepStrictEqual(rendered({ type: "string", pattern: "a", allOf: [{ pattern: "b" }, { maxLength: 3 }] }), {
    type: "string",
    pattern: "a",
    maxLength: 3,
    allOf: [{ pattern: "b" }]
  })
  assert.deepStrictEqual(rendered({ anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] }), {
    type: ["string", "null"],
    enum: ["a", null]
  })
  assert.deepStrictEqual(rendered({ anyOf: [{ type: "string" }, {}], description: "Anything" }), {
    description: "Anything"
  })
})
