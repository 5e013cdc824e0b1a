import { globSync, readFileSync } from "node:fs"
import { segmentsOf } from "@carteiro/html/Segments.ts"
import { memberRoles } from "@carteiro/runtime/access/Operator.ts"
import ts from "typescript"

const root = new URL("../../packages/", import.meta.url)
const files = globSync("console/**/*.{ts,js}", { cwd: root }).filter(
  // Guides and the gallery are read in English, and the answers of one file go to programs.
  (file) =>
    !file.startsWith("console/docs/") &&
    !file.startsWith("console/kit/design/") &&
    !file.startsWith("console/gallery/") &&
    !file.endsWith("SetupDecisionsHttp.ts")
)

const sources = files.map((file) => {
  const text = readFileSync(new URL(file, root), "utf8")
  return { file, text, tree: ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true) }
})

const walk = (node: ts.Node, visit: (node: ts.Node) => void): void => {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

const isLiteral = (node: ts.Node): node is ts.StringLiteralLike =>
  ts.isStringLiteralLike(node) && !ts.isImportDeclaration(node.parent) && !ts.isTaggedTemplateExpression(node.parent)

const partsOf = ({ template }: ts.TaggedTemplateExpression): ReadonlyArray<string> =>
  ts.isNoSubstitutionTemplateLiteral(template)
    ? [template.text]
    : [template.head.text, ...template.templateSpans.map(({ literal }) => literal.text)]

const isMarkup = (node: ts.Node): node is ts.TaggedTemplateExpression =>
  ts.isTaggedTemplateExpression(node) && node.tag.getText() === "html"

/** A literal that reads as a sentence: a refusal, a notice, a hint. */
const isSentence = (text: string): boolean => /^\p{Lu}[^=]* .*[.?!]$/u.test(text)

/** Returns the texts that the console's sources hold, each with its file; labels are held by their type. */
export const consoleTexts = (): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const { file, text, tree } of sources) {
    for (const [, said = ""] of text.matchAll(/\btr\("([^"]*)"\)/g)) texts.set(said, file)
    walk(tree, (node) => {
      if (isMarkup(node))
        for (const part of segmentsOf(partsOf(node))) if (typeof part === "object") texts.set(part.text, file)
      if (isLiteral(node) && isSentence(node.text)) texts.set(node.text, file)
    })
  }
  return texts
}

const shownToo = [
  "../runtime/provider-connections/connection/Remedies.ts",
  "../schema/conventions/Access.ts",
  "../schema/conventions/SharedErrors.ts",
  "../schema/access/DeviceDecisionErrors.ts"
]

/** Returns the texts that sources of the console, or of what it shows, have between quotes. */
export const quotedTexts = (): ReadonlySet<string> => {
  const texts = new Set<string>()
  const others = shownToo.map((file) =>
    ts.createSourceFile(file, readFileSync(new URL(file, root), "utf8"), ts.ScriptTarget.Latest, true)
  )
  for (const tree of [...sources.map((source) => source.tree), ...others])
    walk(tree, (node) => {
      if (isLiteral(node)) texts.add(node.text.replaceAll("_", " "))
      if (ts.isPropertyAssignment(node)) texts.add(node.name.getText().replaceAll("_", " "))
    })
  return texts
}

/** Members of the API whose words pages show. */
const shownMembers =
  /status|kind|role|state$|decision|lifecycle|severity|category|direction|quality_rating|^type$|^warning$|source_type/

/** Returns the words of the contract that pages show, as people say them. */
export const contractWords = (): ReadonlySet<string> => {
  const words = new Set<string>(memberRoles)
  const look = (node: unknown, name: string): void => {
    if (typeof node !== "object" || node === null) return
    if (!Array.isArray(node) && shownMembers.test(name) && "enum" in node && Array.isArray(node.enum))
      for (const word of node.enum) if (/^[a-z_]+$/.test(word ?? "")) words.add(String(word).replaceAll("_", " "))
    for (const [key, child] of Object.entries(node))
      look(child, /^(?:\d+|items|anyOf|oneOf|allOf|schema)$/.test(key) ? name : key)
  }
  look(JSON.parse(readFileSync(new URL("../schema/openapi.json", root), "utf8")), "")
  return words
}

/** Returns the literals that stand as plain values where people read, each with its place: the catalog would miss them. */
export const bareTexts = (): ReadonlyArray<string> => {
  const bare: Array<string> = []
  const look = (file: string, node: ts.Expression): void => {
    const into = (...nodes: ReadonlyArray<ts.Expression>) => {
      for (const one of nodes) look(file, one)
    }
    if (isLiteral(node) && /\p{Ll}/u.test(node.text)) bare.push(`${file}: ${node.text}`)
    else if (ts.isTemplateExpression(node) && /\p{Ll}/u.test(node.getText().replaceAll(/\$\{[^}]*\}/g, "")))
      bare.push(`${file}: ${node.getText()}`)
    else if (ts.isParenthesizedExpression(node)) into(node.expression)
    else if (ts.isConditionalExpression(node)) into(node.whenTrue, node.whenFalse)
    else if (ts.isBinaryExpression(node) && /^(?:&&|\|\||\?\?)$/.test(node.operatorToken.getText())) into(node.right)
    else if (ts.isArrayLiteralExpression(node)) into(...node.elements)
    else if (ts.isCallExpression(node) && node.expression.getText().endsWith(".map"))
      mapped(node).forEach((one) => into(one))
  }
  for (const { file, tree } of sources)
    walk(tree, (node) => {
      for (const one of readable(node)) look(file, one)
    })
  return bare
}

