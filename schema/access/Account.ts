import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { EnvironmentKind, type OperationTraits, Traits } from "../conventions/Access.ts"
import { id, TraceId } from "../conventions/Ids.ts"
import { Timestamp } from "../conventions/Timestamp.ts"
import { DefaultLanguage, DefaultRegion } from "../projects/Project.ts"
import { ApiKey } from "./ApiKey.ts"

const accountFields = {
  object: Schema.Literal("account_profile"),
  organization: Schema.Struct({
    id: id("org"),
    object: Schema.Literal("organization"),
    name: Schema.String.annotateKey({ description: "Its name." }),
    created_at: Timestamp
  }).annotateKey({ description: "The organization that pays for requests of the key." }),
  project: Schema.Struct({
    id: id("prj"),
    object: Schema.Literal("project"),
    name: Schema.String.annotateKey({ description: "Its name." }),
    slug: Schema.String.annotateKey({ description: "The project's short name, unique in the organization." }),
    default_language: DefaultLanguage,
    default_region: DefaultRegion
  }).annotateKey({ description: "The project the key is bound to." }),
  environment: Schema.Struct({
    id: id("env"),
    object: Schema.Literal("environment"),
    kind: EnvironmentKind
  }).annotateKey({ description: "The environment the key is bound to." }),
  api_key: ApiKey.annotateKey({ description: "The calling key itself." }),
  dashboard_owner: Schema.NullOr(
    Schema.Struct({
      name: Schema.String.annotateKey({ description: "The owner's name." }),
      email: Schema.String.annotateKey({ description: "The owner's email address." })
    })
  ).annotate({ description: "The organization's first active owner, to match the account with a person." })
}

/** The account of a key, without secrets or a member list. A-ACCT-01..07, gaps-1 D */
export const AccountProfile = Schema.Struct(accountFields).annotate({ identifier: "AccountProfile" })
export type AccountProfile = typeof AccountProfile.Type

/** The route has no body and no strict query, so it never returns the validation code. */
const traits: OperationTraits = { scopes: [], rate: "read", validation: "invalid_query" }
const success = Schema.Struct({ ...accountFields, trace_id: TraceId })

/** The route of the calling key's account; any valid key, no scope. A-ACCT-03 */
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
      .annotate(OpenApi.Summary, "Read the account profile, under its second name")
      .annotate(OpenApi.Description, "Returns the response of GET /v1/account.")
  )
  .prefix("/v1")
  .annotate(OpenApi.Title, "Account")
  .annotate(OpenApi.Description, "The account behind the calling key.") {}
