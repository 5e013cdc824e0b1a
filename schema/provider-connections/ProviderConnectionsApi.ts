import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { type OperationTraits, Traits } from "../conventions/Access.ts"
import { pathId } from "../conventions/Ids.ts"
import { pageOf, pageQuery } from "../conventions/Page.ts"
import { nullableOptional } from "../conventions/RequestValidation.ts"
import {
  IdempotencyKeyConflict,
  IdempotencyKeyRequired,
  InvalidCursor,
  InvalidQuery,
  ProviderError
} from "../conventions/SharedErrors.ts"
import { label, text } from "../conventions/Text.ts"
import { TimestampInput } from "../conventions/Timestamp.ts"
import {
  AnsweredConnection,
  ConnectionChannel,
  ConnectionProvider,
  ConnectionStatus,
  ProviderConnection,
  ProviderConnectionStatus
} from "./ProviderConnection.ts"
import * as Errors from "./ProviderConnectionErrors.ts"
import {
  UpstreamSignupSessionAlreadyCompleted,
  UpstreamSignupSessionExpired,
  UpstreamSignupSessionNotFound
} from "./SignupSessionErrors.ts"

const accountId = (what: string) => nullableOptional(text(1, 64).annotate({ description: what }))
const bizAccountId = accountId("The business account at the chat platform.")
const phoneNumberId = accountId("The platform's id of the number.")
const displayName = label(1, 255).annotate({ description: "What you call it, 1 to 255 characters." })
const AccessToken = text(1, 4096).annotate({ description: "A token that our app minted; it is stored sealed." })
const tokenExpiry = nullableOptional(TimestampInput.annotate({ description: "When the token ends, if it does." }))

/** Body of POST /v1/provider-connections/upstream. M-CONN-24, gaps-2 L "Channel rules on manual registration" */
export const RegisterUpstream = Schema.Struct({
  channel: nullableOptional(
    Schema.Literals(["chatapp", "socialapp"]).annotate({ description: "What it is used for; chatapp when left out." })
  ),
  display_name: displayName,
  biz_account_id: bizAccountId,
  phone_number_id: phoneNumberId,
  social_business_account_id: accountId("The business account of the social channel."),
  page_id: accountId("The page of the social channel."),
  access_token: AccessToken,
  token_source: nullableOptional(
    Schema.Literals(["manual", "embedded_signup"]).annotate({
      description: "Where the token came from; manual unless said."
    })
  ),
  token_expires_at: tokenExpiry
}).annotate({
  identifier: "RegisterUpstream",
  examples: [
    {
      display_name: "Main account",
      biz_account_id: "209876543210001",
      phone_number_id: "109876543210001",
      access_token: "EAA-from-the-platform"
    }
  ]
})
export type RegisterUpstream = typeof RegisterUpstream.Type

/** What a code of an embedded signup comes with. M-CONN-25 */
export const exchangeFields = {
  code: text(1, 2048).annotate({ description: "What the embedded signup answered; good for one exchange." }),
  biz_account_id: bizAccountId,
  phone_number_id: phoneNumberId,
  display_name: nullableOptional(displayName),
  business_id: accountId("The business portfolio at the platform.")
}

/** Body of POST /v1/provider-connections/upstream/oauth. M-CONN-25 */
export const ExchangeUpstreamCode = Schema.Struct({
  ...exchangeFields,
  signup_session_id: nullableOptional(
    Schema.String.check(
      Schema.isPattern(/^(?:mss_)?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u)
    ).annotate({ description: "The signup session that this ends: its UUID, with or without mss_." })
  )
}).annotate({ identifier: "ExchangeUpstreamCode", examples: [{ code: "AQB-from-the-signup", display_name: "Shop" }] })
export type ExchangeUpstreamCode = typeof ExchangeUpstreamCode.Type

/** Body of POST /{connection_id}/rotate-token. gaps-2 L "List, read, disconnect, rotate, complete-pending" */
export const RotateToken = Schema.Struct({ access_token: AccessToken, token_expires_at: tokenExpiry }).annotate({
  identifier: "RotateToken",
  examples: [{ access_token: "EAA-the-next-one" }]
})
export type RotateToken = typeof RotateToken.Type

/** Body of POST /{connection_id}/complete-pending. gaps-2 L "List, read, disconnect, rotate, complete-pending" */
export const CompletePending = Schema.Struct({ biz_account_id: bizAccountId, phone_number_id: phoneNumberId }).annotate(
  {
    identifier: "CompletePendingConnection",
    examples: [{ biz_account_id: "209876543210001" }]
  }
)
export type CompletePending = typeof CompletePending.Type

const writing = (traits: Partial<OperationTraits>): OperationTraits => ({
  scopes: ["provider_connections:write"],
  rate: "write",
  validation: Errors.InvalidProviderConnectionRequest.code,
  restrictedWithoutCredit: true,
  ...traits
})
/** Reads of connections and what belongs to them. */
export const connectionRead: OperationTraits = {
  scopes: ["provider_connections:read"],
  rate: "read",
  validation: InvalidQuery.code,
  restrictedWithoutCredit: true
}
const params = { connection_id: pathId("pcn") }
const credentialErrors = [
  Errors.UpstreamTokenForeignApp.wire,
  Errors.ChatappCredentialsInvalid.wire,
  Errors.UpstreamConnectionAlreadyExists.wire,
  ProviderError.wire
] as const

