import { Context } from "effect"

/**
 * The address with which absolute URLs in bodies and links begin, without a trailing slash; never taken from a request.
 * It is a function because a listener on a free port learns its address only once it listens. gaps-1 A "Transport"
 */
export const PublicUrl = Context.Reference<() => string>("@carteiro/http-edge/listener/PublicUrl", {
  defaultValue: () => () => "http://127.0.0.1:8080"
})
