import ts from "typescript"
import { placeOf } from "./Places.ts"
import type { Violation } from "./WordingRules.ts"

/** A condition that reads an instant or walks over months. */
const overTime = /\bnow\b|\bdueAt\(|\bmonth[A-Z]?\w*\b/u
/** A condition that also counts: a length, a count, or a named bound. */
const counted = /\.length\b|\.size\b|\bcount\b|\w+Count\b|\bmost[A-Z]\w*\b/u

/**
 * Returns the loops of schema, runtime and packages that go over time without a bound: the condition reads an instant or
 * a month, counts nothing, and the body never waits. At the end of what a date can hold such a loop stands still, and
 * with it the node. gaps-1 "Sandbox clock"
 */
export const timeLoopProblems = (files: ReadonlyMap<string, string>): ReadonlyArray<Violation> =>
  [...files].flatMap(([path, text]) => {
    const { area } = placeOf(path)
    const isHeld = area === "schema" || area === "runtime" || area === "packages"
    return isHeld && /\b(?:while|for) ?\(/u.test(text) ? loopsOf(path, text) : []
  })

const loopsOf = (path: string, text: string): ReadonlyArray<Violation> => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const violations: Array<Violation> = []
  const visit = (node: ts.Node): void => {
    const condition = conditionOf(node)?.getText(file)
    if (condition !== undefined && overTime.test(condition) && !counted.test(condition) && !waits(node)) {
      violations.push({
        path,
        line: file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1,
        rule: "bounded-time-loops",
        message: `the loop over \`${condition}\` has no bound: count its rounds (\`mostMonths\`, \`.length\`)`
      })
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return violations
}

const conditionOf = (node: ts.Node): ts.Expression | undefined =>
  ts.isForStatement(node)
    ? node.condition
    : ts.isWhileStatement(node) || ts.isDoStatement(node)
      ? node.expression
      : undefined

/** True when a round gives the event loop a turn. */
const waits = (loop: ts.Node): boolean => {
  let hasWait = false
  const visit = (node: ts.Node): void => {
    hasWait ||= ts.isYieldExpression(node) || ts.isAwaitExpression(node)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  ts.forEachChild(loop, visit)
  return hasWait
}
