import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import type { FlowProvider } from "@carteiro/provider/FlowProvider.ts"
import { readJson } from "@carteiro/tables/StoredJson.ts"
import { Effect } from "effect"
import type { ProviderTask, StepResult } from "./ProviderTask.ts"

/** Runs the present step of a flow. gaps-2 G "Flow routes" */
export const takeStep = (provider: FlowProvider, task: ProviderTask): Effect.Effect<StepResult> => {
  const { id, provider_flow_id, provider_step } = task
  const made = provider_flow_id ?? ""
  switch (provider_step) {
    case "create": {
      const categories = readJson(task.categories)
      return Effect.map(provider.create({ external_id: id, name: task.name, categories }), found)
    }
    case "find":
      return Effect.map(provider.find(id), found)
    case "upload":
      return Effect.map(provider.upload(made, readJson(task.flow_json)), (call) =>
        resultOf(call, ({ validation_errors }) => ({ _tag: "Uploaded", validation_errors }))
      )
    case "publish":
      return task.attempts === 0 ? publish(provider, made) : publishUnlessDone(provider, made)
    case "poll":
      return ask(provider, made)
    case "deprecate":
      return Effect.map(provider.deprecate(made), heard)
    case "remove":
      return Effect.map(provider.remove(made), heard)
  }
}

const publish = (provider: FlowProvider, providerFlowId: string) => Effect.map(provider.publish(providerFlowId), heard)

const ask = (provider: FlowProvider, providerFlowId: string) =>
  Effect.map(provider.read(providerFlowId), (call) => resultOf(call, (flow) => ({ _tag: "Said", flow })))

/**
 * Publishes a flow. A publish call without an answer may have succeeded, so the provider's state is read before a
 * repeat.
 */
const publishUnlessDone = Effect.fnUntraced(function* (provider: FlowProvider, providerFlowId: string) {
  const said = yield* ask(provider, providerFlowId)
  return said._tag === "Said" && said.flow.status === "draft" ? yield* publish(provider, providerFlowId) : said
})

const resultOf = <A>(call: ChatCall<A>, done: (value: A) => StepResult): StepResult => {
  switch (call._tag) {
    case "Done":
      return done(call.value)
    case "Refused":
      return { _tag: "Refused", reason: call.error?.message ?? call.error?.title ?? call.code }
    case "Failed":
      return { _tag: "Failed" }
  }
}

const found = (call: ChatCall<{ readonly provider_flow_id: string | null }>) =>
  resultOf(call, ({ provider_flow_id }) => ({ _tag: "Found", provider_flow_id }))

const heard = (call: ChatCall<void>) => resultOf(call, () => ({ _tag: "Heard" }))
