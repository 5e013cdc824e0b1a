import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"
import { apiCompare } from "api-smart-diff"
import { committedFile } from "../../packages/openapi/Committed.ts"
import { withSharedResponses } from "../../packages/openapi/description/SharedResponses.ts"
import { operationsOf } from "../../packages/sdk/codegen/Description.ts"

interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly headers?: Readonly<Record<string, { readonly schema?: unknown }>>
  readonly "x-known-codes"?: ReadonlyArray<string>
  readonly content?: Readonly<
    Record<
      string,
      {
        readonly schema?: { readonly properties?: object }
        readonly examples?: Readonly<Record<string, { readonly value?: { readonly error: { readonly code: string } } }>>
      }
    >
  >
}

interface Description {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, Response>> }>>>
  >
  readonly components: { readonly responses: Readonly<Record<string, Response>> }
}

const read = (): Description => JSON.parse(readFileSync(committedFile, "utf8"))
const responsesIn = ({ paths }: Description): ReadonlyArray<readonly [at: string, response: Response]> =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { responses }]) =>
      Object.entries(responses).map(([status, response]) => [`${method} ${path} ${status}`, response] as const)
    )
  )

it("writes a response that several operations have in common once, and names each that it shares A-VER-02", () => {
  const description = read()
  const written = responsesIn(description)
    .filter(([, response]) => response.$ref === undefined)
    .map(([, response]) => JSON.stringify(response))
  assert.isAbove(written.length, 50)
  assert.strictEqual(new Set(written).size, written.length)
  const referred = new Set(responsesIn(description).flatMap(([, { $ref }]) => $ref ?? []))
  assert.deepStrictEqual(
    [...referred].sort(),
    Object.keys(description.components.responses)
      .map((name) => `#/components/responses/${name}`)
      .sort()
  )
  for (const name of Object.keys(description.components.responses)) assert.match(name, /^[\w.-]+$/)
})

it("has codes, headers, schema and samples behind each reference A-ERR-01 A-VER-02", () => {
  const description = read()
  const follow = <A extends object>(part: A): A => {
    const { $ref } = part as { readonly $ref?: string }
    const [kind = "", name = ""] = $ref?.split("/").slice(-2) ?? []
    return $ref === undefined ? part : (description.components[kind as "responses"][name] as A)
  }
  const all = responsesIn(description)
  assert.isAbove(all.filter(([, { $ref }]) => $ref !== undefined).length, 1000)
  for (const [at, response] of all) {
    const { content = {}, headers = {}, ...whole } = follow(response)
    assert.isNotEmpty(whole.description, at)
    assert.includeMembers(Object.keys(headers), ["svc-request-id", "svc-trace-id"], at)
    for (const header of Object.values(headers)) assert.property(follow(header), "schema", at)
    const codes = whole["x-known-codes"]
    if (codes === undefined) continue
    const { examples = {}, schema = {} } = content["application/json"] ?? {}
    assert.property(follow(schema).properties, "error", at)
    assert.deepStrictEqual(
      Object.values(examples).map((example) => follow(example).value?.error.code),
      [...codes],
      at
    )
  }
})

it("tells two responses apart that name equal codes, and leaves one that stands once where it is", () => {
  const refusal = (description: string) => ({ description, "x-known-codes": ["gone"], content: {} })
  const success = (description: string) => ({ description, content: {} })
  const operation = (operationId: string, responses: object) => ({ get: { operationId, responses } })
  const { components, paths } = withSharedResponses({
    paths: {
      "/a": operation("a.get", { 200: success("A."), 404: refusal("No a."), 409: refusal("A is gone.") }),
      "/b": operation("b.get", { 200: success("A."), 404: refusal("No a."), 409: refusal("A is gone.") }),
      "/c": operation("c.get", { 200: success("C."), 404: refusal("No c.") })
    },
    components: { responses: { Error: refusal("Any.") } }
  }) as unknown as Description
  const { gone, gone_409, "a.get.200": a, Error: any, ...others } = components.responses
  assert.deepStrictEqual(
    [gone, gone_409, a, any, others],
    [refusal("No a."), refusal("A is gone."), success("A."), refusal("Any."), {}]
  )
  const of = (path: string) => Object.values(paths[path]?.get?.responses ?? {})
  assert.deepStrictEqual(
    of("/b"),
    ["a.get.200", "gone", "gone_409"].map((name) => ({ $ref: `#/components/responses/${name}` }))
  )
  assert.deepStrictEqual<ReadonlyArray<unknown>>(of("/c"), [success("C."), refusal("No c.")])
})

it("a library that compares descriptions finds no difference to one in which nothing is shared A-VER-02", () => {
  const { components, openapi, paths, ...others } = read() as Description & { readonly openapi: string }
  const some = Object.fromEntries(Object.entries(paths).filter(([path]) => path.startsWith("/v1/webhook-")))
  const inPlace = mapResponses(some, (response) =>
    response.$ref === undefined ? response : (components.responses[response.$ref.split("/").at(-1) ?? ""] ?? {})
  )
  const { diffs } = apiCompare(
    { openapi, components, paths: inPlace, ...others },
    { openapi, components, paths: some, ...others }
  )
  assert.isAbove(JSON.stringify(inPlace).length, JSON.stringify(some).length)
  assert.deepStrictEqual(diffs, [])
})

const mapResponses = (paths: Description["paths"], change: (response: Response) => Response): Description["paths"] =>
  Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          {
            ...operation,
            responses: Object.fromEntries(
              Object.entries(operation.responses).map(([status, response]) => [status, change(response)])
            )
          }
        ])
      )
    ])
  )

it("the client's generator reads a shared response as one that stands in its operation", () => {
  const description = read()
  const operations = operationsOf(description as unknown as Parameters<typeof operationsOf>[0])
  const successes = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) => (status < "3" ? [[operationId, response] as const] : []))
  )
  assert.isAbove(successes.length, 150)
  for (const [operationId, response] of successes) assert.notProperty(response, "$ref", operationId)
})
