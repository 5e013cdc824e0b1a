import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { KeyScope, Traits } from "../conventions/Access.ts"
import { pathId, TraceId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { IdempotencyKeyConflict, InvalidCursor, ProjectNotFound } from "../conventions/SharedErrors.ts"
import { label } from "../conventions/Text.ts"
import { TimestampInput } from "../conventions/Timestamp.ts"
import { ApiKeyLimitReached, ApiKeyNotFound, InvalidApiKeyRequest } from "./AccessErrors.ts"
import { ApiKey, ApiKeyWithSecret } from "./ApiKey.ts"

/** A key with any scope, `api_keys:admin` too, in the order its fields are checked. */
export const MintKey = Schema.Struct({
  name: label(1, 255),
  expires_at: Schema.NullOr(TimestampInput),
  scopes: Schema.Array(KeyScope)
})

/**
 * Keys for people: every member reads them, without secrets; owners and admins make any, which no key could. gaps-1 C "First
 * administrative key and bootstrap", decision 0155
 */
export class MintedKeysApi extends HttpApiGroup.make("mintedKeys")
  .add(
    HttpApiEndpoint.post("mint", "/", {
      payload: MintKey,
      success: Schema.Struct({ ...ApiKeyWithSecret.fields, trace_id: TraceId }).pipe(HttpApiSchema.status(201)),
      error: [InvalidApiKeyRequest.wire, ApiKeyLimitReached.wire, ProjectNotFound.wire, IdempotencyKeyConflict.wire]
    }).annotate(Traits, {
      authentication: "person",
      scopes: ["api_keys:admin"],
      rate: "key_write",
      idempotency: "optional",
      perKey: true,
      validation: InvalidApiKeyRequest.code,
      realTime: true
    })
  )
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: pageQuery(),
      success: pageOf(ApiKey),
      error: [InvalidApiKeyRequest.wire, InvalidCursor.wire]
    }).annotate(Traits, {
      authentication: "person",
      scopes: [],
      rate: "read",
      validation: InvalidApiKeyRequest.code
    })
  )
  .add(
    HttpApiEndpoint.get("get", "/:api_key_id", {
      params: { api_key_id: pathId("key") },
      success: Schema.Struct({ ...ApiKey.fields, trace_id: TraceId }),
      error: ApiKeyNotFound.wire
    }).annotate(Traits, {
      authentication: "person",
      scopes: [],
      rate: "read",
      validation: InvalidApiKeyRequest.code
    })
  )
  .prefix("/people/api-keys") {}
