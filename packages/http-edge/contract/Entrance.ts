import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { Effect } from "effect"
import { nobody } from "../admission/Admission.ts"
import type { LetIn } from "../admission/LetIn.ts"
import type { ApiRequest, Credentials, UncalledRequest } from "./ApiRequest.ts"
import type { BytesReply, Reply } from "./Reply.ts"

/** The response of a handler. The context of its route holds the services that it requires. */
export type HandlerReply = Effect.Effect<Reply | BytesReply, ApiError>

/** A handler as a room writes it. */
export type Handler = (request: ApiRequest<unknown, unknown, unknown>) => HandlerReply

/**
 * The way in which an operation learns its caller. Its handler is only reachable through it: a handler behind a key
 * needs an admitted caller, and a handler behind other credentials is made only once they are valid.
 */
export type Entrance =
  | { readonly by: "key" | "person"; readonly handle: (request: UncalledRequest, caller: LetIn) => HandlerReply }
  | {
      readonly by: "itself"
      readonly authenticate: (
        credentials: Credentials
      ) => Effect.Effect<(request: UncalledRequest) => HandlerReply, ApiError>
    }
  | { readonly by: "nobody"; readonly handle: (request: UncalledRequest) => HandlerReply }

/**
 * One handler of a route with its own credential instead of a key. `authenticate` refuses, or returns the handler of
 * this one request, made from the credential.
 */
export class Authenticated<Request, R = never> {
  readonly authenticate: (
    credentials: Credentials
  ) => Effect.Effect<(request: Request) => Effect.Effect<Reply | BytesReply, ApiError, R>, ApiError>

  constructor(authenticate: Authenticated<Request, R>["authenticate"]) {
    this.authenticate = authenticate
  }
}

/** Returns the entrance of a route with its handler behind it. */
export const entranceOf = (
  handler: Handler | Authenticated<ApiRequest<unknown, unknown, unknown>>,
  authentication: Entrance["by"]
): Entrance => {
  if (handler instanceof Authenticated) {
    return {
      by: "itself",
      authenticate: (credentials) =>
        Effect.map(handler.authenticate(credentials), (handle) => (request) => handle({ ...request, caller: nobody }))
    }
  }
  return authentication === "key" || authentication === "person"
    ? { by: authentication, handle: (request, caller) => handler({ ...request, caller: caller.admitted.caller }) }
    : { by: "nobody", handle: (request) => handler({ ...request, caller: nobody }) }
}
