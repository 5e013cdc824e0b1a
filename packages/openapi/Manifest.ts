import { Capability, KeyScope } from "@carteiro/schema/conventions/Access.ts"
import type { ContractOperation } from "./description/ContractOperation.ts"
import type { Json } from "./description/Json.ts"

/**
 * Returns the service's capabilities, for programs that use it for the first time. A capability is listed when the
 * contract has an operation of it. gaps-1 A "Capability manifest", A-VER-03
 */
export const manifest = (operations: ReadonlyArray<ContractOperation>, eventTypes: ReadonlyArray<string>): Json => ({
  object: "capability_manifest",
  service: "svc",
  api_version: "v1",
  openapi: "/openapi.json",
  mcp: "/mcp",
  feedback: { endpoint: "/v1/feedback", method: "POST" },
  authentication: { scheme: "bearer", device_authorization: "/v1/agent-api-key-device-authorizations" },
  scopes: KeyScope.literals,
  event_types: eventTypes,
  capabilities: Capability.literals
    .filter((name) => operations.some(({ traits }) => traits.capability === name))
    .map((name) => ({ name, status: name === "groups" ? "beta" : "available" }))
})
