import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { EnvironmentKind, KeyScope, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import {
  IdempotencyKeyConflict,
  InsufficientScope,
  InvalidCursor,
  ProjectNotFound
} from "../conventions/SharedErrors.ts"
import { label } from "../conventions/Text.ts"
import { Timestamp, TimestampInput } from "../conventions/Timestamp.ts"
import { ApiKeyLimitReached, ApiKeyNotActive, ApiKeyNotFound, InvalidApiKeyRequest } from "./AccessErrors.ts"

/** Every scope except `api_keys:admin`, which no key and no device request can grant. A-KEY-21, gaps-1 E, F */
export const GrantableScope = Schema.Literals(
  KeyScope.literals.filter((scope): scope is Exclude<KeyScope, "api_keys:admin"> => scope !== "api_keys:admin")
).annotate({ identifier: "GrantableScope", message: "Expected a scope of the catalog other than api_keys:admin" })
export type GrantableScope = typeof GrantableScope.Type

/**
 * Requested scopes: at most 64 items, may be empty; duplicates are merged later. gaps-1 F "Answer to a scope violation"
 */
export const RequestedScopes = Schema.Array(GrantableScope).check(Schema.isMaxLength(64))

const apiKeyFields = {
  id: id("key"),
  object: Schema.Literal("api_key"),
  name: Schema.String.annotateKey({ description: "Name of the key." }),
  key_prefix: Schema.String.annotate({
    description: "The beginning of the secret: the marker of its environment and 8 characters."
  }),
  scopes: Schema.Array(KeyScope).annotate({ description: "Scopes of the key. Write does not include read." }),
  kind: Schema.Literals(["standard", "agent"]).annotate({
    description: "agent: issued through a device authorization."
  }),
  status: Schema.Literals(["active", "revoked"]).annotate({
    description: "An active key may still have expired; see expires_at."
  }),
  environment: EnvironmentKind,
  last_used_at: Schema.NullOr(Timestamp).annotate({ description: "Time of the latest use; null before the first." }),
  expires_at: Schema.NullOr(Timestamp).annotate({ description: "Time at which the key expires; null for never." }),
  created_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp).annotate({
    description: "Time of revocation; null while the key is not revoked."
  })
}
const secret = Schema.String.annotate({
  description: "The whole key, shown in this answer only. Send it as a bearer token."
})
const trace_id = TraceId

/** A key as reads return it, always without the secret. A-KEY-01..07 */
export const ApiKey = Schema.Struct(apiKeyFields).annotate({ identifier: "ApiKey" })
export type ApiKey = typeof ApiKey.Type

/** A key as create and rotate return it once. A-KEY-07 */
export const ApiKeyWithSecret = Schema.Struct({ ...apiKeyFields, secret }).annotate({ identifier: "ApiKeyWithSecret" })
export type ApiKeyWithSecret = typeof ApiKeyWithSecret.Type

/** Body of POST /v1/api-keys, in the order its fields are checked. A-KEY-10..13 */
export const CreateApiKey = Schema.Struct({
  name: label(1, 255).annotate({ description: "Name of the key, 1 to 255 characters after trimming." }),
  environment: EnvironmentKind.annotate({ description: "Must equal the environment of the calling key." }),
  project_id: Schema.optionalKey(Schema.NullOr(Schema.String)).annotate({
    description: "A project of the caller's organization; the calling key's project by default."
  }),
  scopes: RequestedScopes.annotate({ description: "Scopes of the key, at most 64; may be empty." }),
  expires_at: Schema.optionalKey(Schema.NullOr(TimestampInput)).annotate({
    description: "Time at which the key expires, at most five years ahead. RFC 3339 with a timezone."
  })
}).annotate({
  examples: [{ name: "Order service", environment: "sandbox", scopes: ["messages:read", "messages:write"] }]
})
export type CreateApiKey = typeof CreateApiKey.Type

/** Body of PATCH /v1/api-keys/{api_key_id}. A-KEY-25, A-LIM-07 */
export const RenameApiKey = Schema.Struct({
  name: label(3, 80).annotate({ description: "The new name, 3 to 80 characters after trimming." })
}).annotate({ examples: [{ name: "Order service" }] })
export type RenameApiKey = typeof RenameApiKey.Type

const keyRoute = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["api_keys:admin"],
  rate: "key_write",
  validation: InvalidApiKeyRequest.code,
  realTime: true,
  ...traits
})
const params = { api_key_id: pathId("key") }
const read = Schema.Struct({ ...apiKeyFields, trace_id })
const withSecret = Schema.Struct({ ...apiKeyFields, secret, trace_id })

/** All routes of API keys; each needs `api_keys:admin` and is limited to the calling key's project and environment. */
export class ApiKeysApi extends HttpApiGroup.make("apiKeys")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: CreateApiKey,
      success: withSecret.pipe(HttpApiSchema.status(201)),
      error: [InvalidApiKeyRequest.wire, ProjectNotFound.wire, ApiKeyLimitReached.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(
        Traits,
        keyRoute({ idempotency: "optional", perKey: true, strictBody: true, restrictedWithoutCredit: true })
      )
      .annotate(OpenApi.Summary, "Create an API key")
      .annotate(
        OpenApi.Description,
        "Creates a key in the calling key's environment, or in the environment of that kind in another project of the organization. The secret is shown once."
      ),
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(),
      success: pageOf(ApiKey),
      error: [InvalidApiKeyRequest.wire, InvalidCursor.wire]
    })
      .annotate(Traits, keyRoute({ rate: "read", strictQuery: true }))
      .annotate(OpenApi.Summary, "List API keys")
      .annotate(OpenApi.Description, "Keys of the calling key's project and environment, newest first."),
    HttpApiEndpoint.get("get", "/:api_key_id", { params, success: read, error: ApiKeyNotFound.wire })
      .annotate(Traits, keyRoute({ rate: "read" }))
      .annotate(OpenApi.Summary, "Read an API key")
      .annotate(
        OpenApi.Description,
        "A key of the calling key's project and environment, in any status; never its secret."
      ),
    HttpApiEndpoint.patch("rename", "/:api_key_id", {
      params,
      payload: RenameApiKey,
      success: read,
      error: [InvalidApiKeyRequest.wire, ApiKeyNotFound.wire]
    })
      .annotate(Traits, keyRoute({ strictBody: true }))
      .annotate(OpenApi.Summary, "Rename an API key")
      .annotate(OpenApi.Description, "Changes only the name; a key in any status can be renamed."),
    HttpApiEndpoint.post("rotate", "/:api_key_id/rotate", {
      params,
      success: withSecret,
      error: [ApiKeyNotFound.wire, ApiKeyNotActive.wire, InsufficientScope.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, keyRoute({ idempotency: "optional", perKey: true }))
      .annotate(OpenApi.Summary, "Rotate an API key")
      .annotate(
        OpenApi.Description,
        "Returns a new secret once; the previous secret stops working immediately. The caller must hold every scope of the key."
      ),
    HttpApiEndpoint.delete("revoke", "/:api_key_id", { params, success: read, error: ApiKeyNotFound.wire })
      .annotate(Traits, keyRoute({}))
      .annotate(OpenApi.Summary, "Revoke an API key")
      .annotate(OpenApi.Description, "Permanent. Revoking a revoked key returns it unchanged.")
  )
  .prefix("/v1/api-keys")
  .annotate(OpenApi.Title, "API keys")
  .annotate(OpenApi.Description, "Secrets that act for one project and environment, with scopes.") {}
