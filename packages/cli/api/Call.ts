import { text as textOf } from "node:stream/consumers"
import { Carteiro } from "@carteiro/sdk"
import { parseExact } from "@carteiro/sdk/transport/ExactJson.ts"
import { usage } from "../shell/Failure.ts"
import { readInput } from "../shell/InputFile.ts"
import type { Shell } from "../shell/Shell.ts"
import { type Members, withFields } from "./Fields.ts"
import { writingOf } from "./Written.ts"

export interface CallOptions {
  readonly body?: string
  readonly region?: string
  readonly idempotencyKey?: string
}

/** The SDK's client with its transport, for routes by path. */
class AnyRoute extends Carteiro {
  call(method: string, path: string, query: Members | undefined, body: unknown, idempotencyKey: string | undefined) {
    return this.transport.call<unknown>({ method, path, query, body }, { idempotencyKey })
  }
}

/** Sends one request and prints the response as JSON. */
export const call = async (
  shell: Shell,
  method: string,
  path: string,
  words: ReadonlyArray<string>,
  options: CallOptions
): Promise<void> => {
  const { apiKey, baseUrl } = await shell.access()
  const writing = await writingOf(shell, options.region, words)
  const isRead = method === "GET" || method === "DELETE"
  const given = isRead ? undefined : await bodyOf(shell, options.body)
  const members = withFields(given ?? {}, words, writing)
  const isEmpty = Object.keys(members).length === 0
  const body = isRead || (isEmpty && given === undefined) ? undefined : members
  const client = new AnyRoute({ apiKey, baseUrl })
  const answer = await client.call(
    method,
    routeOf(path),
    isRead ? queryOf(members) : undefined,
    body,
    options.idempotencyKey
  )
  shell.print(JSON.stringify(answer ?? null, null, 2))
}

/** Returns members as a query: an integer beyond 2^53, which is kept as an object, by its digits. */
const queryOf = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).map(([name, value]) => [name, Array.isArray(value) ? value.map(inQuery) : inQuery(value)])
  )

const inQuery = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? JSON.stringify(value) : value

/** Returns the path of a route: `messages`, `/messages` and `/v1/messages` name one route. */
const routeOf = (path: string): string => {
  if (/^[a-z]+:/i.test(path)) throw usage("the path is without an origin", "--api-base names the origin")
  return `/v1/${path.replace(/^\/*(?:v1\/+)?/, "")}`
}

const bodyOf = async (shell: Shell, given: string | undefined): Promise<Members | undefined> => {
  if (given === undefined) return undefined
  const source = given.startsWith("@")
    ? (await readInput(shell, given.slice(1))).toString("utf8")
    : given === "-"
      ? await textOf(shell.io.stdin)
      : given
  try {
    return parseExact(source) as Members
  } catch {
    throw usage("the body is not JSON")
  }
}
