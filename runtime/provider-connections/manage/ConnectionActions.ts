import type { Reply } from "@carteiro/http-edge/Reply.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import type {
  CompletePending,
  RegisterUpstream,
  RotateToken
} from "@carteiro/schema/provider-connections/ProviderConnectionsApi.ts"
import { Context, type Effect } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"

export type ConnectionCall = ApiCall<"environment_id" | "environment">
type Answer = Effect.Effect<Reply<ProviderConnection>, ApiError>

/** Changes connections; conditions in the commit decide between two concurrent calls. gaps-2 L */
export class ConnectionActions extends Context.Service<
  ConnectionActions,
  {
    get(call: ConnectionCall, id: string): Answer
    register(call: ConnectionCall, body: RegisterUpstream): Answer
    rotate(call: ConnectionCall, id: string, body: RotateToken): Answer
    /** Completes a connection; it stays pending when its credential or account is not proven. M-CONN-20..22 */
    complete(call: ConnectionCall, id: string, body: CompletePending): Answer
    /** Disconnects a connection; a repeated call changes nothing. */
    disconnect(call: ConnectionCall, id: string): Answer
  }
>()("@carteiro/runtime/provider-connections/manage/ConnectionActions") {}
