import { type Guides, readGuides, sectionSearch } from "@carteiro/guides/Guides.ts"
import { type InnerCall, makeInnerCalls } from "@carteiro/http-edge/Pipeline.ts"
import { PublicUrl } from "@carteiro/http-edge/PublicUrl.ts"
import { type BytesReply, type Reply, rawReply, readReply, reply } from "@carteiro/http-edge/Reply.ts"
import { type RawRequest, RouteTable } from "@carteiro/http-edge/Routes.ts"
import { guideOf } from "@carteiro/openapi/Openapi.ts"
import { SandboxOnlyRoute } from "@carteiro/schema/access/AccessErrors.ts"
import { InternalError } from "@carteiro/schema/conventions/SharedErrors.ts"
import { InvalidQuery } from "@carteiro/schema/feedback/FeedbackErrors.ts"
import { Effect } from "effect"
import { type ApiTool, apiTools, type ToolValues } from "./ApiTools.ts"
import { searchGuides } from "./DocsTools.ts"
import { type ExplainedResource, explain, explainedPath } from "./Explanation.ts"
import type { Tool } from "./Tool.ts"
import { argument } from "./ToolArguments.ts"

const { text } = argument

/** Returns the tools with which an agent builds against the API and reads its documentation. */
export const sandboxTools = Effect.gen(function* () {
  const inner: InnerCall = yield* makeInnerCalls
  const table = yield* RouteTable
  const publicUrl = yield* PublicUrl
  const guides = yield* Effect.cached(Effect.sync(readGuides))
  const search = yield* Effect.cached(Effect.map(guides, sectionSearch))
  const docsOf = (code: string) => `${publicUrl()}/docs/errors/${code}`

  const scopesOf = (tool: ApiTool) => {
    const { method, path } = tool.request({})
    const route = table.match(method, path)?.route
    return route?.kind === "operation" ? route.traits.scopes : []
  }
  const ofApi = (tool: ApiTool): Tool => ({
    ...tool,
    isReadOnly: !tool.writes,
    isFor: ({ environment, scopes }) =>
      !(tool.writes && environment === "production") && scopesOf(tool).every((scope) => scopes.includes(scope)),
    scopes: [],
    call: ({ caller, http }, given) =>
      tool.writes && caller.environment === "production"
        ? Effect.fail(new SandboxOnlyRoute())
        : Effect.flatMap(inner(http, tool.request(given)), textOf)
  })

  return [
    ...apiTools.map(ofApi),
    {
      name: "explain_failure",
      title: "Explain a failure",
      description:
        "Says in words why a message failed, or how the delivery of a webhook went, and what to do. Takes the id of a message (msg_…) or of a webhook event (whe_…).",
      arguments: { id: text("msg_… or whe_…") },
      isReadOnly: true,
      isFor: ({ scopes }) => scopes.includes("messages:read") || scopes.includes("webhooks:read"),
      scopes: [],
      call: ({ http }, given) =>
        Effect.map(
          Effect.flatMap(inner(http, { method: "GET", path: explainedPath(given) }), textOf<ExplainedResource>),
          (found) => reply(http, 200, explain(readReply(found), guideOf, docsOf))
        )
    },
    {
      name: "search_docs",
      title: "Search the documentation",
      description: "Sections of the guides in which the words stand, best first. read_docs reads a page whole.",
      arguments: { query: text("A few words", 200) },
      isReadOnly: true,
      isFor: () => true,
      scopes: [],
      call: ({ http }, { query }) => Effect.map(search, (found) => reply(http, 200, searchGuides(found, String(query))))
    },
    {
      name: "read_docs",
      title: "Read a page of the documentation",
      description: "A guide as Markdown, or the page of an error code. Without a page the names of all guides.",
      arguments: { page: argument.optional(text("The name of a guide, such as webhooks, or an error code", 100)) },
      isReadOnly: true,
      isFor: () => true,
      scopes: [],
      call: ({ http }, { page }) => Effect.flatMap(guides, (found) => pageOf(http, found, page, docsOf))
    }
  ] satisfies ReadonlyArray<Tool>
})

/** Returns the JSON answer of an operation that a tool calls, with its headers. */
const textOf = <A = unknown>({ body, headers, status }: Reply | BytesReply): Effect.Effect<Reply<A>, InternalError> =>
  typeof body === "string" ? Effect.succeed(rawReply<A>(status, body, headers)) : Effect.fail(new InternalError())

const pageOf = (
  http: RawRequest,
  guides: Guides,
  page: ToolValues[string],
  docsOf: (code: string) => string
): Effect.Effect<Reply, InvalidQuery> => {
  if (page === undefined) return Effect.succeed(reply(http, 200, { object: "list", data: [...guides.keys()] }))
  const name = String(page)
  const text = guides.get(name)
  if (text !== undefined) return Effect.succeed(reply(http, 200, { page: name, text }))
  const guide = guideOf(name)
  return guide === undefined
    ? Effect.fail(
        new InvalidQuery({
          param: "page",
          message: "No guide and no error code has this name; leave page out for a list."
        })
      )
    : Effect.succeed(reply(http, 200, { page: name, ...guide, doc_url: docsOf(name) }))
}
