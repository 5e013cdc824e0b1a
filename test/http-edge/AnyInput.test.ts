import { bodyDecoder } from "@carteiro/http-edge/Decoding.ts"
import { RouteTable } from "@carteiro/http-edge/Routes.ts"
import { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import fc from "fast-check"
import { queryReader } from "../../packages/http-edge/decoding/QueryString.ts"
import { clientAddress } from "../../packages/http-edge/listener/ClientAddress.ts"
import { CreateParcel, ParcelsApi } from "./SampleApi.ts"
import { Door, sampleRoutes } from "./SampleServer.ts"

const isContractError = (value: unknown): boolean =>
  value instanceof ApiError && value.status === 400 && value.type === "validation_error"

it("decodes any JSON to a value or to one refusal of the contract A-ERR-02", () => {
  const decode = bodyDecoder(CreateParcel, { code: "invalid", strict: true })
  const near = fc.record(
    {
      name: fc.oneof(fc.string(), fc.jsonValue()),
      to: fc.jsonValue(),
      note: fc.option(fc.string()),
      content: fc.oneof(fc.jsonValue(), fc.record({ type: fc.constantFrom("text", "tags", "fax"), body: fc.string() })),
      labels: fc.array(fc.jsonValue()),
      size: fc.dictionary(fc.string(), fc.jsonValue())
    },
    { requiredKeys: [] }
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), near), (input) => {
      const decoded = decode(input)
      if (decoded instanceof ApiError) {
        assert.isTrue(isContractError(decoded))
        assert.isTrue(decoded._tag === "invalid" || decoded._tag === "invalid_phone_e164")
      } else assert.isObject(decoded)
    })
  )
})

it("reports the same offender for every order of the members A-ERR-02", () => {
  const decode = bodyDecoder(CreateParcel, { code: "invalid", strict: true })
  const bad = { name: "", to: 1, labels: [1], size: {}, zzz: 1 }
  fc.assert(
    fc.property(fc.shuffledSubarray(Object.entries(bad), { minLength: 1 }), (entries) => {
      const decoded = decode(Object.fromEntries([["name", "ok"], ...entries]))
      const order = ["name", "to", "labels.0", "size.width", "zzz"]
      const present = order.find((param) => entries.some(([name]) => param.split(".")[0] === name))
      assert.strictEqual((decoded as ApiError).param, present)
    })
  )
})

it("reads any query text to a value or to one refusal of the contract A-CONV-15", () => {
  const read = queryReader(ParcelsApi.endpoints.list.query, { code: "invalid_query", strict: true })
  const pieces = fc.constantFrom("limit", "status", "ids", "ids[]", "=", "&", "%", "%5B", "%ff", "1", "open", "+", "📮")
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: "binary" }),
        fc.array(pieces).map((all) => all.join(""))
      ),
      (search) => {
        const decoded = read(search)
        assert.isTrue(isContractError(decoded) || (typeof decoded === "object" && decoded !== null))
      }
    )
  )
})

it.effect("matches any path to a route or to nothing, with every parameter present A-ERR-20", () =>
  Effect.gen(function* () {
    const table = Context.get(
      yield* Layer.build(sampleRoutes.pipe(Layer.provideMerge(Layer.merge(RouteTable.layer, Door.layer)))),
      RouteTable
    )
    const segment = fc.oneof(
      fc.constantFrom("v1", "parcels", "listen", "cancel", "", "%", "%2F", "__proto__"),
      fc.webSegment()
    )
    fc.assert(
      fc.property(fc.constantFrom("GET", "POST", "HEAD", "PUT"), fc.array(segment), (method, segments) => {
        const match = table.match(method, `/${segments.join("/")}`)
        if (match === undefined) return
        const names = match.route.path.split("/").filter((part) => part.startsWith(":"))
        assert.deepStrictEqual(
          Object.keys(match.params),
          names.map((name) => name.slice(1))
        )
      })
    )
  })
)

it("names the last hop that no trusted proxy wrote A-AUTH-01", () => {
  const source = clientAddress(["10.0.0.0/8", "::1", "192.0.2.7"])
  assert.strictEqual(source("203.0.113.5", "198.51.100.1"), "203.0.113.5")
  assert.strictEqual(source("10.1.2.3", undefined), "10.1.2.3")
  assert.strictEqual(source("::ffff:10.1.2.3", "198.51.100.1, 10.9.9.9,192.0.2.7"), "198.51.100.1")
  assert.strictEqual(source("::1", "2001:db8::9"), "2001:db8::9")
  assert.strictEqual(clientAddress([])("10.1.2.3", "198.51.100.1"), "10.1.2.3")
})
