import type { OperationReply } from "@carteiro/http-edge/Reply.ts"
import type { ProviderConnection } from "@carteiro/schema/provider-connections/ProviderConnection.ts"
import type {
  CompletePending,
  RegisterUpstream,
  RotateToken
} from "@carteiro/schema/provider-connections/ProviderConnectionsApi.ts"
import { Context } from "effect"
import type { ApiCall } from "../../tenancy/ApiCall.ts"

export type ConnectionCall = ApiCall<"environment_id" | "environment">

/** Changes connections; conditions in the commit decide between two concurrent calls. gaps-2 L */
export class ConnectionActions extends Context.Service<
  ConnectionActions,
  {
    get(call: ConnectionCall, id: string): OperationReply<ProviderConnection>
    register(call: ConnectionCall, body: RegisterUpstream): OperationReply<ProviderConnection>
    rotate(call: ConnectionCall, id: string, body: RotateToken): OperationReply<ProviderConnection>
    /** Completes a connection; it stays pending when its credential or account is not proven. M-CONN-20..22 */
    complete(call: ConnectionCall, id: string, body: CompletePending): OperationReply<ProviderConnection>
    /** Disconnects a connection; a repeated call changes nothing. */
    disconnect(call: ConnectionCall, id: string): OperationReply<ProviderConnection>
  }
>()("@carteiro/runtime/provider-connections/manage/ConnectionActions") {}
