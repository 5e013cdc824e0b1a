import { createHash, timingSafeEqual } from "node:crypto"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids } from "@carteiro/owners/Ids.ts"
import { formatTimestamp, parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { UpstreamConnectionAlreadyExists } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import { UpstreamSignupSessionCompleted } from "@carteiro/schema/provider-connections/ProviderConnectionEvents.ts"
import { signupIdOf, signupPagePath } from "@carteiro/schema/provider-connections/SignupSession.ts"
import {
  InvalidSignupSessionRequest,
  InvalidSignupSessionToken,
  UpstreamSignupSessionAlreadyCompleted,
  UpstreamSignupSessionExpired,
  UpstreamSignupSessionNotFound
} from "@carteiro/schema/provider-connections/SignupSessionErrors.ts"
import type { Row } from "@carteiro/tables/Write.ts"
import { Effect, Layer } from "effect"
import { ApiKeys } from "../../access/Access.ts"
import { Outbox } from "../../outbox/Outbox.ts"
import type { StoredConnection } from "../connection/StoredConnection.ts"
import { StoredConnectionRepo } from "../connection/StoredConnectionRepo.ts"
import { CodeExchange } from "../manage/CodeExchange.ts"
import { SignupActions } from "./SignupActions.ts"
import { abandonSignup, beginSignup, completeSignup, insertSignup, SignupRepo } from "./SignupRepo.ts"
import { SignupSettings } from "./SignupSettings.ts"
import {
  completedSignup,
  mayReturnTo,
  mintSignupId,
  newSignup,
  processingMs,
  readSignup,
  type StoredSignup,
  signupStatus
} from "./SignupState.ts"

export const signupActionsLayer = Layer.effect(
  SignupActions,
  Effect.gen(function* () {
    const repo = yield* SignupRepo
    const connections = yield* StoredConnectionRepo
    const exchanges = yield* CodeExchange
    const commit = yield* Commit
    const ids = yield* Ids
    const keys = yield* ApiKeys
    const outbox = yield* Outbox
    const publicUrl = yield* PublicUrl
    const { returnOrigins } = yield* SignupSettings

    const found = Effect.fnUntraced(function* (environmentId: string, text: string) {
      const id = signupIdOf(text)
      const session = id === undefined ? undefined : yield* repo.find(environmentId, id)
      return session ?? (yield* new UpstreamSignupSessionNotFound())
    })

    /** Waits while another completion of the session is under way; true when this one may proceed. */
    const begins = Effect.fnUntraced(function* ({ environment_id, id }: StoredSignup, begun: number) {
      for (let looks = 0; looks < mostLooks; looks++) {
        const stale_before = begun - processingMs
        const row = beginSignup.row({ environment_id, id, processing_since: begun, stale_before })
        if ((yield* commit.write([row]))(beginSignup.name).has(id)) return true
        if ((yield* repo.find(environment_id, id))?.status !== "processing") return false
        yield* Effect.sleep(lookMs)
      }
      return false
    })

    return SignupActions.of({
      create: Effect.fnUntraced(function* (call, body) {
        const { api_key_id, environment, environment_id, organization_id, project_id } = call.caller
        if (!mayReturnTo(body.return_url, environment, returnOrigins)) {
          return yield* new InvalidSignupSessionRequest({
            param: "return_url",
            message: "return_url needs https and an origin that the operator of this service allows."
          })
        }
        if (environment === "production" && (yield* connections.live(environment_id, "chatapp")) !== undefined) {
          return yield* new UpstreamConnectionAlreadyExists()
        }
        const token = Buffer.from(ids.bytes(32)).toString("base64url")
        const session = newSignup(
          { environment_id, organization_id, project_id, environment, api_key_id, id: mintSignupId(ids.bytes(16)) },
          body,
          call.now
        )
        const url = `${publicUrl()}${signupPagePath}/${session.id}#token=${token}`
        const response = reply(call, 201, readSignup(session, call.now, url))
        const { completed_at: _, processing_since: __, provider_connection_id: ___, status: ____, ...columns } = session
        const row = insertSignup.row({ ...columns, launch_hash: hashOf(token) })
        yield* commit.write([row], { claim: call.claim, response })
        return response
      }),

      get: (call, id) =>
        Effect.map(found(call.caller.environment_id, id.startsWith("mss_") ? id : ""), (session) =>
          reply(call, 200, readSignup(session, call.now, null))
        ),

      launch: Effect.fnUntraced(function* (text, token, now) {
        const id = text.startsWith("mss_") ? signupIdOf(text) : undefined
        const session = id === undefined || token === undefined ? undefined : yield* repo.launched(id)
        if (session === undefined || token === undefined) return yield* new InvalidSignupSessionToken()
        const { launch_hash, ...known } = session
        if (!timingSafeEqual(hashOf(token), Buffer.from(launch_hash))) return yield* new InvalidSignupSessionToken()
        const key = yield* keys.find(session.environment_id, session.api_key_id)
        return isUsable(key, now) ? known : yield* new InvalidSignupSessionToken()
      }),

      complete: Effect.fnUntraced(function* (call, session, path, fields) {
        const { environment, environment_id, id } = session
        const status = signupStatus(session, call.now)
        if (status === "completed") return reply(call, 200, readSignup(session, call.now, null))
        if (status === "expired") return yield* new UpstreamSignupSessionExpired()
        const begun = call.now
        if (!(yield* begins(session, begun))) return yield* new UpstreamSignupSessionAlreadyCompleted()
        const exchange = exchanges.connect({ ...call, caller: { environment, environment_id } }, path, fields, {
          rows: completionRows(outbox, session, begun, call),
          response: ({ id: connection }) =>
            reply(call, 200, readSignup(completedSignup(session, connection, call.now), call.now, null))
        })
        const abandon = Effect.ignore(
          commit.write([abandonSignup.row({ environment_id, id, processing_since: begun })])
        )
        const answer = yield* Effect.onError(exchange, () => abandon)
        if (answer === undefined) return yield* new UpstreamSignupSessionAlreadyCompleted()
        if (answer.status >= 300) yield* abandon
        return answer
      }),

      oauth: Effect.fnUntraced(function* (call, path, { signup_session_id, ...fields }) {
        const session =
          signup_session_id === undefined ? undefined : yield* found(call.caller.environment_id, signup_session_id)
        if (session === undefined) return (yield* exchanges.connect(call, path, fields)) ?? (yield* gone)
        const status = signupStatus(session, call.now)
        if (status === "expired") return yield* new UpstreamSignupSessionExpired()
        if (status !== "pending") return yield* new UpstreamSignupSessionAlreadyCompleted()
        const rows = completionRows(outbox, session, session.processing_since, call)
        return (yield* exchanges.connect(call, path, fields, { rows })) ?? (yield* gone)
      })
    })
  })
)

/** The most polls of a completion that waits for another one, and their interval in milliseconds. */
const mostLooks = 60
const lookMs = 250

const gone = new UpstreamSignupSessionAlreadyCompleted()

/** Returns the rows that complete the session, in the commit of its connection. */
const completionRows =
  (
    outbox: Outbox["Service"],
    session: StoredSignup,
    begun: number | null,
    { now, traceId }: { readonly now: number; readonly traceId: string }
  ) =>
  ({ id: provider_connection_id }: StoredConnection): ReadonlyArray<Row> => {
    const { environment, environment_id, id } = session
    const { url: _, ...shown } = readSignup(completedSignup(session, provider_connection_id, now), now, null)
    const completed_at = formatTimestamp(now)
    return [
      completeSignup.row({ environment_id, id, begun, provider_connection_id, completed_at: now }),
      outbox.event(UpstreamSignupSessionCompleted, {
        environment_id,
        environment,
        source_id: id,
        subject: null,
        trace_id: traceId,
        at: now,
        data: { ...shown, status: "completed", provider_connection_id, completed_at }
      })
    ]
  }

/** True for an active key whose time is not over. */
const isUsable = (
  key: { readonly status: string; readonly expires_at: string | null } | undefined,
  now: number
): boolean => {
  const ends = key?.expires_at == null ? undefined : parseTimestamp(key.expires_at)
  return key?.status === "active" && (ends === undefined || ends > now)
}

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest()
