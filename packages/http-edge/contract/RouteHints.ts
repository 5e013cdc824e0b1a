import { findNearest } from "../json/Nearest.ts"
import type { RouteNode } from "./Route.ts"

/**
 * The longest path, in characters and in segments, that is compared with the routes: callers may send paths of many
 * kilobytes.
 */
const longestPath = 128
const mostSegments = 10

/** gaps-1 A "route_not_found message" */
const longestMessage = 256

/**
 * Returns the message of `route_not_found`: the method and the path as sent, then the methods of that path or the
 * nearest path of the contract. A hint that does not fit is left out. A-ERR-20, A-ERR-21
 */
export const explainMiss = (root: RouteNode, method: string, path: string): string => {
  const message = `No route matches ${method} ${printable(path.slice(0, longestMessage))}.`
  const methods = methodsAt(root, path)
  const takes = methods.length === 0 || methods.includes(method) ? "" : ` This path takes ${methods.join(", ")}.`
  const near = nearestPath(root, method, path, methods)
  const whole = `${message}${takes}${near === undefined ? "" : ` The nearest path is ${near}.`}`
  if (whole.length <= longestMessage) return whole
  return `${message.slice(0, longestMessage - takes.length)}${takes}`
}

/** Returns the methods of a path, in the order of their names; none for a path that no route has. */
export const methodsAt = (root: RouteNode, path: string): ReadonlyArray<string> =>
  [...(nodeAt(root, path)?.methods.keys() ?? [])].sort()

// A terminal or a log viewer may interpret a control character as a command.
const printable = (path: string): string =>
  path.replaceAll(
    /[^\x21-\x7e]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`
  )

const nearestPath = (
  root: RouteNode,
  method: string,
  path: string,
  methods: ReadonlyArray<string>
): string | undefined => {
  if (path.length > longestPath || methods.includes(method)) return undefined
  // An existing path may still be misspelt: POST /v1/media/upload matches the path of a file id.
  return nearest(root, path, methods.length === 0 ? undefined : method)
}

const nodeAt = (root: RouteNode, path: string): RouteNode | undefined => {
  let here: RouteNode | undefined = root
  for (const segment of path.slice(1).split("/")) {
    here = here?.statics.get(segment) ?? (segment === "" ? undefined : here?.parameter)
  }
  return here
}

/**
 * Returns the nearest path with its methods, also when `/v1` is missing or behind another segment; with `method`, only
 * a path that has it.
 */
const nearest = (root: RouteNode, path: string, method: string | undefined): string | undefined => {
  const segments = path.split("/").filter((segment) => segment !== "")
  if (segments.length === 0 || segments.length > mostSegments) return undefined
  const version = root.statics.get("v1")
  return (
    walk(root, segments[1] === "v1" ? segments.slice(1) : segments, method) ??
    (version && walk(version, segments, method))
  )
}

// A walk enters each node at most once, so that the number of routes limits its work.
const walk = (node: RouteNode, segments: ReadonlyArray<string>, method: string | undefined): string | undefined => {
  const [segment, ...rest] = segments
  if (segment === undefined) return contractPath(node, method)
  const known = node.statics.get(segment) ?? misspelt(node, segment)
  const found = known && walk(known, rest, method)
  return found ?? (node.parameter && walk(node.parameter, rest, method))
}

// A word of five letters may have two edits, since a plural takes that many.
const misspelt = (node: RouteNode, segment: string): RouteNode | undefined => {
  const most = Math.max(segment.length < 5 ? 1 : 2, Math.floor(segment.length / 4))
  const name = findNearest(segment, [...node.statics.keys()], most)
  return name === undefined ? undefined : node.statics.get(name)
}

const contractPath = (node: RouteNode, method: string | undefined): string | undefined => {
  const routes = [...node.methods.values()].flatMap(({ route }) => (route.kind === "operation" ? [route] : []))
  const [first] = routes
  if (first === undefined || (method !== undefined && !node.methods.has(method))) return undefined
  const methods = routes.map((route) => route.method).sort()
  return `${first.path.replaceAll(/:(\w+)/g, "{$1}")} (${methods.join(", ")})`
}
