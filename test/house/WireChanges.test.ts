import { assert, describe, it } from "@effect/vitest"
import { breakingChanges } from "./WireChanges.ts"
import { keptReleases, newestOf } from "./WireReleases.ts"

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: object) => ({ content: { "application/json": { schema } } })

/** A small description in which each kind of change has its place. */
const release = () => ({
  openapi: "3.1.0",
  paths: {
    "/v1/orders": {
      get: {
        operationId: "orders.list",
        "x-required-scopes": ["orders:read"],
        parameters: [{ name: "state", in: "query", required: false, schema: { enum: ["open", "closed"] } }],
        responses: { 200: { description: "Done.", ...json(ref("Order")) }, 404: { description: "None." } }
      },
      post: {
        operationId: "orders.create",
        parameters: [],
        requestBody: { required: false, ...json(ref("CreateOrder")) },
        responses: { 201: { $ref: "#/components/responses/orders.create.201" } }
      }
    },
    "/v1/orders/{order_id}": {
      delete: { operationId: "orders.delete", parameters: [], responses: { 200: { description: "Done." } } }
    }
  },
  webhooks: { "order.sent": { post: { requestBody: json(ref("OrderSent")) } } },
  components: {
    responses: { "orders.create.201": { description: "Created.", ...json(ref("Order")) } },
    schemas: {
      CreateOrder: {
        type: "object",
        properties: {
          color: { type: "string", enum: ["red", "blue"] },
          note: { type: ["string", "null"], maxLength: 10 }
        },
        required: ["color"],
        additionalProperties: false
      },
      Order: {
        type: "object",
        properties: {
          id: { type: "string" },
          state: { type: "string", enum: ["open", "closed"] },
          count: { type: "integer" },
          type: { type: "string", description: "Its kind." }
        },
        required: ["id"]
      },
      OrderSent: { type: "object", properties: { id: { type: "string" } }, required: ["id"] }
    }
  }
})

/** One or several edits of the description: a place, and the value there, or undefined where nothing is left. */
type Edits = Readonly<Record<string, unknown>>

const edited = (edits: Edits) => {
  const after = release()
  for (const [place, value] of Object.entries(edits)) {
    const names = place.split(" ")
    const parent = names.slice(0, -1).reduce((at, name) => at[name] as Members, after as unknown as Members)
    if (value === undefined) delete parent[names.at(-1) ?? ""]
    else parent[names.at(-1) ?? ""] = value
  }
  return after
}
type Members = Record<string, unknown>

const created = "components schemas CreateOrder"
const order = "components schemas Order"
const list = "paths /v1/orders get"
const text = { type: "string" }

const breaking: ReadonlyArray<readonly [what: string, edits: Edits]> = [
  ["a route", { "paths /v1/orders/{order_id} delete": undefined }],
  ["a path", { "paths /v1/orders/{order_id}": undefined }],
  ["a member of an answer", { [`${order} properties count`]: undefined }],
  ["a member of a request", { [`${created} properties note`]: undefined }],
  ["a member of an event", { "components schemas OrderSent properties id": undefined }],
  ["an event", { "webhooks order.sent": undefined }],
  ["a success", { [`${list} responses 200`]: undefined }],
  ["a parameter", { [`${list} parameters`]: [] }],
  ["a value of a parameter", { [`${list} parameters 0 schema enum`]: ["open"] }],
  ["a value of a request", { [`${created} properties color enum`]: ["red"] }],
  [
    "requests without a new member",
    { [`${created} properties size`]: text, [`${created} required`]: ["color", "size"] }
  ],
  ["requests without a member", { [`${created} required`]: ["color", "note"] }],
  ["the promise that a member is there", { [`${order} required`]: [] }],
  ["length", { [`${created} properties note maxLength`]: 9 }],
  ["null in a request", { [`${created} properties note type`]: "string" }],
  ["the type of an answer", { [`${order} properties count type`]: "string" }],
  ["the promise that an answer is not null", { [`${order} properties count type`]: ["integer", "null"] }],
  ["keys without another scope", { [`${list} x-required-scopes`]: ["orders:read", "orders:write"] }],
  ["public calls", { "paths /v1/orders post x-required-scopes": ["orders:write"] }],
  ["the name of an operation", { [`${list} operationId`]: "orders.all" }],
  ["requests without a body", { "paths /v1/orders post requestBody required": true }]
]

const additive: ReadonlyArray<readonly [what: string, edits: Edits]> = [
  ["an optional member of a request", { [`${created} properties size`]: text }],
  ["a member of an answer", { [`${order} properties size`]: text }],
  [
    "a member of an answer that is always there",
    { [`${order} properties size`]: text, [`${order} required`]: ["id", "size"] }
  ],
  ["a value of a request", { [`${created} properties color enum`]: ["red", "blue", "green"] }],
  ["a value of an answer", { [`${order} properties state enum`]: ["open", "closed", "late"] }],
  ["null in a request", { [`${created} properties color type`]: ["string", "null"] }],
  ["an optional parameter", { [`${list} parameters 1`]: { name: "q", in: "query", required: false, schema: text } }],
  ["a route", { "paths /v1/parcels": { get: { responses: { 200: { description: "Done." } } } } }],
  ["an event", { "webhooks order.late": { post: { requestBody: json(ref("OrderSent")) } } }],
  ["a refusal", { [`${list} responses 409`]: { description: "Late." } }],
  ["freedom from a refusal", { [`${list} responses 404`]: undefined }],
  [
    "a response that is written where it was referred to",
    { "paths /v1/orders post responses 201": { description: "Created.", ...json(ref("Order")) } }
  ],
  ["a sentence", { [`${order} properties count description`]: "How many." }],
  ["another sentence about a member named type", { [`${order} properties type description`]: "The kind of order." }]
]

describe("The wire against the release before", () => {
  it.each(breaking)("must not lose %s A-VER-05 A-VER-07", (_, edits) => {
    assert.isNotEmpty(breakingChanges(release(), edited(edits)))
  })

  it.each(additive)("may gain %s A-VER-05", (_, edits) => {
    assert.deepStrictEqual(breakingChanges(release(), edited(edits)), [])
  })

  it("says where it breaks, and passes a change that was decided", () => {
    const after = edited({ "paths /v1/orders/{order_id} delete": undefined })
    const at = "paths /v1/orders/{order_id} delete"
    const found = breakingChanges(release(), after)
    assert.deepStrictEqual(
      found.map((one) => one.at),
      [at]
    )
    assert.deepStrictEqual(breakingChanges(release(), after, [{ at, reason: "Its sunset has passed." }]), [])
  })

  it("is compared with the newest release by its number, whatever the order of the files", () => {
    assert.strictEqual(newestOf(["0.9.0", "0.10.0", "0.2.11"]), "0.10.0")
    assert.strictEqual(newestOf(["1.0.0", "0.99.9"]), "1.0.0")
    assert.isUndefined(newestOf([]))
  })

  it("each kept release is a whole description A-VER-02", () => {
    assert.isNotEmpty(keptReleases())
    for (const { description, version } of keptReleases()) {
      assert.match(description.openapi, /^3\.1\./, version)
      assert.isAbove(Object.keys(description.paths).length, 100, version)
    }
  })
})
