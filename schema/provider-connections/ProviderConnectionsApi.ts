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
const bizAccountId = accountId("Id of the business account at the chat platform.")
const phoneNumberId = accountId("The platform's id of the number.")
const displayName = label(1, 255).annotate({ description: "Your name for the connection, 1 to 255 characters." })
const AccessToken = text(1, 4096).annotate({
  description: "A token issued to this service's app; it is stored encrypted."
})
const tokenExpiry = nullableOptional(TimestampInput.annotate({ description: "Expiry of the token, if it expires." }))

/** Body of POST /v1/provider-connections/upstream. M-CONN-24, gaps-2 L "Channel rules on manual registration" */
export const RegisterUpstream = Schema.Struct({
  channel: nullableOptional(
    Schema.Literals(["chatapp", "socialapp"]).annotate({ description: "Use of the account; chatapp by default." })
  ),
  display_name: displayName,
  biz_account_id: bizAccountId,
  phone_number_id: phoneNumberId,
  social_business_account_id: accountId("Id of the business account of the social channel."),
  page_id: accountId("Id of the page of the social channel."),
  access_token: AccessToken,
  token_source: nullableOptional(
    Schema.Literals(["manual", "embedded_signup"]).annotate({
      description: "Origin of the token; manual by default."
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

/** The fields that come with a code of an embedded signup. M-CONN-25 */
export const exchangeFields = {
  code: text(1, 2048).annotate({ description: "Code from the embedded signup; valid for one exchange." }),
  biz_account_id: bizAccountId,
  phone_number_id: phoneNumberId,
  display_name: nullableOptional(displayName),
  business_id: accountId("Id of the business portfolio at the platform."),
  redirect_uri: nullableOptional(
    text(1, 2048).annotate({
      description:
        "Address to which the platform's page returned with the code; leave it out for a code of the platform's script.",
      examples: ["https://api.example.com/connect/upstream/callback"]
    })
  )
}

/** Body of POST /v1/provider-connections/upstream/oauth. M-CONN-25 */
export const ExchangeUpstreamCode = Schema.Struct({
  ...exchangeFields,
  signup_session_id: nullableOptional(
    Schema.String.check(
      Schema.isPattern(/^(?:mss_)?[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/u, {
        expected: "a UUID, with or without mss_ before it"
      })
    ).annotate({ description: "Signup session that this call completes: its UUID, with or without mss_." })
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
/** Traits of reads of connections and their parts. */
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

/** Routes of connections of the calling key's environment. M-CONN, gaps-2 L */
export class ProviderConnectionsApi extends HttpApiGroup.make("providerConnections")
  .add(
    HttpApiEndpoint.get("status", "/status", { success: ProviderConnectionStatus })
      .annotate(Traits, connectionRead)
      .annotate(OpenApi.Summary, "Read whether each channel is ready")
      .annotate(
        OpenApi.Description,
        "The first check of an integration: the connected channels, and the reasons why others are not ready."
      ),
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
      .annotate(
        OpenApi.Description,
        "Returns the connection's state, its accounts and the reasons that block sends; never its credential."
      ),
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
        "The token is verified at the platform before the connection is stored. chatapp needs biz_account_id and phone_number_id, socialapp one of social_business_account_id and page_id."
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
        "Without biz_account_id the token must reach exactly one account. Otherwise the connection stays pending until complete-pending completes it."
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
        "The new token is verified first. Sends then use it, and no send fails in between. A suspended connection becomes connected again."
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
        "Verifies the stored credential again, and finds the account through it if none is named. The connection stays pending if that fails."
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
        "Erases the credential; queued sends fail with no_provider_connection. Disconnecting again changes nothing."
      )
  )
  .prefix("/v1/provider-connections")
  .annotate(OpenApi.Title, "Provider connections")
  .annotate(OpenApi.Description, "Accounts at the chat platform and at payment providers.") {}