/** Returns the expressions of a node whose values people read. */
const readable = (node: ts.Node): ReadonlyArray<ts.Expression> => {
  if (isMarkup(node) && ts.isTemplateExpression(node.template)) {
    const parts = partsOf(node)
    const read = new Set(segmentsOf(parts).flatMap((part) => (typeof part === "object" ? part.places : [])))
    return node.template.templateSpans
      .filter((_, index) => read.has(index) || isBetweenTags(parts, index))
      .map(({ expression }) => expression)
  }
  if (!ts.isCallExpression(node)) return []
  const name = node.expression.getText()
  if (name === "table") return node.arguments.slice(2)
  if (name !== "facts" || node.arguments[0] === undefined || !ts.isArrayLiteralExpression(node.arguments[0])) return []
  return node.arguments[0].elements.flatMap((entry) =>
    ts.isArrayLiteralExpression(entry) ? entry.elements.slice(1) : []
  )
}

const isBetweenTags = (parts: ReadonlyArray<string>, index: number): boolean =>
  /(?:^|>)[^<]*$/.test(parts.slice(0, index + 1).join("")) && !/^\s*[a-z-]+="/.test(parts[0] ?? "")

const mapped = (call: ts.CallExpression): ReadonlyArray<ts.Expression> => {
  const [make] = call.arguments
  return make !== undefined && ts.isArrowFunction(make) && !ts.isBlock(make.body) ? [make.body] : []
}

/** Returns the trees of files below the packages, the schema and the runtime. */
const treesOf = (...patterns: ReadonlyArray<string>): ReadonlyArray<ts.SourceFile> => {
  const top = new URL("../", root)
  return patterns
    .flatMap((pattern) => globSync(pattern, { cwd: top }))
    .map((file) => ts.createSourceFile(file, readFileSync(new URL(file, top), "utf8"), ts.ScriptTarget.Latest, true))
}

const memberOf = (literal: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined =>
  literal.properties.filter((one) => ts.isPropertyAssignment(one)).find((one) => one.name.getText() === name)
    ?.initializer

/** A refusal that a room raises with another sentence than the one of its class. */
interface RaisedRefusal {
  readonly code: string
  readonly param: string | undefined
  readonly message: string
}

/** Returns the refusals whose own sentence stands where they are raised, by the classes that declare them. */
export const raisedRefusals = (): ReadonlyArray<RaisedRefusal> => {
  const trees = treesOf("schema/**/*.ts", "runtime/*/**/*.ts", "packages/console/**/*.ts")
  const codes = new Map<string, string>()
  for (const tree of trees)
    walk(tree, (node) => {
      const base = ts.isClassDeclaration(node) ? node.heritageClauses?.[0]?.types[0]?.expression : undefined
      if (base === undefined || !ts.isCallExpression(base) || base.expression.getText() !== "apiError") return
      const [code] = base.arguments
      if (code !== undefined && ts.isStringLiteral(code))
        codes.set((node as ts.ClassDeclaration).name?.text ?? "", code.text)
    })
  const raised: Array<RaisedRefusal> = []
  for (const tree of trees.filter(({ fileName }) => !fileName.startsWith("runtime/cli/")))
    walk(tree, (node) => {
      const code = ts.isNewExpression(node) ? codes.get(node.expression.getText()) : undefined
      const [members] = ts.isNewExpression(node) ? (node.arguments ?? []) : []
      if (code === undefined || members === undefined || !ts.isObjectLiteralExpression(members)) return
      const message = memberOf(members, "message")
      const param = memberOf(members, "param")
      const isNamed = param !== undefined && ts.isStringLiteral(param)
      // A sentence with values is said by its parameter; one that is made elsewhere is said by its code.
      if (message !== undefined && (ts.isStringLiteral(message) || isNamed))
        raised.push({
          code,
          param: isNamed ? param.text : undefined,
          message: ts.isStringLiteral(message) ? message.text : message.getText()
        })
    })
  return raised
}

/** Returns the actions of the audit log: those of forms and those of operator commands. */
export const auditActions = (): ReadonlySet<string> => {
  const actions = new Set<string>()
  const literals = (node: ts.Node) =>
    walk(node, (one) => {
      if (ts.isStringLiteral(one) && /^[a-z_]+\.[a-z_]+$/.test(one.text)) actions.add(one.text)
    })
  for (const tree of treesOf("packages/console/**/*.ts", "runtime/cli/commands/*.ts"))
    walk(tree, (node) => {
      if (ts.isPropertyAssignment(node) && /^(?:audit|action)$/.test(node.name.getText())) literals(node.initializer)
    })
  return actions
}

/** Returns the codes of remarks on what people write: a template's text, a number's name. */
export const remarkCodes = (): ReadonlySet<string> => {
  const codes = new Set<string>()
  for (const tree of treesOf(
    "runtime/templates/template/AuthoringSignals.ts",
    "runtime/phone-numbers/number/NameWarnings.ts"
  ))
    walk(tree, (node) => {
      if (!ts.isCallExpression(node) || !/^(?:signal|warning)$/.test(node.expression.getText())) return
      const code = node.arguments.find((one) => ts.isStringLiteral(one))
      if (code !== undefined) codes.add((code as ts.StringLiteral).text)
    })
  return codes
}

/** Returns the reasons for which a guard holds a marketing message back. */
export const guardReasons = (): ReadonlySet<string> => {
  const reasons = new Set<string>()
  for (const tree of treesOf("runtime/messages/guards/MarketingGuard.ts"))
    walk(tree, (node) => {
      if (!ts.isTypeAliasDeclaration(node) || node.name.text !== "GuardReason") return
      walk(node, (one) => {
        if (ts.isStringLiteral(one)) reasons.add(one.text)
      })
    })
  return reasons
}
