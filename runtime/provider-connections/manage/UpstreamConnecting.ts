import { Ids } from "@carteiro/owners/Ids.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { ProviderError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { InvalidProviderConnectionRequest } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import type { RegisterUpstream } from "@carteiro/schema/provider-connections/ProviderConnectionsApi.ts"
import { Secrets } from "@carteiro/secrets/Secrets.ts"
import { jsonText } from "@carteiro/tables/StoredJson.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Context, Effect, Layer, Redacted } from "effect"
import { reachedAccounts } from "../connection/ConnectionChoice.ts"
import { insertConnection, nothingKnown } from "../connection/ConnectionWrites.ts"
import { sealCredential } from "../connection/Credentials.ts"
import { freshConnection, type StoredConnection } from "../connection/StoredConnection.ts"
import { type ProvenAccount, type ProvenToken, UpstreamProof } from "./UpstreamProof.ts"

/** The environment of a new connection, and the time in epoch milliseconds. */
export interface ConnectionPlace {
  readonly environment_id: string
  readonly environment: EnvironmentKind
  readonly now: number
}

/** A code and the fields that come with it. M-CONN-25 */
export interface CodeFields {
  readonly code: string
  readonly biz_account_id?: string | undefined
  readonly phone_number_id?: string | undefined
  readonly display_name?: string | undefined
  readonly business_id?: string | undefined
  /** Left out for a code of the platform's script. U-CON-07 */
  readonly redirect_uri?: string | undefined
}

/** A connection that is not written yet. */
export interface MadeConnection {
  readonly connection: StoredConnection
  readonly row: Row
}

/** The result of exchanging a code; the resulting token is kept in every case. */
export type Exchanged =
  | (MadeConnection & { readonly _tag: "Connected" })
  /** The token proves no account, or several: the connection is pending. M-CONN-29 */
  | (MadeConnection & { readonly _tag: "Unproven" })
  /** The platform did not answer the remaining questions: the connection is pending. */
  | (MadeConnection & { readonly _tag: "Interrupted" })
  /** The platform refuses to send the account's messages here: the connection is pending. U-CON-01 */
  | (MadeConnection & { readonly _tag: "Unsubscribed" })

/** Makes connections to the chat platform from credentials. It writes nothing. */
export class UpstreamConnecting extends Context.Service<
  UpstreamConnecting,
  {
    /**
     * Makes a connection from a token that a client registers. M-CONN-24, gaps-2 L "Channel rules on manual
     * registration"
     */
    register(environment: ConnectionPlace, body: RegisterUpstream): Effect.Effect<MadeConnection, ApiError>
    /** Makes a connection from the code of an embedded signup. M-CONN-25, M-CONN-28 */
    exchange(environment: ConnectionPlace, fields: CodeFields): Effect.Effect<Exchanged, ApiError>
  }
