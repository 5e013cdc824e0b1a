import { stringifyInSlices } from "@carteiro/http-edge/Json.ts"
import { type OperationReply, type Reply, rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { inTurns } from "@carteiro/owners/Slices.ts"
import type { ApiErrorClass } from "@carteiro/schema/conventions/ApiError.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { type CreateFlow, isUnpublished, type UpdateFlow } from "@carteiro/schema/flows/Flow.ts"
import {
  FlowNotDeletable,
  FlowNotDeprecatable,
  FlowNotEditable,
  FlowNotFound,
  FlowNotPublishable
} from "@carteiro/schema/flows/FlowErrors.ts"
import { jsonText, madeJson } from "@carteiro/tables/StoredJson.ts"
import { Context, Effect, Layer } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"
import { FlowPublisherWorker } from "../publish/FlowPublisherWorker.ts"
import { FlowRepo } from "./FlowRepo.ts"
import { type FlowDefinition, type FlowDetail, flowText, sandboxFlowId } from "./FlowState.ts"
import { changeFlow, deleteFlow, deprecateFlow, discardFlow, publishFlow } from "./FlowWrites.ts"

type FlowCall = ApiCall<"environment_id" | "environment">

/** Changes flows; conditions in the commit decide between two concurrent callers. gaps-2 G "Flow routes" */
export class FlowActions extends Context.Service<
  FlowActions,
  {
    create(call: FlowCall, body: CreateFlow): OperationReply
    get(call: FlowCall, id: string): OperationReply
    /** Changes a draft or a refused flow. */
    change(call: FlowCall, id: string, body: UpdateFlow): OperationReply
    /** Answers 200 in the sandbox, which publishes at once, and 202 when a provider decides. M-FLOW-07 */
    publish(call: FlowCall, id: string): OperationReply
    deprecate(call: FlowCall, id: string): OperationReply
    delete(call: FlowCall, id: string): OperationReply
  }
>()("@carteiro/runtime/flows/flow/FlowActions") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const repo = yield* FlowRepo
      const commit = yield* Commit
      const ids = yield* Ids
      const publishers = yield* FlowPublisherWorker.client

      const known = Effect.fnUntraced(function* (environmentId: string, id: string) {
        const flow = parseId("flw", id) ? yield* repo.find(environmentId, id) : undefined
        return flow ?? (yield* new FlowNotFound())
      })

      const shown = (call: FlowCall, status: number, flow: FlowDetail): Reply =>
        rawReply(status, flowText(flow, call.caller.environment, call.traceId))

      /** Returns the text of a definition, which may be a megabyte long. */
      const written = (call: FlowCall, flow_json: CreateFlow["flow_json"]) =>
        Effect.map(inTurns(call.caller.environment_id, stringifyInSlices(flow_json)), madeJson<FlowDefinition>)

      /** Writes one change of a flow in the correct state, and returns the result. */
      const changed = Effect.fnUntraced(function* (
        call: FlowCall,
        id: string,
        write: string,
        row: ReturnType<FlowRepo["Service"]["insert"]>,
        WrongState: ApiErrorClass<string>
      ) {
        const keys = yield* commit.write([row])
        if (!keys(write).has(id)) return yield* new WrongState()
        return shown(call, 200, yield* known(call.caller.environment_id, id))
      })

      return FlowActions.of({
        create: Effect.fnUntraced(function* (call, body) {
          const { now } = call
          const flow: FlowDetail = {
            id: ids.mint("flw", now),
            name: clean(body.name),
            status: "draft",
            provider_flow_id: null,
            rejection_reason: null,
            categories: jsonText(body.categories ?? []),
            flow_json: yield* written(call, body.flow_json),
            created_at: now,
            updated_at: now,
            published_at: null
          }
          const response = shown(call, 201, flow)
          yield* commit.write([repo.insert(call.caller.environment_id, flow)], { claim: call.claim, response })
          return response
        }),

        get: (call, id) => Effect.map(known(call.caller.environment_id, id), (flow) => shown(call, 200, flow)),

        change: Effect.fnUntraced(function* (call, id, { name, categories, flow_json }) {
          const environmentId = call.caller.environment_id
          if (!isUnpublished(yield* known(environmentId, id))) return yield* new FlowNotEditable()
          const change = {
            name: name === undefined ? undefined : clean(name),
            categories: categories === undefined ? undefined : jsonText(categories),
            flow_json: flow_json === undefined ? undefined : yield* written(call, flow_json)
          }
          const row = repo.change(environmentId, id, change, call.now)
          return yield* changed(call, id, changeFlow.name, row, FlowNotEditable)
        }),

        publish: Effect.fnUntraced(function* (call, id) {
          const { now, caller } = call
          const flow = yield* known(caller.environment_id, id)
          if (!isUnpublished(flow)) return yield* new FlowNotPublishable()
          const sandbox = caller.environment === "sandbox"
          const response = shown(call, sandbox ? 200 : 202, {
            ...flow,
            rejection_reason: null,
            updated_at: now,
            ...(sandbox
              ? { status: "published", provider_flow_id: sandboxFlowId(id), published_at: now }
              : { status: "publishing" })
          })
          const row = repo.publish(caller.environment_id, id, sandbox ? sandboxFlowId(id) : undefined, now)
          const written = yield* commit.write([row], { claim: call.claim, response })
          if (!written(publishFlow.name).has(id)) return yield* new FlowNotPublishable()
          if (!sandbox) publishers.wake(caller.environment_id)
          return response
        }),

        deprecate: Effect.fnUntraced(function* (call, id) {
          const { environment, environment_id } = call.caller
          if ((yield* known(environment_id, id)).status !== "published") return yield* new FlowNotDeprecatable()
          const row = repo.deprecate(environment_id, id, environment === "production", call.now)
          const answer = yield* changed(call, id, deprecateFlow.name, row, FlowNotDeprecatable)
          if (environment === "production") publishers.wake(environment_id)
          return answer
        }),

        delete: Effect.fnUntraced(function* (call, id) {
          const { environment_id } = call.caller
          const flow = yield* known(environment_id, id)
          if (flow.status !== "draft") return yield* new FlowNotDeletable()
          const [write, row] =
            flow.provider_flow_id === null
              ? [deleteFlow.name, repo.delete(environment_id, id)]
              : [discardFlow.name, repo.discard(environment_id, id, call.now)]
          const written = yield* commit.write([row])
          if (!written(write).has(id)) return yield* new FlowNotDeletable()
          if (write === discardFlow.name) publishers.wake(environment_id)
          return reply(call, 200, { id, object: "flow", deleted: true })
        })
      })
    })
  )
}
