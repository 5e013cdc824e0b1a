import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { isApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { UpstreamConnectionAlreadyExists } from "@carteiro/schema/provider-connections/ProviderConnectionErrors.ts"
import {
  SetupSessionNotFound,
  SetupTargetNotConfigured
} from "@carteiro/schema/provider-connections/SetupSessionErrors.ts"
import { Effect, Layer } from "effect"
import { numberChanges } from "../../phone-numbers/PhoneNumbers.ts"
import { makeCredentialRows } from "./CredentialRows.ts"
import { SetupActions, SetupTargets } from "./SetupActions.ts"
import { readCredentials } from "./SetupCredentials.ts"
import { completeSetup, denySetup, insertSetup, SetupRepo } from "./SetupRepo.ts"
import { decisionRefusal, newSetup, readSetup, targetRefusal } from "./SetupState.ts"

export const setupActionsLayer = Layer.effect(
  SetupActions,
  Effect.gen(function* () {
    const repo = yield* SetupRepo
    const commit = yield* Commit
    const ids = yield* Ids
    const publicUrl = yield* PublicUrl
    const targets = yield* SetupTargets
    const credentialRows = yield* makeCredentialRows

    const find = Effect.fnUntraced(function* (organizationId: string, id: string) {
      const session = parseId("pcs", id) ? yield* repo.ofOrganization(organizationId, id) : undefined
      return session ?? (yield* new SetupSessionNotFound())
    })

    return SetupActions.of({
      find,
      create: Effect.fnUntraced(function* (call, { target }) {
        const refusal = targetRefusal(target, call.caller.environment, targets)
        if (refusal !== undefined) return yield* refusal
        const session = newSetup(call.caller, ids.mint("pcs", call.now), target, call.now)
        const url = `${publicUrl()}/dashboard/setup/${session.id}`
        const response = reply(call, 201, readSetup(session, call.now, url))
        const { created_at, environment, environment_id, expires_at, id, organization_id, project_id } = session
        const row = insertSetup.row({
          environment_id,
          id,
          organization_id,
          project_id,
          environment,
          target,
          expires_at,
          created_at
        })
        yield* commit.write([row], { claim: call.claim, response })
        return response
      }),

      get: Effect.fnUntraced(function* (call, id) {
        const session = parseId("pcs", id) ? yield* repo.find(call.caller.environment_id, id) : undefined
        if (session === undefined) return yield* new SetupSessionNotFound()
        return reply(call, 200, readSetup(session, call.now, null))
      }),

      open: Effect.fnUntraced(function* (by, id, decision) {
        const session = yield* find(by.organization_id, id)
        const refusal = decisionRefusal(session, decision, by.now)
        if (refusal !== undefined) return yield* refusal
        const isReached = session.environment === "sandbox" || targets.has(session.target)
        if (decision === "complete" && !isReached) return yield* new SetupTargetNotConfigured()
        return session
      }),

      complete: Effect.fnUntraced(function* (session, credentials, { now, role }) {
        const entered = readCredentials(session.target, credentials)
        if (isApiError(entered)) return yield* entered
        const { connectionId, row, sttProvider } = yield* credentialRows(session, entered, now)
        const { environment_id, id } = session
        const change = {
          provider_connection_id: connectionId,
          completed_stt_provider: sttProvider,
          completed_by_role: role,
          completed_at: now
        }
        const waiting = numberChanges.connect({ environment_id, due_at: now })
        const keys = yield* commit.write([row, waiting, completeSetup.row({ environment_id, id, ...change })])
        if (keys(completeSetup.name).has(id)) return { ...session, ...change, status: "completed", updated_at: now }
        const current = yield* find(session.organization_id, id)
        const refusal = decisionRefusal(current, "complete", now)
        // The session is still open, so another live connection caused the conflict.
        return yield* refusal ?? new UpstreamConnectionAlreadyExists()
      }),

      deny: Effect.fnUntraced(function* (session, { now }) {
        const { environment_id, id } = session
        const keys = yield* commit.write([denySetup.row({ environment_id, id, denied_at: now })])
        if (keys(denySetup.name).has(id)) return { ...session, status: "denied", denied_at: now, updated_at: now }
        const current = yield* find(session.organization_id, id)
        return yield* decisionRefusal(current, "deny", now) ?? new SetupSessionNotFound()
      })
    })
  })
)
