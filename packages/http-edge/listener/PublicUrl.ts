import { Context } from "effect"

/**
 * The address absolute URLs in bodies and links begin with, without a slash at its end; never taken from a request. It is
 * asked for when it is needed, as a listener on a free port learns its own only once it listens. gaps-1 A "Transport"
 */
export const PublicUrl = Context.Reference<() => string>("@carteiro/http-edge/listener/PublicUrl", {
  defaultValue: () => () => "http://127.0.0.1:8080"
})
