import type { ChatCall } from "@carteiro/provider/ChatProvider.ts"
import { Effect, Option, type Redacted } from "effect"
import { callAnswer } from "./UpstreamAnswers.ts"
import type { UpstreamCalls } from "./UpstreamCalls.ts"
import { memberOf, textOf } from "./UpstreamJson.ts"

/** A list of the platform. */
interface UpstreamList {
  readonly path: string
  readonly token: Redacted.Redacted
  readonly fields: string
}

/** The most pages of a list that are read; an account has no more. */
const mostPages = 20

/**
 * Reads a whole list of the platform, page by page; `read` takes the entries of one member. A list that is not read to
 * its end is a failure, because it would wrongly show that an entry is missing.
 */
export const upstreamPages = Effect.fnUntraced(function* <A>(
  calls: UpstreamCalls,
  { fields, path, token }: UpstreamList,
  read: (entry: unknown) => A | ReadonlyArray<A>
): Effect.fn.Return<ChatCall<ReadonlyArray<A>>> {
  const entries: Array<A> = []
  let after: string | null = null
  for (let pages = 0; pages < mostPages; pages++) {
    const query: Record<string, string> = { fields, limit: "100", ...(after === null ? undefined : { after }) }
    const page = callAnswer(yield* calls.call({ method: "GET", path, token, query }), pageOf)
    if (page._tag !== "Done") return page
    entries.push(...page.value.entries.flatMap(read))
    const { next } = page.value
    if (next === null) return { _tag: "Done", value: entries }
    if (next === after) break
    after = next
  }
  return { _tag: "Failed", error: null }
})

const pageOf = (json: unknown) => {
  const entries = memberOf(json, "data")
  if (!Array.isArray(entries)) return Option.none()
  const paging = memberOf(json, "paging")
  const next = textOf(memberOf(paging, "next")) === null ? null : textOf(memberOf(memberOf(paging, "cursors"), "after"))
  return Option.some({ entries: entries as ReadonlyArray<unknown>, next })
}