/** Connections of the calling key's environment. M-CONN, gaps-2 L */
export class ProviderConnectionsApi extends HttpApiGroup.make("providerConnections")
  .add(
    HttpApiEndpoint.get("status", "/status", { success: ProviderConnectionStatus })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read whether each channel is ready")
      .annotate(OpenApi.Description, "The first check of an integration: what is connected, and why something is not."),
    HttpApiEndpoint.get("list", "/", {
      query: {
        ...pageQuery(),
        provider: Schema.optionalKey(ConnectionProvider),
        channel: Schema.optionalKey(ConnectionChannel),
        status: Schema.optionalKey(ConnectionStatus)
      },
      success: pageOf(ProviderConnection),
      error: [InvalidQuery.wire, InvalidCursor.wire]
    })
      .annotate(Traits, { ...connectionRead, strictQuery: true })
      .annotate(OpenApi.Summary, "List provider connections")
      .annotate(OpenApi.Description, "Connections of the calling key's environment, newest first."),
    HttpApiEndpoint.get("get", "/:connection_id", {
      params,
      success: AnsweredConnection,
      error: Errors.ProviderConnectionNotFound.wire
    })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read a provider connection")
      .annotate(OpenApi.Description, "Its state, its accounts and what keeps it from sending; never its credential."),
    HttpApiEndpoint.post("registerUpstream", "/upstream", {
      payload: RegisterUpstream,
      success: AnsweredConnection.pipe(HttpApiSchema.status(201)),
      error: [
        Errors.InvalidProviderConnectionRequest.wire,
        IdempotencyKeyRequired.wire,
        IdempotencyKeyConflict.wire,
        ...credentialErrors
      ]
    })
      .annotate(Traits, writing({ idempotency: "required", missingKeyCode: "idempotency_key_required" }))
      .annotate(OpenApi.Identifier, "providerConnections.upstream.register")
      .annotate(OpenApi.Summary, "Register an upstream account")
      .annotate(
        OpenApi.Description,
        "The token is proven at the platform before anything is stored. chatapp needs biz_account_id and phone_number_id, socialapp one of social_business_account_id and page_id."
      ),
    HttpApiEndpoint.post("exchangeUpstreamCode", "/upstream/oauth", {
      payload: ExchangeUpstreamCode,
      success: AnsweredConnection.pipe(HttpApiSchema.status(201)),
      error: [
        Errors.InvalidProviderConnectionRequest.wire,
        Errors.UpstreamBizAccountMissing.wire,
        UpstreamSignupSessionNotFound.wire,
        UpstreamSignupSessionExpired.wire,
        UpstreamSignupSessionAlreadyCompleted.wire,
        IdempotencyKeyConflict.wire,
        ...credentialErrors
      ]
    })
      .annotate(Traits, writing({ idempotency: "optional" }))
      .annotate(OpenApi.Identifier, "providerConnections.upstream.exchangeCode")
      .annotate(OpenApi.Summary, "Connect an account by the code of an embedded signup")
      .annotate(
        OpenApi.Description,
        "Without biz_account_id the token has to prove exactly one account; otherwise a pending connection remains, which complete-pending ends."
      ),
    HttpApiEndpoint.post("rotateToken", "/:connection_id/rotate-token", {
      params,
      payload: RotateToken,
      success: AnsweredConnection,
      error: [
        Errors.InvalidTokenRotation.wire,
        Errors.ProviderConnectionNotFound.wire,
        Errors.ProviderConnectionNotRotatable.wire,
        Errors.UpstreamIdentityEnforced.wire,
        Errors.UpstreamTokenForeignApp.wire,
        Errors.ChatappCredentialsInvalid.wire,
        IdempotencyKeyRequired.wire,
        IdempotencyKeyConflict.wire,
        ProviderError.wire
      ]
    })
      .annotate(
        Traits,
        writing({
          idempotency: "required",
          missingKeyCode: "idempotency_key_required",
          strictBody: true,
          validation: Errors.InvalidTokenRotation.code
        })
      )
      .annotate(OpenApi.Summary, "Rotate the token of an upstream connection")
      .annotate(
        OpenApi.Description,
        "The new token is proven first; sends use it from then on and none fails in between. A suspended connection is connected again."
      ),
    HttpApiEndpoint.post("completePending", "/:connection_id/complete-pending", {
      params,
      payload: CompletePending,
      success: AnsweredConnection,
      error: [
        Errors.InvalidProviderConnectionRequest.wire,
        Errors.ProviderConnectionNotFound.wire,
        Errors.ProviderConnectionNotPending.wire,
        IdempotencyKeyConflict.wire,
        ...credentialErrors
      ]
    })
      .annotate(Traits, writing({ idempotency: "optional", strictBody: true }))
      .annotate(OpenApi.Summary, "Complete a pending connection")
      .annotate(
        OpenApi.Description,
        "Proves the stored credential again, and the account by it where none is named. It stays pending when that fails."
      ),
    HttpApiEndpoint.post("disconnect", "/:connection_id/disconnect", {
      params,
      success: AnsweredConnection,
      error: [Errors.ProviderConnectionNotFound.wire, IdempotencyKeyConflict.wire]
    })
      .annotate(Traits, writing({ idempotency: "optional" }))
      .annotate(OpenApi.Summary, "Disconnect an account")
      .annotate(
        OpenApi.Description,
        "Its credential is erased; queued sends end with no_provider_connection. Again it changes nothing."
      )
  )
  .prefix("/v1/provider-connections")
  .annotate(OpenApi.Title, "Provider connections")
  .annotate(OpenApi.Description, "Accounts at the chat platform and at providers of payments.") {}
