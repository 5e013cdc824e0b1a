import { createHmac } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { bodySchema, description, operations } from "../contract/Described.ts"
import { violations } from "../contract/JsonSchema.ts"
import { blocksOf, documents, helper, read } from "./GuideBlocks.ts"

const shellOf = (guide: string): string => blocksOf(guide).join("\n")

/** Stands for what a variable of the shell holds, which no guide knows. */
const unknown = "$"

interface Sent {
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** Every body that a guide sends to a route, variables and functions of the shell left out. */
const sentBy = (guide: string): ReadonlyArray<Sent> => {
  const text = shellOf(guide)
  const found: Array<Sent> = []
  let after = 0
  for (const match of text.matchAll(/-d '(\{(?:[^']|'\$\w+')*)'/g)) {
    const before = text.slice(after, match.index)
    after = match.index + match[0].length
    const path = [...before.matchAll(/(?:\b(?:api|live) ['"]?|\$(?:URL|BASE)\/v1\/)([a-z][\w/$-]*)/g)].at(-1)
    // A function of the guide's own takes the rest of the body; a simulator is no route.
    if (path === undefined || before.slice(path.index).includes("simulators")) continue
    if (/'"?\$[1({]/.test(text.slice(match.index, after + 6))) continue
    const method = /-X (\w+)/.exec(before.slice(before.lastIndexOf("\n", path.index) + 1))?.[1] ?? "POST"
    const json = (match[1] ?? "").replaceAll(/(?<!")'\$\w+'/g, `"${unknown}"`).replaceAll(/'\$\w+'/g, unknown)
    found.push({ method, path: `/v1/${path[1]}`, body: JSON.parse(json) })
  }
  return found
}

const operationOf = ({ method, path }: Sent) =>
  operations.find((one) => {
    const segments = one.path.split("/")
    const asked = path.split("/")
    return (
      one.method === method &&
      segments.length === asked.length &&
      segments.every((segment, at) => segment === asked[at] || (segment.startsWith("{") && asked[at]?.startsWith("$")))
    )
  })

/** What stands at such a place as `$.message.text`. */
const at = (place: string, body: unknown): unknown =>
  place
    .split(".")
    .slice(1)
    .reduce((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], body)

describe.each(documents)("%s", (guide) => {
  it("sends bodies that its routes accept", () => {
    for (const sent of sentBy(guide)) {
      const route = operationOf(sent)
      const schema = route && bodySchema(route)
      if (schema === undefined) throw new Error(`${sent.method} ${sent.path} takes no body`)
      const broken = violations(sent.body, schema, description.components.schemas).filter((violation) => {
        const value = at(violation.split(": ", 1)[0] ?? "", sent.body)
        return typeof value !== "string" || !value.includes(unknown)
      })
      assert.deepStrictEqual(broken, [], `${sent.method} ${sent.path}`)
    }
  })

  it("uses only variables of the shell that it or the helper sets", () => {
    const blocks = shellOf(guide)
    // A secret is typed before a block: the text tells how.
    const typed = [...read(guide).matchAll(/`read -rs (\w+)`/g)].map(([, name]) => `${name}=`).join("\n")
    const set = `${/^\. docs\/api\.sh/m.test(blocks) ? read(helper) : ""}\n${blocks}\n${typed}`
    for (const [, name = ""] of blocks.matchAll(/\$\{?([A-Za-z]\w*)/g)) {
      assert.match(set, new RegExp(`\\b(?:${name}=|for ${name} in)`), `$${name}`)
    }
  })
})

it("the signature in the quickstart is that of its secret, timestamp and body A-SIG-09", () => {
  const rows = /\| secret \| `(.*?)` \|\n.*?`(\d+)` \|\n\| raw body \| `(.*?)` .*\n.*?`([0-9a-f]{64})`/.exec(
    read("docs/quickstart.md")
  )
  const [, secret = "", timestamp = "", body = "", signature = ""] = rows ?? []
  assert.strictEqual(createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex"), signature)
})
