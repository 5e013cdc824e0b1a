import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { rawReply, reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { TemplateNotFound } from "@carteiro/schema/templates/TemplateErrors.ts"
import { TemplatesApi } from "@carteiro/schema/templates/TemplatesApi.ts"
import { Effect } from "effect"
import { readTemplate } from "../template/TemplateRead.ts"
import { TemplateRepo } from "../template/TemplateRepo.ts"
import { TemplateCommands } from "./TemplateCommands.ts"
import { TemplatesEntity } from "./TemplatesEntity.ts"

/** Routes of `/v1/templates`, and the simulated provider of a sandbox. M-TPL, gaps-2 G "Template routes" */
export const TemplatesHttp = Routes.group(
  TemplatesApi,
  Effect.gen(function* () {
    const owners = yield* TemplatesEntity.client
    const commands = yield* TemplateCommands
    const repo = yield* TemplateRepo
    const cursors = yield* Cursors
    const ids = yield* Ids

    const answered = ({ body, status }: { readonly status: number; readonly body: string }) => rawReply(status, body)

    return Routes.handlers(TemplatesApi, {
      create: ({ body, caller, claim, now, traceId }) =>
        Effect.map(
          commands.create(
            { environment: caller.environment, environment_id: caller.environment_id, trace_id: traceId, claim, now },
            body
          ),
          answered
        ),

      import: ({ caller, claim, now, traceId }) =>
        Effect.map(
          commands.importAll({
            environment: caller.environment,
            environment_id: caller.environment_id,
            trace_id: traceId,
            claim,
            now
          }),
          answered
        ),

      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const { category, language, name, starting_after, status } = query
        const scope = caller.environment_id
        const page = yield* idPage(
          { cursors, route: operation, scope, after: starting_after, size: pageSize(query.limit) },
          (before, count) => repo.list(scope, { category, language, name, status }, before, count),
          readTemplate
        )
        return pageReply(request, page)
      }),

      get: Effect.fnUntraced(function* (request) {
        const { caller, params } = request
        const found = parseId("tpl", params.template_id)
          ? yield* repo.find(caller.environment_id, params.template_id)
          : undefined
        return reply(request, 200, readTemplate(found ?? (yield* new TemplateNotFound())))
      }),

      update: ({ body, caller, now, params, traceId }) =>
        Effect.map(
          commands.update(
            {
              environment: caller.environment,
              environment_id: caller.environment_id,
              trace_id: traceId,
              claim: undefined,
              now
            },
            params.template_id,
            body
          ),
          answered
        ),

      delete: ({ caller, params, traceId }) => {
        const item = { trace_id: traceId, claim: undefined, id: params.template_id }
        return Effect.map(commands.remove(caller.environment_id, item), answered)
      },

      submit: ({ caller, claim, params, traceId }) => {
        const item = { trace_id: traceId, claim, id: params.template_id }
        return Effect.map(commands.submit(caller.environment_id, item), answered)
      },

      duplicate: Effect.fnUntraced(function* ({ body, caller, claim, now, params, traceId }) {
        const of = yield* templateId(params)
        return answered(
          yield* owners.Duplicate(caller.environment_id, {
            trace_id: traceId,
            claim,
            of,
            id: ids.mint("tpl", now),
            version_id: ids.mint("tplv", now),
            environment: caller.environment,
            name: body.name,
            language: body.language
          })
        )
      }),

      setSandboxStatus: Effect.fnUntraced(function* ({ body, caller, claim, params, traceId }) {
        const id = yield* templateId(params)
        return answered(
          yield* owners.SetStatus(caller.environment_id, {
            trace_id: traceId,
            claim,
            id,
            ...(body.status !== undefined && { status: body.status }),
            ...(body.category !== undefined && { category: body.category }),
            rejection_reason: body.rejection_reason ?? null
          })
        )
      })
    })
  })
)

/** Refuses a text that is not a template's id without a call to an owner. */
const templateId = ({ template_id }: { readonly template_id: string }) =>
  parseId("tpl", template_id) ? Effect.succeed(template_id) : Effect.fail(new TemplateNotFound())
