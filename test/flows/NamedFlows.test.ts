import { resolveFlow } from "@carteiro/runtime/flows/Flows.ts"
import type { FlowReference, KnownFlow } from "@carteiro/runtime/flows/flow/NamedFlow.ts"
import { NamedFlows } from "@carteiro/runtime/flows/flow/NamedFlows.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Api } from "../support/ApiTest.ts"
import { turnBy } from "../support/OwnerTest.ts"
import { WholeProduct } from "../support/WholeProduct.ts"

const path = "/v1/flows"
const flow_json = { version: "7.2", screens: [{ id: "DATE" }] }

const published: KnownFlow = {
  id: "flw_01kah7v3m8q6x2r9d4t5w0y1z3",
  name: "Appointment",
  status: "published",
  provider_flow_id: "123",
  rejection_reason: null
}

it.layer(WholeProduct(), { excludeTestServices: true })("Flows named in a send", (it) => {
  it.effect(
    'are found by our id, by the provider\'s and by name, within the environment M-FLOW-03 M-FLOW-12 gaps-2 G "Flow named in a send"',
    () =>
      Effect.gen(function* () {
        const { acme, post } = yield* Api
        const { id: environment, key } = acme.sandbox
        const named = yield* NamedFlows
        const make = Effect.fnUntraced(function* (name: string) {
          const { id } = (yield* post(path, { name, flow_json }, { key })).body
          return id as string
        })
        const publish = (id: string) => post(`${path}/${id}/publish`, undefined, { key })
        const [one, other, draft] = [yield* make("Survey"), yield* make("Survey"), yield* make("Draft")]
        yield* publish(other)
        yield* turnBy(1000)
        yield* publish(one)
        const references: ReadonlyArray<FlowReference> = [
          { flow_id: one },
          { flow_id: `sb_${other}` },
          { flow_name: "Survey" },
          { flow_id: draft, flow_name: null },
          { flow_name: "Draft" },
          { flow_name: "Sur\u0000vey" },
          { flow_id: "flw_no" },
          { flow_id: "123" }
        ]
        const found = yield* named.find(environment, references)
        // The name leads to the one published last.
        assert.deepStrictEqual(
          references.map((reference) => found(reference)?.id),
          [one, other, one, draft, undefined, undefined, undefined, undefined]
        )
        for (const foreign of [acme.production.id, acme.sibling.sandbox.id]) {
          const nothing = yield* named.find(foreign, references)
          for (const reference of references) assert.isUndefined(nothing(reference))
        }
        yield* post(`${path}/${one}/deprecate`, undefined, { key })
        const later = yield* named.find(environment, references)
        assert.strictEqual(later({ flow_name: "Survey" })?.id, other)
        assert.strictEqual(later({ flow_id: one })?.status, "deprecated")
        assert.deepStrictEqual(yield* named.get(environment, one), {
          id: one,
          name: "Survey",
          status: "deprecated",
          provider_flow_id: `sb_${one}`,
          rejection_reason: null
        })
        assert.isUndefined(yield* named.get(acme.production.id, one))
      })
  )

  it.effect("nothing is read when no send names a flow", () =>
    Effect.gen(function* () {
      const { acme } = yield* Api
      const found = yield* (yield* NamedFlows).find(acme.sandbox.id, [{}, { flow_id: null }])
      assert.isUndefined(found({ flow_name: "Survey" }))
    })
  )

  it.effect("are looked up by index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { acme } = yield* Api
      yield* sql`insert into flows (environment_id, id, name, status, provider_flow_id, categories, flow_json, published_at,
          created_at, updated_at)
        select ${acme.sandbox.id}, 'flw_' || n, 'name' || n, 'published', 'p' || n, '[]', '{}', now(), now(), now()
        from generate_series(1, 3000) n`
      yield* sql`analyze flows`
      const plan = yield* sql<{ readonly "QUERY PLAN": string }>`explain select 1 from flows
        where environment_id = ${acme.sandbox.id} and provider_flow_id = any(${["p7"]})`
      assert.include(JSON.stringify(plan), "flows_provider")
      const byName = yield* sql<{ readonly "QUERY PLAN": string }>`explain select 1 from flows
        where environment_id = ${acme.sandbox.id} and name = any(${["name7"]}) and status = 'published'`
      assert.include(JSON.stringify(byName), "flows_published")
    })
  )
})

it('only a published flow, or in production an id that is none of ours, can be sent gaps-2 G "Flow named in a send"', () => {
  const refused = (...asked: Parameters<typeof resolveFlow>) => {
    const answer = resolveFlow(...asked)
    assert.isTrue(isApiError(answer))
    assert.deepInclude(answer, { _tag: "flow_not_found", status: 404, param: "message.flow.action.parameters" })
  }
  for (const kind of ["sandbox", "production"] as const) {
    const sent = { flow_id: published.id, provider_flow_id: "123" }
    assert.deepStrictEqual(resolveFlow({ flow_id: published.id }, published, kind), sent)
    assert.deepStrictEqual(resolveFlow({ flow_id: "123" }, published, kind), sent)
    assert.deepStrictEqual(resolveFlow({ flow_name: "Appointment" }, published, kind), sent)
    for (const status of ["draft", "publishing", "rejected", "deprecated"] as const) {
      refused({ flow_id: "123" }, { ...published, status }, kind)
    }
    refused({ flow_name: "Appointment" }, undefined, kind)
    refused({ flow_id: "flw_01kah7v3m8q6x2r9d4t5w0y1z3" }, undefined, kind)
    refused({ flow_id: "flw_no" }, undefined, kind)
  }
  refused({ flow_id: "123" }, undefined, "sandbox")
  assert.deepStrictEqual(resolveFlow({ flow_id: "123" }, undefined, "production"), {
    flow_id: null,
    provider_flow_id: "123"
  })
})
