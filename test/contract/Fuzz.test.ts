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

/** Operations that take nothing away: each makes things, or changes what belongs to the organization, which all share. */
const adding: ReadonlySet<string> = new Set([
  "apiKeys.create",
  "deviceAuthorizations.create",
  "deviceAuthorizations.token",
  "feedback.create",
  "messages.send",
  "messages.typing",
  "templates.create",
  "templates.duplicate",
  "flows.create",
  "contacts.bulkImport",
  "contacts.export",
  "batches.create",
  "audiences.create",
  "media.uploads.create",
  "media.transcriptions.create",
  "providerConnections.signupSessions.create",
  "providerConnections.setupSessions.create",
  "groups.eligibility.check",
  "webhooks.endpoints.create",
  "webhooks.endpoints.test",
  "webhooks.events.bulkResend",
  "webhooks.events.resend",
  "webhooks.listenSessions.create",
  "payments.create",
  "agentic.authorizations.create",
  "agentic.payments.create",
  "billing.plan.subscribe",
  "billing.plan.change",
  "billing.plan.cancel",
  "billing.packages.purchase",
  "billing.paymentMethods.setupIntent",
  "billing.autoTopup.set"
])

/** Lives of things that no other operation of these names: the first operations of all share a project, and so on. */
const lives: ReadonlyArray<ReadonlyArray<string>> = [
  ["apiKeys.rename", "apiKeys.rotate", "apiKeys.revoke"],
  ["flows.update", "flows.publish", "flows.deprecate", "flows.delete"],
  ["batches.pause", "batches.resume", "batches.cancel"],
  ["audiences.delete"],
  ["sandbox.groups.addParticipant", "groups.resetInviteLink", "groups.delete"],
  [
    "webhooks.endpoints.update",
    "webhooks.endpoints.rotateSecret",
    "webhooks.endpoints.recover",
    "webhooks.endpoints.delete"
  ],
  ["webhooks.listenSessions.delete"],
  ["sandbox.payments.setStatus", "payments.requestApproval", "payments.cancel"],
  ["agentic.authorizations.revoke"],
  ["media.blobs.put", "media.complete", "media.delete"]
]

/** Returns the name of the project of an operation: of its own, so that the next finds what this one deletes, or shared. */
const projectOf = ({ method, operationId }: DescribedOperation): string => {
  if (method === "GET") return "fuzz-reads"
  if (adding.has(operationId)) return "fuzz-adds"
  const step = lives.map((life) => life.indexOf(operationId)).find((at) => at !== -1)
  return step === undefined ? `fuzz-${operationId}` : `fuzz-lives-${step}`
}

/** The projects of operations, each made for the first that needs it. */
class Projects extends Context.Service<
  Projects,
  { readonly of: (operation: DescribedOperation) => ReturnType<typeof staged> }
>()("@carteiro/test/contract/Projects") {
  static readonly layer = Layer.sync(Projects, () => {
    const made = new Map<string, Effect.Success<ReturnType<typeof staged>>>()
    return Projects.of({
      of: (operation) => {
        const name = projectOf(operation)
        const before = made.get(name)
        if (before !== undefined) return Effect.succeed(before)
        return Effect.tap(staged(name), (project) => Effect.sync(() => made.set(name, project)))
      }
    })
  })
}

const stage = Layer.merge(Projects.layer, WholeProduct({ vendors: simulatedCards }))

it.layer(stage, { excludeTestServices: true })("Fuzz", (it) => {
  it.effect.each(operations.map(({ operationId }) => operationId))(
    "%s answers anything with what the description says, never with a fault A-VER-02 A-CONV-12 A-CONV-22 A-ERR-01",
    (operationId) =>
      Effect.gen(function* () {
        const { call } = yield* Api
        const operation = operations.find((one) => one.operationId === operationId)
        if (operation === undefined) return assert.fail(operationId)
        const { production, project, sandbox } = yield* (yield* Projects).of(operation)
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
