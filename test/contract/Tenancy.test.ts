import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { type Answer, Api } from "../support/ApiTest.ts"
import { quiesce } from "../support/OwnerTest.ts"
import type { TestEnvironment } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { operations, pathOf, thingsIn } from "./Described.ts"
import { Statements } from "./Planned.ts"
import { describedReferences, references } from "./References.ts"
import { examples, neverExisted, seedThings, strangeIds, type Things } from "./Stage.ts"

/** What every environment of the stage holds. */
class Held extends Context.Service<Held, (environment: TestEnvironment) => Things>()("@carteiro/test/contract/Held") {
  static readonly layer = Layer.effect(
    Held,
    Effect.gen(function* () {
      const { acme, other } = yield* Api
      const projects = [acme.project, acme.sibling, other.project]
      const held = new Map<string, Things>()
      for (const environment of projects.flatMap(({ production, sandbox }) => [sandbox, production])) {
        held.set(environment.id, yield* seedThings(environment))
      }
      return Held.of(({ id }) => held.get(id) as Things)
    })
  )
}

/** Status and body without what differs between any two requests. */
const told = ({ status, text }: Answer): string =>
  `${status} ${text.replaceAll(/"(request_id|trace_id)":"[^"]*"/g, '"$1":""')}`

/** Where an operation's id is of an organization and not of an environment. gaps-1 G "Reach of project reads" */
const organizationWide = new Set(["project_id"])

/** A body that repeats the id of its path does so of whatever stands there. M-TRF-02 */
const confirming = (body: object | undefined, id: string): object | undefined =>
  body !== undefined && "confirm_phone_number_id" in body ? { ...body, confirm_phone_number_id: id } : body

/** Operations that only production keys get past admission and state rules with. */
const ofProduction = new Set(["webhooks.listenSessions.delete"])
/** Operations for which a production key is refused before any look-up. */
const ofSandbox = new Set([
  "webhooks.events.listen",
  "webhooks.events.getListened",
  "sandbox.simulateInbound",
  "sandbox.templates.setStatus",
  "sandbox.groups.addParticipant",
  "sandbox.payments.setStatus",
  "sandbox.clock.advances.get"
])

/** Of a capability URL the token is all the authority there is. M-ERR-10 */
const addressed = operations.filter(({ path, security }) => path.includes("{") && security.length > 0)

/** Keys to which a thing of acme's first project is foreign. */
const strangersOf = (operationId: string, name: string) =>
  Effect.gen(function* () {
    const { acme, other } = yield* Api
    const production = ofProduction.has(operationId)
    const strangers: Array<readonly [string, TestEnvironment]> = [
      ["another organization", production ? other.production : other.sandbox]
    ]
    if (organizationWide.has(name)) return strangers
    strangers.push(["a sibling project", production ? acme.sibling.production : acme.sibling.sandbox])
    if (!production && !ofSandbox.has(operationId)) strangers.push(["the sibling environment", acme.production])
    return strangers
  })

const needsKey = ({ parameters }: (typeof operations)[number]) =>
  parameters.some(({ name, required }) => name === "idempotency-key" && required === true)

const stage = Held.layer.pipe(Layer.provideMerge(WholeProduct()), Layer.provideMerge(Statements.layer))

