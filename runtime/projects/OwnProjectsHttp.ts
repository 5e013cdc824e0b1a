import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { formatBrlOrNull, parseBrl } from "@carteiro/schema/conventions/Money.ts"
import { ProjectNotFound } from "@carteiro/schema/conventions/SharedErrors.ts"
import { OwnProjectsApi } from "@carteiro/schema/projects/OwnProjectsApi.ts"
import { InvalidProjectBody } from "@carteiro/schema/projects/ProjectErrors.ts"
import { isPhoneRegion } from "@carteiro/spellings/Phone.ts"
import { Effect } from "effect"
import { ProjectActions } from "./ProjectActions.ts"
import { ProjectDirectory } from "./ProjectDirectory.ts"

/** Operations of people about the projects of their organization. Decision 0155 */
export const OwnProjectsHttp = Routes.group(
  OwnProjectsApi,
  Effect.gen(function* () {
    const directory = yield* ProjectDirectory
    const actions = yield* ProjectActions

    return Routes.handlers(OwnProjectsApi, {
      list: ({ caller, traceId }) =>
        Effect.map(directory.list(caller.organization_id), (data) => reply({ traceId }, 200, { object: "list", data })),

      get: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const project = yield* directory.find(caller.organization_id, params.project_id)
        if (project === undefined) return yield* new ProjectNotFound()
        const cap = yield* directory.spendCap(caller.organization_id, project.id)
        return reply({ traceId }, 200, { ...project, monthly_spend_cap_brl: formatBrlOrNull(cap) })
      }),

      configure: Effect.fnUntraced(function* ({ body, caller, params, realNow, traceId }) {
        const { organization_id } = caller
        const { monthly_spend_cap_brl: cap, ...settings } = body
        const id = params.project_id
        if (settings.default_region !== undefined && !isPhoneRegion(settings.default_region)) {
          return yield* new InvalidProjectBody({ param: "default_region" })
        }
        if (Object.keys(settings).length > 0) yield* directory.configure(organization_id, id, settings, realNow)
        if (cap !== undefined) {
          if ((yield* directory.find(organization_id, id)) === undefined) return yield* new ProjectNotFound()
          yield* directory.setSpendCap(organization_id, id, cap === null ? null : (parseBrl(cap) ?? null), realNow)
        }
        return changed(traceId, id)
      }),

      archive: ({ caller, params: { project_id: id }, realNow, traceId }) =>
        Effect.as(actions.archive(caller.organization_id, id, realNow), changed(traceId, id)),

      restore: ({ caller, params: { project_id: id }, realNow, traceId }) =>
        Effect.as(actions.restore(caller.organization_id, id, realNow), changed(traceId, id)),

      remove: ({ caller, params: { project_id: id }, realNow, traceId }) =>
        Effect.as(actions.remove(caller.organization_id, id, realNow), changed(traceId, id))
    })
  })
)

const changed = (traceId: string, id: string) => reply({ traceId }, 200, { id, object: "project" })
