import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { ConnectedFlows, type FlowProvider } from "@carteiro/provider/FlowProvider.ts"
import { Effect, Layer } from "effect"

/** What a simulated provider was asked, in order, and what it answers next; without an answer nothing comes back. */
export interface FlowScript {
  readonly asked: Array<string>
  readonly answers: Array<ChatCall<unknown>>
  connected: boolean
  /** Runs between a call and its answer. */
  meanwhile: Effect.Effect<unknown>
}

export const newScript = (): FlowScript => ({ asked: [], answers: [], connected: true, meanwhile: Effect.void })

export const done = <A>(value: A): ChatCall<A> => ({ _tag: "Done", value })
export const heard = done(undefined)
export const failed: ChatCall<never> = { _tag: "Failed", error: null }
export const refused = (message: string | null): ChatCall<never> => ({
  _tag: "Refused",
  code: "upstream_rejected",
  error: { provider: "upstream", code: 100, subcode: null, title: null, message, http_status: 400 }
})

/** A provider of flows that does as the script says. */
export const scripted = (script: FlowScript) => {
  const call = <A>(asked: string) =>
    Effect.suspend(() => {
      script.asked.push(asked)
      return Effect.map(script.meanwhile, () => (script.answers.shift() ?? failed) as ChatCall<A>)
    })
  const provider: FlowProvider = {
    create: ({ external_id, name, categories }) => call(`create ${external_id} ${name} ${categories.join()}`),
    find: (external_id) => call(`find ${external_id}`),
    upload: (id, flow_json) => call(`upload ${id} ${(flow_json as { readonly version: string }).version}`),
    publish: (id) => call(`publish ${id}`),
    deprecate: (id) => call(`deprecate ${id}`),
    remove: (id) => call(`remove ${id}`),
    read: (id) => call(`read ${id}`)
  }
  return Layer.succeed(ConnectedFlows, () =>
    Effect.sync(() => (script.connected ? { biz_account_id: "1", provider } : undefined))
  )
}
