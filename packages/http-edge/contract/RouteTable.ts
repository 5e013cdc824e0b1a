import { Context, Layer } from "effect"
import type { Route, RouteLeaf, RouteNode } from "./Route.ts"
import { explainMiss, methodsAt } from "./RouteHints.ts"

/** The route of a request's path and method. */
export interface Match {
  readonly route: Route
  readonly params: { readonly [name: string]: string }
}

/**
 * Holds every route of the process; the layers fill it as they are built. Operations of people stand apart: no request from
 * outside matches them, and no hint names them. Static segments win over parameters for every
 * method, so that `listen` is never read as an id. Paths are case-sensitive, a trailing slash has no match, and HEAD is
 * treated as GET. gaps-1 A "Methods, trailing slash, HEAD, OPTIONS", A-ERR-20
 */
export class RouteTable extends Context.Service<
  RouteTable,
  {
    /** Adds a route; adding a method and path twice is a defect. */
    add(route: Route): void
    /**
     * Sends unmatched paths to the route of `path`, whose last segment is its one parameter, when `accepts` takes the
     * text in its place, slashes included.
     */
    tail(tail: Tail): void
    match(method: string, path: string): Match | undefined
    /** Returns the route of a call that a signed-in person makes within the process: also an operation of people. */
    matchForPerson(method: string, path: string): Match | undefined
    /** Returns the message for a request without a match, which suggests what the caller may have meant. */
    explainMiss(method: string, path: string): string
    /** Returns the methods of a path, in the order of their names; none for an unknown path. */
    methodsAt(path: string): ReadonlyArray<string>
    /** Returns every route that a request from outside may match. */
    routes(): ReadonlyArray<Route>
  }
>()("@carteiro/http-edge/contract/RouteTable") {
  static readonly layer = Layer.sync(RouteTable, () => RouteTable.of(makeRouteTable()))
}

/** A second form of path for a route. */
interface Tail {
  readonly method: string
  readonly path: string
  readonly accepts: (tail: string) => boolean
}

const node = (): RouteNode => ({ statics: new Map(), parameter: undefined, prefix: undefined, methods: new Map() })

const makeRouteTable = (): RouteTable["Service"] => {
  const root = node()
  const people = node()
  const routes: Array<Route> = []
  const tails: Array<Tail> = []

  const add = (route: Route) => {
    const names: Array<string> = []
    const isForPeople = route.kind === "operation" && route.entrance.by === "person"
    let here = isForPeople ? people : root
    for (const segment of route.path.slice(1).split("/")) {
      if (segment.startsWith(":")) {
        names.push(segment.slice(1))
        here.parameter ??= node()
        here = here.parameter
      } else {
        const next = here.statics.get(segment) ?? node()
        here.statics.set(segment, next)
        here = next
      }
    }
    if (route.kind === "mount") here.prefix = route
    else {
      if (here.methods.has(route.method)) throw new Error(`Two routes for ${route.method} ${route.path}`)
      here.methods.set(route.method, { route, names })
    }
    if (!isForPeople) routes.push(route)
  }

  const match = (method: string, path: string): Match | undefined => found(root, method, path) ?? behind(method, path)

  const behind = (method: string, path: string): Match | undefined => {
    for (const tail of tails) {
      const at = tail.path.lastIndexOf("/") + 1
      if (tail.method !== method || !path.startsWith(tail.path.slice(0, at))) continue
      const rest = decodeSegment(path.slice(at))
      const route = tail.accepts(rest) ? found(root, method, tail.path)?.route : undefined
      if (route !== undefined) return { route, params: { [tail.path.slice(at + 1)]: rest } }
    }
    return undefined
  }

  const found = (tree: RouteNode, method: string, path: string): Match | undefined => {
    let here = tree
    let mounted: Route | undefined
    const values: Array<string> = []
    let start = 1
    while (start <= path.length) {
      const slash = path.indexOf("/", start)
      const end = slash < 0 ? path.length : slash
      const segment = path.slice(start, end)
      const fixed = here.statics.get(segment)
      if (fixed !== undefined) here = fixed
      else if (here.parameter !== undefined && segment !== "") {
        here = here.parameter
        values.push(segment)
      } else return mounted === undefined ? undefined : { route: mounted, params: {} }
      mounted = here.prefix ?? mounted
      start = end + 1
    }
    const leaf = here.methods.get(method) ?? (method === "HEAD" ? headOf(here) : undefined)
    if (leaf === undefined) return mounted === undefined ? undefined : { route: mounted, params: {} }
    const params: Record<string, string> = {}
    for (let index = 0; index < values.length; index++) {
      params[leaf.names[index] as string] = decodeSegment(values[index] as string)
    }
    return { route: leaf.route, params }
  }

  return {
    add,
    tail: (tail) => void tails.push(tail),
    match,
    matchForPerson: (method, path) => found(people, method, path) ?? match(method, path),
    explainMiss: (method, path) => explainMiss(root, method, path),
    methodsAt: (path) => methodsAt(root, path),
    routes: () => routes
  }
}

const headOf = (here: RouteNode): RouteLeaf | undefined => {
  const leaf = here.methods.get("GET")
  return leaf?.route.kind === "operation" && leaf.route.traits.noHead === true ? undefined : leaf
}

// A path id of any other shape is the resource's own 404 (gaps-1 A "Identifier format"), so no segment makes the route
// itself unknown. A malformed escape stays as sent. A NUL, which PostgreSQL takes in no text, becomes a character that
// no id holds.
const decodeSegment = (segment: string): string => {
  if (!segment.includes("%")) return segment
  try {
    return decodeURIComponent(segment).replaceAll("\u0000", "\ufffd")
  } catch {
    return segment
  }
}
