import type { ApiKey, ApiKeyWithSecret, CreateApiKey } from "@carteiro/schema/access/ApiKey.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Context, type Effect } from "effect"
import type { Reply } from "../../platform/http/contract/Reply.ts"
import type { ApiCall } from "../../platform/tenancy/ApiCall.ts"
import type { ApiKeyRow } from "./ApiKeyRead.ts"
import type { NewApiKey } from "./ApiKeyRules.ts"

/** What minting and rotating know of the calling key. */
type KeyCall = ApiCall<"organization_id" | "project_id" | "environment_id" | "environment" | "scopes">

/**
 * What can be done to keys. Every limit is decided where the row is written, so that no two callers pass it together.
 * An answer that shows a secret is made before its commit, so that its replay is the same bytes. A-KEY-07, A-IDEM-04
 */
export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Mints for a calling key, into its own project or a sibling. A-KEY-08..21 */
    create(call: KeyCall, body: CreateApiKey): Effect.Effect<Reply, ApiError>
    /** Mints what a member of the organization decided (the dashboard, the seed). gaps-1 C "First administrative key" */
    mint(plan: NewApiKey, now: number): Effect.Effect<ApiKeyWithSecret, ApiError>
    find(environmentId: string, id: string): Effect.Effect<ApiKey | undefined>
    /** Newest first, after the key with that id. */
    list(environmentId: string, after: string | undefined, count: number): Effect.Effect<ReadonlyArray<ApiKey>>
    rename(environmentId: string, id: string, name: string): Effect.Effect<ApiKeyRow, ApiError>
    rotate(call: KeyCall, id: string): Effect.Effect<Reply, ApiError>
    revoke(environmentId: string, id: string, now: number): Effect.Effect<ApiKeyRow, ApiError>
  }
>()("@carteiro/runtime/access/keys/ApiKeys") {}
