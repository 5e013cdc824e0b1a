import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { parseId } from "@carteiro/owners/Ids.ts"
import { formatTimestamp, formatTimestampOrNull } from "@carteiro/schema/conventions/Timestamp.ts"
import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import {
  type TemplateVersion as ReadVersion,
  type SendableTemplate,
  TemplateLookupsApi
} from "@carteiro/schema/templates/TemplateLookupsApi.ts"
import { Effect } from "effect"
import { Environments } from "../../access/Access.ts"
import { authoringSignals } from "./AuthoringSignals.ts"
import { TemplateDirectory } from "./TemplateDirectory.ts"
import { TemplateRepo } from "./TemplateRepo.ts"
import type { TemplateState, TemplateVersion } from "./TemplateState.ts"

/** Operations of people that look templates up. Decision 0155 */
export const TemplateLookupsHttp = Routes.group(
  TemplateLookupsApi,
  Effect.gen(function* () {
    const templates = yield* TemplateDirectory
    const repo = yield* TemplateRepo
    const environments = yield* Environments

    return Routes.handlers(TemplateLookupsApi, {
      versions: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const versions = yield* repo.versions(caller.environment_id, params.template_id)
        return reply({ traceId }, 200, { object: "list", data: versions.map(readVersion) })
      }),

      ofVersion: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const { template_version_id: id } = params
        const template_id = parseId("tplv", id) ? yield* repo.ofVersion(caller.environment_id, id) : undefined
        if (template_id === undefined) return yield* new TemplateNotFound()
        return reply({ traceId }, 200, { object: "template_of_version", template_id })
      }),

      named: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const own = (yield* environments.list(caller.organization_id)).map(({ id }) => id)
        const rows = yield* repo.named(own, query.name, Number(query.limit))
        const data = rows.map((row) => ({ ...row, object: "named_template" as const }))
        return reply({ traceId }, 200, { object: "list", data })
      }),

      listSendable: Effect.fnUntraced(function* ({ caller, query, traceId }) {
        const newest = yield* templates.list(caller.environment_id, {}, undefined, Number(query.limit))
        return reply({ traceId }, 200, { object: "list", data: newest.flatMap(sendableOf) })
      }),

      reviewNotes: ({ body, traceId }) =>
        Effect.succeed(reply({ traceId }, 200, { object: "list", data: authoringSignals(body) })),

      getSendable: Effect.fnUntraced(function* ({ caller, params, traceId }) {
        const { template_id: id } = params
        const template = parseId("tpl", id) ? yield* repo.find(caller.environment_id, id) : undefined
        const [sendable] = template === undefined ? [] : sendableOf(template)
        return reply({ traceId }, 200, sendable ?? (yield* new TemplateNotFound()))
      })
    })
  })
)

const readVersion = (version: TemplateVersion): ReadVersion => ({
  id: version.id,
  object: "template_version",
  version: version.version,
  status: version.status,
  rejection_reason: version.rejection_reason,
  category: version.category,
  components: version.components,
  created_at: formatTimestamp(version.created_at),
  submitted_at: formatTimestampOrNull(version.submitted_at),
  approved_at: formatTimestampOrNull(version.approved_at)
})

/** Returns the template as sends use it; nothing without an approved version. */
const sendableOf = ({ approved, id, language, name }: TemplateState): ReadonlyArray<SendableTemplate> =>
  approved === undefined
    ? []
    : [
        {
          id,
          object: "sendable_template",
          name,
          language,
          category: approved.category,
          components: approved.components
        }
      ]
