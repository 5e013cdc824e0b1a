import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { until } from "../support/Until.ts"
import { UpstreamProduct, upstreamStage } from "../support/Upstream.ts"

const flow_json = { version: "7.2", screens: [{ id: "DATE", title: "Data" }] }

const stage = Effect.gen(function* () {
  const { api, faults, key, simulator } = yield* upstreamStage
  const path = "/v1/flows"
  const make = Effect.fnUntraced(function* () {
    const made = yield* api.post(path, { name: "Agendamento", flow_json, categories: ["APPOINTMENT_BOOKING"] }, { key })
    assert.strictEqual(made.status, 201, made.text)
    return made.body.id as string
  })
  const move = (id: string, action: string) => api.post(`${path}/${id}/${action}`, undefined, { key })
  const status = (id: string) => Effect.map(api.get(`${path}/${id}`, { key }), ({ body }) => body.status)
  const reaches = (id: string, wanted: string) => until(Effect.map(status(id), (found) => found === wanted))
  /** What the platform has of it. */
  const there = (id: string) =>
    [...simulator.world.flows.values()].filter(({ name }) => name.endsWith(` ${id}`)).map((flow) => flow.status)
  return { api, faults, key, make, move, path, reaches, there }
})

it.layer(UpstreamProduct(), { excludeTestServices: true })("Flows over sockets", (it) => {
  it.effect('are made, checked, published and deprecated at the platform gaps-2 G "Flow routes"', () =>
    Effect.gen(function* () {
      const { make, move, reaches, there } = yield* stage
      const id = yield* make()
      assert.deepStrictEqual(there(id), [])
      const publishing = yield* move(id, "publish")
      assert.deepStrictEqual([publishing.status, publishing.body.status], [202, "publishing"])
      yield* reaches(id, "published")
      assert.deepStrictEqual(there(id), ["PUBLISHED"])
      assert.strictEqual((yield* move(id, "deprecate")).status, 200)
      yield* until(Effect.sync(() => there(id).join() === "DEPRECATED"))
    })
  )

  it.effect("are made once though every answer of the platform is lost once", () =>
    Effect.gen(function* () {
      const { faults, make, move, reaches, there } = yield* stage
      const id = yield* make()
      yield* faults(
        { name: "reset_after", operation: "flows", times: 1 },
        { name: "error_500", operation: "flows", times: 1 }
      )
      yield* move(id, "publish")
      yield* reaches(id, "published")
      assert.deepStrictEqual(there(id), ["PUBLISHED"])
    })
  )

  it.effect("refused by the platform end as rejected, with its words", () =>
    Effect.gen(function* () {
      const { api, faults, key, make, move, path, reaches, there } = yield* stage
      const id = yield* make()
      yield* faults({ name: "refuse", operation: "flows", times: 1, value: 131031 })
      yield* move(id, "publish")
      yield* reaches(id, "rejected")
      const { body } = yield* api.get(`${path}/${id}`, { key })
      assert.include(body.rejection_reason, "locked")
      assert.deepStrictEqual(there(id), [])
    })
  )
})
