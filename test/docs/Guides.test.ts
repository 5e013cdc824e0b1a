import { readFileSync } from "node:fs"
import { assert, it } from "@effect/vitest"

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8")
const { paths } = JSON.parse(read("schema/openapi.json")) as { readonly paths: Readonly<Record<string, object>> }

/** Every request that the blocks of a guide make, its ids and queries taken out. */
const requestsOf = (guide: string): ReadonlyArray<readonly [method: string, path: string]> => {
  const blocks = [...read(guide).matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block).join("\n")
  return [...blocks.matchAll(/\bapi ['"]?([a-z][\w/$-]*)[^\n|)]*/g)].map(([call, path = ""]) => {
    const method = /-X (\w+)/.exec(call)?.[1] ?? (/ -d /.test(call) ? "POST" : "GET")
    return [method.toLowerCase(), `/v1/${path}`.replaceAll(/\$\w+/g, "{}").replace(/\/$/, "/{}")] as const
  })
}

const known = new Map(
  Object.entries(paths).map(([path, methods]) => [path.replaceAll(/\{[^}]+\}/g, "{}"), Object.keys(methods)])
)

it.each(["docs/connections.md", "docs/groups.md"])("%s calls routes that exist", (guide) => {
  const requests = requestsOf(guide)
  assert.isAbove(requests.length, 6)
  for (const [method, path] of requests) assert.include(known.get(path) ?? [], method, `${method} ${path}`)
})