>()("@carteiro/runtime/provider-connections/manage/UpstreamConnecting") {
  static readonly layer = Layer.effect(
    this,
    Effect.gen(function* () {
      const proof = yield* UpstreamProof
      const ids = yield* Ids
      const secrets = yield* Secrets

      const made = (
        { environment, environment_id, now }: ConnectionPlace,
        token: ProvenToken,
        known: Partial<StoredConnection> & Pick<StoredConnection, "status" | "channel" | "display_name">,
        business_id: string | null = null
      ): MadeConnection => {
        const id = ids.mint("pcn", now)
        const sealed = sealCredential(secrets, { environment_id, id }, Redacted.value(token.token))
        const connection = freshConnection({
          environment_id,
          id,
          environment,
          provider: "upstream",
          created_at: now,
          token_refreshed_at: now,
          token_expires_at: token.expires_at,
          biz_account_send_capabilities: jsonText(
            reachedAccounts(
              token.accounts.length === 0 && known.biz_account_id ? [known.biz_account_id] : token.accounts
            )
          ),
          credential_last_four: sealed.credential_last_four,
          ...known
        })
        const row = insertConnection.row({
          ...nothingKnown,
          ...columnsOf(connection),
          ...sealed,
          business_id,
          token_source: connection.token_source,
          token_expires_at: connection.token_expires_at,
          subscribed_at: connection.subscribed_at,
          subscription_refused_at: connection.subscription_refused_at
        })
        return { connection, row }
      }

      return UpstreamConnecting.of({
        register: Effect.fnUntraced(function* (place, body) {
          const channel = body.channel ?? "chatapp"
          const missing = missingField(channel, body)
          if (missing !== undefined) return yield* new InvalidProviderConnectionRequest({ param: missing })
          const presented = { environment: place.environment, param: "access_token" }
          const token = yield* proof.token(presented, Redacted.make(body.access_token))
          const account =
            channel === "chatapp" && body.biz_account_id !== undefined
              ? yield* proof.account(presented, token, body.biz_account_id, body.phone_number_id ?? null)
              : undefined
          const subscription =
            account === undefined
              ? connectedUnasked
              : standingOf(yield* proof.subscribe(presented, token, account.biz_account_id), place.now)
          const told = body.token_expires_at === undefined ? undefined : parseTimestamp(body.token_expires_at)
          return made(
            place,
            { ...token, expires_at: told ?? token.expires_at, accounts: reaching(token, account) },
            {
              channel,
              ...subscription,
              display_name: clean(body.display_name),
              biz_account_id: body.biz_account_id ?? null,
              phone_number_id: body.phone_number_id ?? null,
              display_phone_number: account?.display_phone_number ?? null,
              social_business_account_id: body.social_business_account_id ?? null,
              page_id: body.page_id ?? null,
              token_source: body.token_source ?? "manual"
            }
          )
        }),

        exchange: Effect.fnUntraced(function* (place, fields) {
          const presented = { environment: place.environment, param: "code" }
          const token = yield* proof.exchange(presented, fields.code, fields.redirect_uri)
          const named =
            fields.biz_account_id ??
            // The code is used up, so its token is kept although the platform did not answer.
            (yield* Effect.catchTag(proof.only(presented, token), ProviderError.code, () => Effect.succeed(undefined)))
          const known = {
            channel: "chatapp" as const,
            display_name: clean(fields.display_name ?? "Connected account"),
            token_source: "embedded_signup" as const,
            biz_account_id: named ?? null,
            phone_number_id: fields.phone_number_id ?? null
          }
          const pending = () => made(place, token, { ...known, status: "pending" }, fields.business_id ?? null)
          if (named === undefined) return { _tag: "Unproven" as const, ...pending() }
          const proving = proof.account(presented, token, named, fields.phone_number_id ?? null)
          // The code is used up, so its token is kept although the proof failed.
          const account = yield* Effect.catchTag(proving, ProviderError.code, () => Effect.succeed(undefined))
          if (account === undefined) return { _tag: "Interrupted" as const, ...pending() }
          const subscribing = proof.subscribe(presented, token, named)
          const isSubscribed = yield* Effect.catchTag(subscribing, ProviderError.code, () => Effect.succeed(undefined))
          if (isSubscribed === undefined) return { _tag: "Interrupted" as const, ...pending() }
          const reached = { ...token, accounts: reaching(token, account) }
          const standing = standingOf(isSubscribed, place.now)
          return {
            _tag: isSubscribed ? ("Connected" as const) : ("Unsubscribed" as const),
            ...made(place, reached, { ...known, ...account, ...standing }, fields.business_id ?? null)
          }
        })
      })
    })
  )
}

/** Accounts of other channels send no webhooks of this kind. */
const connectedUnasked = { status: "connected" } as const

/** Returns the status of a connection whose account was asked to send its messages here. U-CON-01 */
const standingOf = (isSubscribed: boolean, now: number) =>
  isSubscribed
    ? ({ status: "connected", subscribed_at: now } as const)
    : ({ status: "pending", subscription_refused_at: now } as const)

/** Returns the accounts of a token: those that it was granted, else the one that it was proven to reach. */
const reaching = ({ accounts }: ProvenToken, account: ProvenAccount | undefined): ReadonlyArray<string> =>
  account === undefined || accounts.includes(account.biz_account_id) ? accounts : [account.biz_account_id]

/** Returns the first missing member that a channel needs. */
const missingField = (channel: "chatapp" | "socialapp", body: RegisterUpstream): string | undefined => {
  if (channel === "chatapp") {
    if (body.biz_account_id === undefined) return "biz_account_id"
    return body.phone_number_id === undefined ? "phone_number_id" : undefined
  }
  return body.social_business_account_id === undefined && body.page_id === undefined
    ? "social_business_account_id"
    : undefined
}

const columnsOf = (connection: StoredConnection) => ({
  environment_id: connection.environment_id,
  id: connection.id,
  environment: connection.environment,
  provider: connection.provider,
  channel: connection.channel,
  status: connection.status,
  display_name: connection.display_name,
  biz_account_id: connection.biz_account_id,
  phone_number_id: connection.phone_number_id,
  display_phone_number: connection.display_phone_number,
  social_business_account_id: connection.social_business_account_id,
  page_id: connection.page_id,
  biz_account_send_capabilities: connection.biz_account_send_capabilities,
  created_at: connection.created_at
})
