import ts from "typescript"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** Participles and places that say nothing of what a thing is. docs/style.md "Names" */
const emptyWords = new Set(["asked", "answered", "stored", "found", "told", "given", "place", "moved", "kept", "here"])

/** Words that as a type say even less, because half the types of a room are one. */
const emptyTypes = new Set([...emptyWords, "answer", "held", "known", "shown", "written"])

const mayHold = new RegExp(`\\b(?:${[...emptyTypes].join("|")})\\b`, "i")

/** Returns the types, exported names, and parameters of exported functions that are one of the empty words. */
export const vocabularyProblems = (files: ReadonlyMap<string, string>): ReadonlyArray<Violation> =>
  [...files].flatMap(([path, text]) => {
    const { area } = placeOf(path)
    const isHeld = (area === "schema" || area === "runtime" || area === "packages") && !path.includes("/generated/")
    return isHeld && mayHold.test(text) ? emptyNames(path, text) : []
  })

const emptyNames = (path: string, text: string): ReadonlyArray<Violation> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const problems: Array<Violation> = []
  const judge = (name: ts.Node, what: string, words = emptyWords) => {
    const word = name.getText(file)
    if (!ts.isIdentifier(name) || !words.has(word.toLowerCase())) return
    const line = file.getLineAndCharacterOfPosition(name.getStart(file)).line + 1
    problems.push({ path, line, rule: "one-word", message: `${what} ${word}: say what it is` })
  }
  // A function's body is its own matter: a callback of two lines may call its argument what it likes.
  const judgeParameters = (node: ts.Node): void => {
    if (ts.isParameter(node)) judge(node.name, "parameter")
    if (ts.isFunctionLike(node) && "body" in node) node.parameters.forEach(judgeParameters)
    else ts.forEachChild(node, judgeParameters)
  }
  const judgeTypes = (node: ts.Node): void => {
    if (isType(node) && node.name !== undefined) judge(node.name, "type", emptyTypes)
    ts.forEachChild(node, judgeTypes)
  }
  judgeTypes(file)
  for (const statement of file.statements) {
    if (!ts.canHaveModifiers(statement)) continue
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue
    for (const name of namesOf(statement)) judge(name, "exported name")
    judgeParameters(statement)
  }
  return problems
}

const isType = (node: ts.Node): node is ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration =>
  ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)

const namesOf = (statement: ts.Statement): ReadonlyArray<ts.Node> => {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations.map(({ name }) => name)
  return ts.isFunctionDeclaration(statement) && statement.name !== undefined ? [statement.name] : []
}
