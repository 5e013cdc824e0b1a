import { parseText } from "@carteiro/http-edge/Json.ts"
import type { SampledRequest } from "@carteiro/openapi/Openapi.ts"

/** Stands for the id of the reader's sandbox number. */
export const numberPlaceholder = "SANDBOX_NUMBER_ID"

/** Returns the requests that a block of a guide makes with its helper `api`, in their order, each once. */
export const requestsOf = (block: string): ReadonlyArray<SampledRequest> => {
  // The first of several calls has no cursor yet.
  const text = block.replaceAll(/\\\n\s*/g, " ").replaceAll(/\$\{\w+:\+[^}]*\}/g, "")
  const starts = [...text.matchAll(/(?:^|[\s(;|{])(?:api|live) (['"]?)([a-z][\w/$?&=%.,:-]*)\1/gm)]
  const found = starts.flatMap((start, index) => {
    const rest = text.slice(start.index + start[0].length, starts[index + 1]?.index)
    const request = requestOf(start[2] ?? "", rest)
    return request === undefined ? [] : [request]
  })
  const seen = new Set<string>()
  return found.filter((request) => {
    const key = JSON.stringify(request)
    return !seen.has(key) && seen.add(key)
  })
}

const requestOf = (target: string, rest: string): SampledRequest | undefined => {
  const [path = "", asked = ""] = target.split("?")
  // A body in double quotes has its own escaped.
  const quoted = /^[^\n]*?-d "((?:[^"\\]|\\.)*)"/.exec(rest)?.[1]?.replaceAll(/\\(.)/g, "$1")
  const data =
    (quoted && named(quoted)) ??
    /^[^\n]*?-d '((?:[^']|'"?\$\w+"?')*)'/.exec(rest)?.[1] ??
    /\n?\s*-d '(\{(?:[^']|'"?\$\w+"?')*)'/.exec(rest)?.[1]
  const method = /^[^\n|]*-X (\w+)/.exec(rest)?.[1] ?? (data === undefined ? "GET" : "POST")
  const body = data === undefined ? undefined : jsonOf(data)
  if (data !== undefined && body === undefined) return undefined
  const query = Object.fromEntries([...new URLSearchParams(asked)].map(([name, value]) => [name, named(value)]))
  return { method, path: `/v1/${named(path)}`, query, body }
}

/** Returns a body with capitals where the guide puts a variable; undefined for one that a function completes. */
const jsonOf = (data: string): unknown => {
  const text = data.replaceAll(/'"?\$(\w+)"?'/g, (_, name: string) => named(`$${name}`))
  if (/'"?\$[1({]/.test(data) || !text.startsWith("{")) return undefined
  return parseText(text)
}

const named = (text: string): string =>
  text.replaceAll(/\$(\w+)/g, (_, name: string) => (name === "N" ? numberPlaceholder : name.toUpperCase()))
