import { Routes } from "@carteiro/http-edge/Routes.ts"
import { SetupSessionsApi } from "@carteiro/schema/provider-connections/SetupSession.ts"
import { Effect } from "effect"
import { SetupActions } from "./SetupActions.ts"

/** Routes of `/v1/provider-credential-setup-sessions` that take a key. gaps-2 L "Setup session routes" */
export const SetupSessionsHttp = Routes.group(
  SetupSessionsApi,
  Effect.gen(function* () {
    const actions = yield* SetupActions
    return Routes.handlers(SetupSessionsApi, {
      create: (request) => actions.create(request, request.body),
      get: (request) => actions.get(request, request.params.setup_session_id)
    })
  })
)
