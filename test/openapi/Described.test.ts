import { Carteiro } from "@carteiro/sdk"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { currentDescription } from "../../packages/openapi/Contract.ts"
import { Api } from "../support/ApiTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

interface Schema {
  readonly type?: string | ReadonlyArray<string>
  readonly format?: string
  readonly pattern?: string
  readonly additionalProperties?: unknown
  readonly unevaluatedProperties?: unknown
}

interface Operation {
  readonly operationId: string
  readonly parameters: ReadonlyArray<{ readonly in: string; readonly name: string; readonly example?: unknown }>
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly "x-codeSamples": ReadonlyArray<{ readonly source: string }>
}

const description = JSON.parse(currentDescription()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
const paths = Object.keys(description.paths)
const operations = Object.values(description.paths).flatMap((item) => Object.values(item))

/** Every object in the description. */
const objectsIn = (node: unknown): ReadonlyArray<Schema> =>
  typeof node !== "object" || node === null
    ? []
    : [...(Array.isArray(node) ? [] : [node as Schema]), ...Object.values(node).flatMap(objectsIn)]

const covers = (template: string, path: string): boolean => {
  const [general, own] = [template.split("/"), path.split("/")]
  return (
    template !== path &&
    general.length === own.length &&
    general.every((segment, at) => segment.startsWith("{") || segment === own[at])
  )
}

it("a concrete path stands before the templates that take it too", () => {
  const shadowed = paths.filter((path, at) => paths.slice(0, at).some((before) => covers(before, path)))
  assert.deepStrictEqual(shadowed, [])
  assert.isBelow(paths.indexOf("/v1/webhook-events/listen"), paths.indexOf("/v1/webhook-events/{webhook_event_id}"))
  assert.isBelow(
    paths.indexOf("/v1/provider-connections/numprov"),
    paths.indexOf("/v1/provider-connections/{connection_id}")
  )
})

it("every parameter of a path has an example", () => {
  const inPaths = operations.flatMap(({ parameters }) => parameters.filter((one) => one.in === "path"))
  assert.isAbove(inPaths.length, 60)
  for (const { example, name } of inPaths) assert.isString(example, name)
})

it("no schema allows and refuses further members at once", () => {
  for (const schema of objectsIn(description)) {
    if (schema.additionalProperties === true) assert.notProperty(schema, "unevaluatedProperties")
  }
  assert.deepInclude(description.components.schemas.CancelPayment, { type: "object", additionalProperties: false })
  assert.deepInclude(description.components.schemas.RevokeAgenticAuthorization, { additionalProperties: false })
})

it("instants that callers send are described by a pattern that takes every offset A-CONV-11", () => {
  const instants = operations
    .flatMap(({ parameters, requestBody }) => objectsIn([parameters, requestBody]))
    .filter(({ format, pattern }) => format === "date-time" || pattern?.includes("[Zz]") === true)
  assert.isAbove(instants.length, 7)
  for (const { format, pattern } of instants) {
    assert.isUndefined(format)
    for (const text of ["2026-01-01T09:00:00-03:00", "2026-01-01T12:00:00Z", "2026-01-01T12:00:00.123456Z"])
      assert.match(text, new RegExp(pattern ?? "$."))
    assert.notMatch("2026-01-01T09:00:00", new RegExp(pattern ?? "."))
  }
})

it.layer(WholeProduct(), { excludeTestServices: true })("The bytes of an upload", (it) => {
  it.effect("are sent as the description says: its media types take the one that the upload names M-MED", () =>
    Effect.gen(function* () {
      const { acme, baseUrl, post } = yield* Api
      const { key } = acme.sandbox
      const put = operations.find(({ operationId }) => operationId === "media.blobs.put")
      assert.deepStrictEqual(Object.keys(put?.requestBody?.content ?? {}), ["*/*"])
      assert.include(put?.["x-codeSamples"][0]?.source, '-H "Content-Type: image/png"')
      const png = Buffer.from(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
        "base64"
      )
      const body = { kind: "image", mime_type: "image/png", byte_length: png.length }
      const session = yield* post("/v1/media/uploads", body, { key })
      assert.strictEqual(session.status, 201, session.text)
      const token = new URL(session.body.upload_url).pathname.split("/").at(-1) ?? ""
      const carteiro = new Carteiro({ apiKey: key, baseUrl })
      const type = session.body.upload_headers["content-type"] ?? session.body.upload_headers["Content-Type"]
      yield* Effect.promise(() => carteiro.media.blobs.put(decodeURIComponent(token), png, type))
      const done = yield* post(`/v1/media/${session.body.id}/complete`, undefined, { key })
      assert.strictEqual(done.body.status, "ready", done.text)
    })
  )
})
