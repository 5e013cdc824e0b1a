import ts from "typescript"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** Longest function of schema, runtime and packages, in lines; past it rules are lifted out. docs/style.md "The tree" */
const longestFunction = 120

/** Functions that are longer, by file and name: pages of the dashboard with their forms, and the owner of a number. */
const longer: Readonly<Record<string, string>> = {
  "runtime/dashboard/batches/BatchEditHttp.ts": "BatchEditHttp",
  "runtime/dashboard/billing/TopUpHttp.ts": "TopUpHttp",
  "runtime/dashboard/chat/ChatHttp.ts": "ChatHttp",
  "runtime/dashboard/connections/ConnectionsHttp.ts": "ConnectionsHttp",
  "runtime/dashboard/keys/ApiKeysHttp.ts": "ApiKeysHttp",
  "runtime/dashboard/projects/ProjectsHttp.ts": "ProjectsHttp",
  "runtime/dashboard/search/SearchHttp.ts": "makeFinders",
  "runtime/dashboard/webhooks/EndpointFormsHttp.ts": "EndpointFormsHttp",
  "runtime/dashboard/webhooks/EndpointHttp.ts": "EndpointHttp",
  "runtime/messages/number/PhoneNumberOwners.ts": "phoneNumberOwners"
}

/** Functions past the bound, and exceptions that no longer are. */
export const functionLengthProblems = (files: ReadonlyMap<string, string>): ReadonlyArray<Violation> => {
  const found = [...files].flatMap(([path, text]) => {
    const { area } = placeOf(path)
    const isHeld = area === "schema" || area === "runtime" || area === "packages"
    // A short file has no long function, and is not parsed.
    return isHeld && text.split("\n").length > longestFunction ? longFunctions(path, text) : []
  })
  const excepted = new Set(Object.entries(longer).map(([path, name]) => `${path} ${name}`))
  const known = new Set(found.map(({ name, path }) => `${path} ${name}`))
  return [
    ...found.flatMap(({ line, lines, name, path }) =>
      excepted.has(`${path} ${name}`)
        ? []
        : [{ path, line, rule: "short-functions", message: `${name} has ${lines} lines: lift its rules out` }]
    ),
    ...[...excepted].flatMap((one) => {
      const [path = "", name = ""] = one.split(" ")
      const message = `${name} is short: take it from test/house/FunctionLength.ts`
      return known.has(one) || !files.has(path) ? [] : [{ path, line: 1, rule: "short-functions", message }]
    })
  ]
}

interface LongFunction {
  readonly path: string
  readonly name: string
  readonly line: number
  readonly lines: number
}

/** Returns the outermost functions of a file that are past the bound, each by the name of what it is the value of. */
const longFunctions = (path: string, text: string): ReadonlyArray<LongFunction> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const found: Array<LongFunction> = []
  const visit = (node: ts.Node, above: string): void => {
    const name = nameOf(node, file) ?? above
    if (ts.isFunctionLike(node)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      const lines = file.getLineAndCharacterOfPosition(node.end).line + 2 - line
      if (lines > longestFunction) {
        found.push({ path, name, line, lines })
        return
      }
    }
    ts.forEachChild(node, (inner) => visit(inner, name))
  }
  visit(file, "")
  return found
}

const nameOf = (node: ts.Node, file: ts.SourceFile): string | undefined =>
  (ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node) || ts.isFunctionDeclaration(node)) &&
  node.name !== undefined
    ? node.name.getText(file)
    : undefined
