import { Cursors, idPage, pageReply, pageSize } from "@carteiro/http-edge/Paging.ts"
import { reply } from "@carteiro/http-edge/Reply.ts"
import { Routes } from "@carteiro/http-edge/Routes.ts"
import { Commit } from "@carteiro/owners/Commit.ts"
import { Ids, parseId } from "@carteiro/owners/Ids.ts"
import { AudiencesApi } from "@carteiro/schema/batches/Audience.ts"
import { AudienceNotFound } from "@carteiro/schema/batches/BatchErrors.ts"
import { clean } from "@carteiro/schema/conventions/Text.ts"
import { Effect } from "effect"
import { readAudience } from "./AudienceRead.ts"
import { AudienceRepo, removeAudience } from "./AudienceRepo.ts"
import { storedFilter } from "./ContactFilter.ts"

/** The routes of audiences. gaps-2 H "Audiences" */
export const AudiencesHttp = Routes.group(
  AudiencesApi,
  Effect.gen(function* () {
    const repo = yield* AudienceRepo
    const commit = yield* Commit
    const ids = yield* Ids
    const cursors = yield* Cursors
    return Routes.handlers(AudiencesApi, {
      create: Effect.fnUntraced(function* (request) {
        const { body, caller, claim, now } = request
        const id = ids.mint("aud", now)
        const audience = { id, name: clean(body.name), filter: storedFilter(body.filter), created_at: now }
        const count = yield* repo.countContacts(caller.environment_id, audience.filter)
        const answer = reply(request, 201, readAudience({ ...audience, updated_at: now }, count))
        yield* commit.write([repo.insert(caller.environment_id, audience)], { claim, response: answer })
        return answer
      }),
      list: Effect.fnUntraced(function* (request) {
        const { caller, operation, query } = request
        const scope = caller.environment_id
        const asked = { cursors, route: operation, scope, after: query.starting_after, size: pageSize(query.limit) }
        const page = yield* idPage(
          asked,
          (after, count) =>
            Effect.flatMap(repo.list(scope, after, count), (rows) =>
              Effect.forEach(rows, (row) =>
                Effect.map(repo.countContacts(scope, row.filter), (contacts) => readAudience(row, contacts))
              )
            ),
          (audience) => audience
        )
        return pageReply(request, page)
      }),
      get: Effect.fnUntraced(function* (request) {
        const { audience_id } = request.params
        const { environment_id } = request.caller
        const row = parseId("aud", audience_id) ? yield* repo.find(environment_id, audience_id) : undefined
        if (row === undefined) return yield* new AudienceNotFound()
        return reply(request, 200, readAudience(row, yield* repo.countContacts(environment_id, row.filter)))
      }),
      delete: Effect.fnUntraced(function* (request) {
        const { audience_id: id } = request.params
        if (!parseId("aud", id)) return yield* new AudienceNotFound()
        const written = yield* commit.write([repo.remove(request.caller.environment_id, id)])
        if (!written(removeAudience.name).has(id)) return yield* new AudienceNotFound()
        return reply(request, 200, { id, object: "audience", deleted: true })
      })
    })
  })
)
