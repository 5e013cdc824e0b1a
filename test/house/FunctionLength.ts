import ts from "typescript"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** Longest function of schema, runtime and packages, in lines; past it rules are lifted out. docs/style.md "The tree" */
const longestFunction = 120

/** Returns the functions past the bound. */
export const functionLengthProblems = (files: ReadonlyMap<string, string>): ReadonlyArray<Violation> =>
  [...files].flatMap(([path, text]) => {
    const { area } = placeOf(path)
    const isHeld = area === "schema" || area === "runtime" || area === "packages"
    // A short file has no long function, and is not parsed.
    return isHeld && text.split("\n").length > longestFunction ? longFunctions(path, text) : []
  })

/** Returns the outermost functions of a file that are past the bound, each by the name of what it is the value of. */
const longFunctions = (path: string, text: string): ReadonlyArray<Violation> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const found: Array<Violation> = []
  const visit = (node: ts.Node, above: string): void => {
    const name = nameOf(node, file) ?? above
    if (ts.isFunctionLike(node)) {
      const line = file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1
      const lines = file.getLineAndCharacterOfPosition(node.end).line + 2 - line
      if (lines > longestFunction) {
        found.push({ path, line, rule: "short-functions", message: `${name} has ${lines} lines: lift its rules out` })
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
