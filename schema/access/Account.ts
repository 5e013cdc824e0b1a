import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { DefaultLanguage } from "../projects/Project.ts"
import { ApiKey } from "./ApiKey.ts"

const accountFields = {
  object: Schema.Literal("account_profile"),
  organization: Schema.Struct({
    id: id("org"),
    object: Schema.Literal("organization"),
    name: Schema.String,
    created_at: Timestamp
  }),
  project: Schema.Struct({
    id: id("prj"),
    object: Schema.Literal("project"),
    name: Schema.String,
    slug: Schema.String,
    default_language: DefaultLanguage
  }),
  environment: Schema.Struct({ id: id("env"), object: Schema.Literal("environment"), kind: EnvironmentKind }),
  api_key: ApiKey,
  dashboard_owner: Schema.NullOr(Schema.Struct({ name: Schema.String, email: Schema.String })).annotate({
    description: "The earliest-created active owner, for matching an account"
  })
}

/** Who a key speaks for: no secret, no member list. A-ACCT-01..07, gaps-1 D */
export const AccountProfile = Schema.Struct(accountFields).annotate({ identifier: "AccountProfile" })
export type AccountProfile = typeof AccountProfile.Type

/** No body and no strict query exist here, so the validation code can never be answered. */
const traits: OperationTraits = { scopes: [], rate: "read", validation: "invalid_query" }
const success = Schema.Struct({ ...accountFields, trace_id: Schema.String })

/** Identity of the calling key; any valid key, no scope. A-ACCT-03 */
export class AccountApi extends HttpApiGroup.make("account")
  .add(
    HttpApiEndpoint.get("get", "/account", { success })
      .annotate(Traits, traits)
      .annotate(OpenApi.Summary, "Read the account profile of the calling key")
      .annotate(
        OpenApi.Description,
        "Organization, project and environment the key is bound to, and its scopes. Any valid key."
      ),
    HttpApiEndpoint.get("me", "/me", { success })
      .annotate(Traits, traits)
      .annotate(OpenApi.Summary, "Alias of GET /v1/account")
      .annotate(OpenApi.Description, "Answers the same profile under a second name.")
  )
  .prefix("/v1")
  .annotate(OpenApi.Title, "Account")
  .annotate(OpenApi.Description, "Who the calling key is.") {}
