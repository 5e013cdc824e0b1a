import { readFile } from "node:fs/promises"
import { text as textOf } from "node:stream/consumers"
import { Carteiro } from "@carteiro/sdk"
import { regionOf } from "../rows/ListFile.ts"
import { usage } from "../shell/Failure.ts"
import type { Shell } from "../shell/Shell.ts"
import { type Members, withFields } from "./Fields.ts"

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
  const writing = { region: regionOf(options.region), note: (text: string) => shell.note(text) }
  const isRead = method === "GET" || method === "DELETE"
  const given = isRead ? undefined : await bodyOf(shell, options.body)
  const members = withFields(given ?? {}, words, writing)
  const isEmpty = Object.keys(members).length === 0
  const body = isRead || (isEmpty && given === undefined) ? undefined : members
  const client = new AnyRoute({ apiKey, baseUrl })
  const answer = await client.call(method, routeOf(path), isRead ? members : undefined, body, options.idempotencyKey)
  shell.print(JSON.stringify(answer ?? null, null, 2))
}

/** Returns the path of a route: `messages`, `/messages` and `/v1/messages` name one route. */
const routeOf = (path: string): string => {
  if (/^[a-z]+:/i.test(path)) throw usage("the path is without an origin", "--api-base names the origin")
  return `/v1/${path.replace(/^\/*(?:v1\/+)?/, "")}`
}

const bodyOf = async (shell: Shell, given: string | undefined): Promise<Members | undefined> => {
  if (given === undefined) return undefined
  const source = given.startsWith("@")
    ? await readFile(given.slice(1), "utf8")
    : given === "-"
      ? await textOf(shell.io.stdin)
      : given
  try {
    return JSON.parse(source) as Members
  } catch {
    throw usage("the body is not JSON")
  }
}
