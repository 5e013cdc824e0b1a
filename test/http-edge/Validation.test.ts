import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { suggest } from "../../packages/http-edge/decoding/Expectation.ts"
import { Door, SampleServer } from "./SampleServer.ts"
import { call } from "./Wire.ts"

const offender = (body: object | string) =>
  Effect.map(call("POST /v1/parcels", { body }), ({ status, json }) => {
    assert.strictEqual(status, 400, JSON.stringify(json))
    assert.strictEqual(json.error.type, "validation_error")
    return [json.error.code, json.error.param]
  })
const code = "invalid_parcel_request"

it.layer(SampleServer, { excludeTestServices: true })("Validation", (it) => {
  it.effect("reports the first offender in the order of the contract, whatever the order sent A-ERR-02", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offender({ size: 1, labels: 2, name: 3 }), [code, "name"])
      assert.deepStrictEqual(yield* offender({ size: 1, labels: 2, name: "a" }), [code, "labels"])
      assert.deepStrictEqual(yield* offender({ size: { depth: "x" }, name: "a" }), [code, "size.width"])
    })
  )

  it.effect("writes dot paths with array indexes A-ERR-02", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offender({ name: "a", labels: ["ok", "far too long"] }), [code, "labels.1"])
      assert.deepStrictEqual(yield* offender({ name: "a", content: { type: "tags", tags: [""] } }), [
        code,
        "content.tags.0"
      ])
      assert.deepStrictEqual(yield* offender({ name: "a", content: { type: "text" } }), [code, "content.body"])
    })
  )

  it.effect("names the tag of a tagged union that matches no member A-ERR-02", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offender({ name: "a", content: { type: "fax" } }), [code, "content.type"])
      assert.deepStrictEqual(yield* offender({ name: "a", content: {} }), [code, "content.type"])
      assert.deepStrictEqual(yield* offender({ name: "a", content: 7 }), [code, "content"])
    })
  )

  it.effect("reports unknown fields after contract fields, nested ones included A-ERR-02", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offender({ aaa: 1, name: "" }), [code, "name"])
      assert.deepStrictEqual(yield* offender({ aaa: 1, name: "a", size: { width: 1, depth: "x" } }), [
        code,
        "size.depth"
      ])
      assert.deepStrictEqual(yield* offender({ name: "a", size: { width: 1, depth: 1, high: 2 } }), [code, "size.high"])
      assert.deepStrictEqual(yield* offender({ name: "a", __proto: 1 }), [code, "__proto"])
      assert.deepStrictEqual(yield* offender('{"name":"a","__proto__":{"x":1}}'), [code, "__proto__"])
      assert.deepStrictEqual(yield* offender({ name: "a", "a.b": 1, "📮": 1 }), [code, "a.b"])
    })
  )

  it.effect("ignores unknown fields where the route is not strict A-ERR-02", () =>
    Effect.gen(function* () {
      const { json } = yield* call("PATCH /v1/parcels/a", { body: { note: "n", extra: 1 } })
      assert.deepStrictEqual(json.body, { note: "n" })
    })
  )

  it.effect("answers a field's own code when it has one, and the route's when it is missing A-ERR-02", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* offender({ name: "a", to: "12" }), ["invalid_phone_e164", "to"])
      assert.deepStrictEqual(yield* offender({ name: "a", to: 12 }), ["invalid_phone_e164", "to"])
      assert.deepStrictEqual(yield* offender({ to: "+5511999990000" }), [code, "name"])
    })
  )

  it.effect(
    "takes null for an optional field of a create body as absent, and refuses it for a required one A-ERR-02",
    () =>
      Effect.gen(function* () {
        const { json } = yield* call("POST /v1/parcels", { body: { name: "a", note: null } })
        assert.deepStrictEqual(json.body, { name: "a" })
        assert.deepStrictEqual(yield* offender({ name: null }), [code, "name"])
        assert.deepStrictEqual(yield* offender({ name: "a", note: "far too long" }), [code, "note"])
        assert.deepStrictEqual((yield* call("PATCH /v1/parcels/a", { body: { note: null } })).json.body, { note: null })
      })
  )

  it.effect("gives what a schema cannot judge its place among the fields A-ERR-02", () =>
    Effect.gen(function* () {
      const note = "unwanted"
      assert.deepStrictEqual(yield* offender({ name: "a", note }), ["unwanted_note", "note"])
      assert.deepStrictEqual(yield* offender({ note, name: 3 }), [code, "name"])
      assert.deepStrictEqual(yield* offender({ labels: 2, note, name: "a" }), ["unwanted_note", "note"])
      assert.deepStrictEqual(yield* offender({ aaa: 1, note, name: "a" }), ["unwanted_note", "note"])
      assert.deepStrictEqual(yield* offender({ note: null, labels: 2, name: "a" }), [code, "labels"])
      assert.deepStrictEqual(yield* offender({ note: "far too long", name: "a" }), [code, "note"])
      assert.deepStrictEqual(yield* offender("[1]"), [code, undefined])
    })
  )

  it.effect("says what is expected and never repeats what was sent A-ERR-38", () =>
    Effect.gen(function* () {
      const { message } = (yield* call("POST /v1/parcels", { body: { name: "private".repeat(9) } })).json.error
      assert.strictEqual(message, "`name`: expected text of 1 to 20 characters, not blank, without control characters.")
      const missing = (yield* call("POST /v1/parcels", { body: {} })).json.error.message
      assert.strictEqual(missing, "`name` is required.")
    })
  )

  it.effect("names what is known, and the nearest name, never a type of ours A-ERR-38", () =>
    Effect.gen(function* () {
      const told = (body: object) => Effect.map(call("POST /v1/parcels", { body }), ({ json }) => json.error.message)
      const sentences: ReadonlyArray<readonly [object, string]> = [
        [{ name: "a", lables: [] }, "`lables` is not a known field. Did you mean `labels`?"],
        [{ name: "a", x: 1 }, "`x` is not a known field. Known fields here: name, to, note, content, labels, size."],
        [
          { name: "a", size: { width: 1, dept: 2 } },
          "`size.depth` is required. A field with a similar name was sent: check its spelling."
        ],
        [{ nane: "a" }, "`name` is required. A field with a similar name was sent: check its spelling."],
        [
          { name: 3 },
          "`name`: expected text of 1 to 20 characters, not blank, without control characters, got a number."
        ],
        [
          { name: "a", content: { type: "txet" } },
          '`content.type`: expected one of "text", "tags". Did you mean `text`?'
        ],
        [{ name: "a", content: { type: 4 } }, '`content.type`: expected one of "text", "tags", got a number.'],
        [{ name: "a", labels: {} }, "`labels`: expected a list, got an object."],
        [{ name: "a", size: [] }, "`size`: expected an object, got an empty list: an empty object is written {}."],
        [{ name: "a", size: { width: "1", depth: 2 } }, "`size.width`: expected an integer, got a string."]
      ]
      for (const [body, sentence] of sentences) assert.strictEqual(yield* told(body), sentence)
      const queried = (search: string) =>
        Effect.map(call(`GET /v1/parcels?${search}`), ({ json }) => json.error.message)
      assert.strictEqual(yield* queried("stauts=open"), "`stauts` is not a known parameter. Did you mean `status`?")
      assert.strictEqual(
        yield* queried("status=opne"),
        '`status`: expected one of "open", "sent". Did you mean `open`?'
      )
    })
  )

  it.effect("takes line ends of Windows as line feeds, and near names of other separators A-ERR-38", () =>
    Effect.gen(function* () {
      const { json } = yield* call("POST /v1/parcels", { body: { name: "a\r\nb" } })
      assert.deepStrictEqual(json.body, { name: "a\nb" })
      assert.deepStrictEqual(yield* offender({ name: "a\rb" }), [code, "name"])
      const near = (sent: string) => suggest(sent, ["message.sent", "message.delivered", "payment.paid"])
      assert.strictEqual(near("messageSent"), " Did you mean `message.sent`?")
      assert.strictEqual(near("delivered"), " Did you mean `message.delivered`?")
      assert.strictEqual(near("MESSAGE_SENT"), " Did you mean `message.sent`?")
      assert.strictEqual(near("order.placed"), "")
    })
  )

  it.effect('names ignored members of a body in both environments gaps-2 A "Unknown body fields"', () =>
    Effect.gen(function* () {
      const door = yield* Door
      const ignored = (environment: "sandbox" | "production", body: object) =>
        Effect.suspend(() => {
          door.environment = environment
          return Effect.map(call("PATCH /v1/parcels/par_1", { body }), (answer) => answer.headers["svc-ignored-fields"])
        }).pipe(Effect.ensuring(Effect.sync(() => (door.environment = "production"))))
      for (const environment of ["sandbox", "production"] as const) {
        assert.strictEqual(yield* ignored(environment, { note: "a", nota: 1, "é\ud800": {} }), "nota, %C3%A9%EF%BF%BD")
        assert.isUndefined(yield* ignored(environment, { note: "a" }))
      }
    })
  )

  it.effect("keeps the names of ignored members within 1,024 characters, and line breaks out of the header", () =>
    Effect.gen(function* () {
      const ignored = (names: ReadonlyArray<string>) =>
        Effect.map(
          call("PATCH /v1/parcels/par_1", { body: Object.fromEntries(names.map((name) => [name, 1])) }),
          ({ headers }) => headers["svc-ignored-fields"]
        )
      assert.strictEqual(yield* ignored(["a\r\nset-cookie: b=1", "a,b"]), "a%0D%0Aset-cookie%3A%20b%3D1, a%2Cb")
      const many = yield* ignored(Array.from({ length: 20 }, (_, at) => `${"é".repeat(50)}${at}`))
      assert.strictEqual(many, [0, 1, 2].map((at) => `${"%C3%A9".repeat(50)}${at}`).join(", "))
      assert.strictEqual(
        yield* ignored(["€".repeat(200), "x".repeat(200), "y".repeat(30)]),
        `${"%E2%82%AC".repeat(100)}, ${"x".repeat(100)}`
      )
    })
  )

  it.effect("decodes query parameters: one or many, with or without brackets A-CONV-15", () =>
    Effect.gen(function* () {
      const query = (search: string) => Effect.map(call(`GET /v1/parcels?${search}`), ({ json }) => json.query)
      assert.deepStrictEqual(yield* query("limit=5&status=open"), { limit: "5", status: "open" })
      assert.deepStrictEqual(yield* query("event_types=a"), { event_types: "a" })
      assert.deepStrictEqual(yield* query("event_types=a&event_types=b"), { event_types: ["a", "b"] })
      assert.deepStrictEqual(yield* query("event_types[]=a"), { event_types: ["a"] })
      assert.deepStrictEqual(yield* query("event_types%5B%5D=a&event_types%5B%5D=b+c"), { event_types: ["a", "b c"] })
      assert.deepStrictEqual(yield* query("ids=%F0%9F%93%AE"), { ids: ["📮"] })
      assert.deepStrictEqual(yield* query("&&"), {})
    })
  )

  it.effect(
    "refuses bad, repeated, unknown and badly encoded parameters of a strict query in contract order A-CONV-15",
    () =>
      Effect.gen(function* () {
        const param = (search: string) =>
          Effect.map(call(`GET /v1/parcels?${search}`), ({ status, json }) => {
            assert.deepStrictEqual([status, json.error?.code], [400, "invalid_query"], search)
            return json.error.param
          })
        for (const limit of ["0", "101", "1.5", "-1", "", "abc", "1e1", "%201"]) {
          assert.strictEqual(yield* param(`limit=${limit}`), "limit", limit)
        }
        assert.strictEqual(yield* param("zzz=1&status=closed"), "status")
        assert.strictEqual(yield* param("zzz=1"), "zzz")
        assert.strictEqual(yield* param("limit[]=1"), "limit[]")
        assert.strictEqual(yield* param("status=open&status=open"), "status")
        assert.strictEqual(yield* param("status=open&status=open&limit=0"), "limit")
        assert.strictEqual(yield* param("status=%zz"), "status")
        assert.strictEqual(yield* param("starting_after=%ff"), "starting_after")
      })
  )

  it.effect("ignores unknown and repeated parameters where the route is not strict A-CONV-15", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* call("GET /v1/parcels/listen?x=1&limit=2&limit=3")).status, 200)
      assert.strictEqual((yield* call("GET /v1/parcels/listen?limit=0")).json.error.code, code)
      assert.strictEqual((yield* call("GET /v1/parcels/a?x=%zz")).status, 200)
    })
  )
})