it.layer(stage, { excludeTestServices: true })("Tenancy", (it) => {
  it.effect.each(addressed.map((one) => one.operationId))(
    "%s answers one and the same 404 for foreign ids, ids that never existed and texts that are no ids A-CONV-21 M-ERR-02 M-READ-32",
    (operationId) =>
      Effect.gen(function* () {
        const api = yield* Api
        const held = yield* Held
        const found = addressed.find((one) => one.operationId === operationId)
        if (found === undefined) return assert.fail(operationId)
        const name = [...thingsIn(found.path).matchAll(/\{(\w+)\}/g)].at(-1)?.[1] ?? ""
        const kind = ofProduction.has(operationId) ? "production" : "sandbox"
        const own = api.acme[kind]
        const things = held(own)
        const id = things[name as keyof Things]
        assert.isString(id, `the stage holds no ${name}`)
        const bodies = examples({ phone_number_id: things.phone_number_id, environment: kind })
        let asked = 0
        const ask = (key: string, value: string) =>
          api.call(
            found.method,
            pathOf(found.path, { ...things, [name]: value }),
            confirming(bodies[operationId], value),
            {
              key,
              // A fresh one each time: what is asked differs, and a refusal keeps none.
              ...(needsKey(found) ? { idempotencyKey: `tenancy ${asked++}` } : {})
            }
          )

        const unknown = yield* ask(own.key, yield* neverExisted(name))
        assert.deepStrictEqual([unknown.status, unknown.body.error?.type], [404, "not_found"])
        assert.match(unknown.body.error.code, /_not_found$/)
        assert.notProperty(unknown.body.error, "param")
        for (const [who, stranger] of yield* strangersOf(operationId, name)) {
          assert.strictEqual(told(yield* ask(stranger.key, id)), told(unknown), who)
        }
        // A body that repeats the id of its path is refused for what no text may hold, before anything is looked up.
        const isRepeated = operationId === "phoneNumbers.transfer"
        for (const text of isRepeated ? strangeIds.filter((one) => /^[^\p{C}]{1,64}$/u.test(one)) : strangeIds) {
          assert.strictEqual(told(yield* ask(own.key, text)), told(unknown), text.slice(0, 40))
        }
        const reads = operations.some(({ method, path }) => method === "GET" && path === found.path)
        if (reads) assert.strictEqual((yield* api.get(pathOf(found.path, things), { key: own.key })).status, 200)
      })
  )

  it.effect("a path id with a broken escape counts as no id, and still needs a key A-CONV-21 A-AUTH-01", () =>
    Effect.gen(function* () {
      const api = yield* Api
      for (const one of addressed.filter(({ method }) => method === "GET")) {
        const at = (text: string, options: { readonly key?: string }) =>
          Effect.map(api.get(one.path.replaceAll(/\{\w+\}/g, text), options), told)
        const { key } = api.acme.sandbox
        const unknown = yield* at("none", { key })
        for (const text of ["%00", "%c3%28", "%zz", "%"]) {
          assert.strictEqual(yield* at(text, { key }), unknown, `${one.path} ${text}`)
          assert.match(yield* at(text, {}), /^401 /, `${one.path} ${text}`)
        }
      }
    })
  )

  it.effect("a path id of another shape is answered after admission, without a read A-CONV-21", () =>
    Effect.gen(function* () {
      const { acme, get } = yield* Api
      const { during } = yield* Statements
      const { key } = acme.sandbox
      yield* get("/v1/me", { key })
      // The first use of a key is written behind its answer.
      yield* quiesce
      for (const { method, path } of addressed.filter(({ method }) => method === "GET")) {
        const [answer, asked] = yield* during(get(path.replaceAll(/\{\w+\}/g, "none"), { key }))
        assert.strictEqual(answer.status, 404, `${method} ${path}`)
        assert.lengthOf(asked, 1, path)
        assert.include(asked[0]?.text, "from api_keys k", path)
      }
    })
  )

  it("every id that a body or query takes is listed in the table below", () => {
    assert.deepStrictEqual(
      [...describedReferences].sort(),
      references.map(({ at, operationId }) => `${operationId} ${at}`).sort()
    )
  })

  it.effect.each([...references])(
    "$operationId answers the same for a foreign $at, one that never existed and a text that is no id A-CONV-21 A-AUTH-07 A-AUTH-08",
    (reference) =>
      Effect.gen(function* () {
        const { acme, call, other } = yield* Api
        const held = yield* Held
        const found = operations.find(({ operationId }) => operationId === reference.operationId)
        if (found === undefined) return assert.fail(reference.operationId)
        const kind = reference.production === true ? "production" : "sandbox"
        const foreign = held(acme[kind])[reference.thing]
        assert.match(foreign, /^[a-z]+_/, "the stage holds it")
        const never = yield* neverExisted(reference.thing)
        const siblings = organizationWide.has(reference.thing) ? [] : [acme.sibling[kind]]
        for (const caller of [other[kind], ...siblings]) {
          const mine = held(caller)
          const ask = (value: string) => {
            const { body, query } = reference.request(value, mine)
            const search = query === undefined ? "" : `?${new URLSearchParams(query)}`
            return call(found.method, `${pathOf(found.path, mine)}${search}`, body, { key: caller.key })
          }
          const unknown = yield* ask(never)
          assert.deepStrictEqual(
            [unknown.status, unknown.body.error?.code, unknown.body.error?.param],
            [reference.status, reference.code, reference.param]
          )
          for (const value of [foreign, ...strangeIds]) {
            assert.strictEqual(told(yield* ask(value)), told(unknown), value.slice(0, 40))
          }
          // The caller's own is known, so the refusals above are not of the request's shape.
          if (reference.at !== "batch_id") assert.notStrictEqual(told(yield* ask(mine[reference.thing])), told(unknown))
        }
      })
  )

  it.effect(
    "a production key finds nothing of the sandbox, and a sandbox key nothing of production A-AUTH-07 A-CONV-02",
    () =>
      Effect.gen(function* () {
        const { acme, get } = yield* Api
        const held = yield* Held
        const { webhook_endpoint_id, message_id, phone_number_id } = held(acme.sandbox)
        for (const path of [`/v1/webhook-endpoints/${webhook_endpoint_id}`, `/v1/messages/${message_id}`]) {
          assert.strictEqual((yield* get(path, { key: acme.sandbox.key })).status, 200)
          assert.strictEqual((yield* get(path, { key: acme.production.key })).status, 404)
        }
        const { post } = yield* Api
        const send = examples({ phone_number_id, environment: "production" })["messages.send"]
        const answer = yield* post("/v1/messages", send, { key: acme.production.key })
        assert.deepStrictEqual([answer.status, answer.body.error?.code], [404, "phone_number_not_found"])
      })
  )

  it.effect("a cursor of another environment or another list is refused everywhere A-CONV-17 A-CONV-18", () =>
    Effect.gen(function* () {
      const { acme, get, other } = yield* Api
      const held = yield* Held
      const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => cursorNames.has(name)))
      assert.isAbove(lists.length, 5)
      const page = yield* get("/v1/webhook-events/listen?limit=1", { key: acme.sandbox.key })
      const cursors = [page.body.next_cursor as string]
      for (const one of lists) {
        const name = one.parameters.find((parameter) => cursorNames.has(parameter.name))?.name ?? ""
        for (const environment of [other.sandbox, acme.sibling.sandbox]) {
          const { key } = environment
          const mine = held(environment)
          for (const cursor of [...cursors, "", "x".repeat(513), "AQ", "🙂", "\u0000"]) {
            const { status, body } = yield* get(
              `${pathOf(one.path, mine)}?${new URLSearchParams({ [name]: cursor })}`,
              { key }
            )
            assert.deepStrictEqual(
              [status, body.error?.code, body.error?.param],
              [400, "invalid_cursor", name],
              `${one.operationId} ${cursor.slice(0, 20)}`
            )
          }
        }
      }
    })
  )
})

const cursorNames = new Set(["starting_after", "after", "cursor"])
