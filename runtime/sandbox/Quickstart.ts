import type { EnvironmentKind, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import { Channel } from "@carteiro/schema/messages/Vocabulary.ts"
import { llmFailures } from "@carteiro/schema/sandbox/LlmFailure.ts"
import { quickstartScopes, type SandboxQuickstart } from "@carteiro/schema/sandbox/Sandbox.ts"
import { simulatedTypes } from "@carteiro/schema/sandbox/SimulateInbound.ts"

/** A template as the quickstart lists it. gaps-2 J "Quickstart content" */
export interface QuickstartTemplate {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly category: string
  readonly status: string
}

/** The facts of the quickstart. */
export interface QuickstartFacts {
  readonly environment: EnvironmentKind
  readonly key: {
    readonly id: string
    readonly name: string
    readonly key_prefix: string
    readonly scopes: ReadonlyArray<KeyScope>
  }
  readonly number:
    | {
        readonly id: string
        readonly phone: string | null
        readonly display_name: string | null
        readonly status: string
      }
    | undefined
  readonly endpoint_count: number
  readonly templates: ReadonlyArray<QuickstartTemplate>
  readonly scenarios: ReadonlyArray<string>
}

/**
 * Returns everything for a first send, and the scopes that the key lacks for it. M-SBX-02, gaps-2 J "Quickstart
 * content"
 */
export const quickstartBody = (facts: QuickstartFacts): Omit<SandboxQuickstart, "trace_id"> => ({
  object: "sandbox_quickstart",
  environment: facts.environment,
  api_key: facts.key,
  sender: {
    phone_number_id: facts.number?.id ?? null,
    phone: facts.number?.phone ?? null,
    display_name: facts.number?.display_name ?? null,
    type: "chatapp_phone_number",
    status: facts.number?.status ?? null
  },
  webhooks: { endpoint_count: facts.endpoint_count, listen_path: "/v1/webhook-events/listen" },
  templates: { items: facts.templates },
  capabilities: {
    channels: Channel.literals,
    inbound_types: simulatedTypes,
    scenarios: facts.scenarios,
    llm_failure: llmFailures
  },
  missing_scopes: quickstartScopes.filter((scope) => !facts.key.scopes.includes(scope))
})
