import { assert, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import fc from "fast-check"
import { Api } from "../support/ApiTest.ts"
import { simulatedCards } from "../support/Cardproc.ts"
import { seedProject } from "../support/Tenants.ts"
import { WholeProduct } from "../support/WholeProduct.ts"
import { codesFor, type DescribedOperation, description, operations, pathOf, responseOf } from "./Described.ts"
import { type GeneratedRequest, requestsFor } from "./Generated.ts"
import { type JsonSchema, violations } from "./JsonSchema.ts"
import { examples, seedThings } from "./Stage.ts"

/** CI runs this many for each operation; more with CARTEIRO_FUZZ_RUNS. */
const runs = Number(process.env.CARTEIRO_FUZZ_RUNS ?? 24)
const seed = Number(process.env.CARTEIRO_FUZZ_SEED ?? 20_260_101)

const definitions = description.components.schemas
const errorSchema: JsonSchema = { $ref: "#/components/schemas/Error" }

/** Whether it answers something else than JSON, such as an export. */
const isFile = (operation: DescribedOperation): boolean =>
  responseOf(operation, 200)?.content !== undefined &&
  responseOf(operation, 200)?.content?.["application/json"] === undefined

/** What the description promises for a status: its own schema, or the envelope that stands for every other. */
const promised = ({ operation }: GeneratedRequest, status: number): JsonSchema => {
  const declared = responseOf(operation, status)?.content?.["application/json"]?.schema
  if (declared !== undefined) return declared
  if (status < 300 && isFile(operation)) return {}
  assert.isAtLeast(status, 400, `${operation.operationId} has no ${status}`)
  return errorSchema
}

/** What is answered where a vendor is not there, or not set up. */
const ofVendors: ReadonlySet<unknown> = new Set(["provider_error", "billing_provider_not_configured"])

/** Makes a project with one of everything in both of its environments. */
const staged = Effect.fnUntraced(function* (name: string) {
  const { acme } = yield* Api
  const project = yield* seedProject(acme.organization_id, name)
  return { project, sandbox: yield* seedThings(project.sandbox), production: yield* seedThings(project.production) }
})

/** One project for every operation that only reads: none changes what the next one finds. */
class ReadProject extends Context.Service<ReadProject, Effect.Success<ReturnType<typeof staged>>>()(
  "@carteiro/test/contract/ReadProject"
) {
  static readonly layer = Layer.effect(ReadProject, staged("fuzz-reads"))
}

const stage = Layer.provideMerge(ReadProject.layer, WholeProduct({ vendors: simulatedCards }))

it.layer(stage, { excludeTestServices: true })("Fuzz", (it) => {
  it.effect.each(operations.map(({ operationId }) => operationId))(
    "%s answers anything with what the description says, never with a fault A-VER-02 A-CONV-12 A-CONV-22 A-ERR-01",
    (operationId) =>
      Effect.gen(function* () {
        const { call } = yield* Api
        const operation = operations.find((one) => one.operationId === operationId)
        if (operation === undefined) return assert.fail(operationId)
        // Operations that change something get a project of their own, so that the next finds what this one deletes.
        const { production, project, sandbox } =
          operation.method === "GET" ? yield* ReadProject : yield* staged(`fuzz-${operationId}`)
        const bodies = examples({ phone_number_id: sandbox.phone_number_id, environment: "sandbox" })
        const inSandbox = requestsFor(operation, sandbox, bodies[operationId])
        const requests = fc.sample(
          fc.oneof(
            inSandbox.map((request) => ({ request, key: project.sandbox.key })),
            requestsFor(operation, production, bodies[operationId]).map((request) => ({
              request,
              key: project.production.key
            }))
          ),
          { numRuns: runs, seed }
        )
        for (const [n, { key, request }] of requests.entries()) {
          const path = `${pathOf(operation.path, request.ids)}${request.search === "" ? "" : `?${request.search}`}`
          const answer = yield* call(operation.method, path, request.body, {
            key,
            idempotencyKey: `${operationId} ${n}`
          })
          const about = `${operation.method} ${path.slice(0, 300)} ${JSON.stringify(request.body)?.slice(0, 600)} -> ${answer.text.slice(0, 600)}`
          // Nobody is at the other end where a vendor would have to be asked.
          assert.isTrue(answer.status < 500 || ofVendors.has(answer.body.error?.code), about)
          assert.deepStrictEqual(violations(answer.body, promised(request, answer.status), definitions), [], about)
          const { code } = answer.body.error ?? {}
          if (code !== undefined) assert.include(codesFor(operation, answer.status), code, about)
          if (answer.status >= 300 || !isFile(operation)) {
            assert.isString(answer.body.trace_id ?? answer.body.error?.trace_id, about)
          }
          assert.match(answer.headers["svc-request-id"] ?? "", /^req_[0-9a-z]{26}$/)
        }
      })
  )
})
