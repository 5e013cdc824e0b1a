import { parseTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Option, Schema } from "effect"
import { Argument, Flag } from "effect/cli"
import { Environments } from "../../access/Access.ts"
import { Organizations, unknownOrganization } from "../../access/Operator.ts"
import { EnvironmentNotFound } from "./Refusals.ts"

/** `--organization org_…`. */
export const organization = Flag.String("organization").pipe(
  Flag.withAlias("o"),
  Flag.withDescription("Id of the organization"),
  Flag.withMetavar("org_…")
)

/** The organization a command is about, which must be there. */
export const foundOrganization = Effect.fnUntraced(function* (id: string) {
  const found = yield* (yield* Organizations).find(id)
  return found ?? (yield* unknownOrganization())
})

/** `--environment env_…`. */
export const environment = Flag.String("environment").pipe(
  Flag.withAlias("e"),
  Flag.withDescription("Id of the environment"),
  Flag.withMetavar("env_…")
)

/** The environment a command is about, which must be there. */
export const foundEnvironment = Effect.fnUntraced(function* (id: string) {
  return (yield* (yield* Environments).findAnywhere(id)) ?? (yield* new EnvironmentNotFound())
})

/** An id as the first argument. */
export const idArgument = (name: string, about: string, metavar: string) =>
  Argument.String(name).pipe(Argument.withDescription(about), Argument.withMetavar(metavar))

/** `--limit`, within what a terminal takes. */
export const limit = Flag.Int("limit").pipe(
  Flag.withDescription("At most so many, newest first"),
  Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 }))),
  Flag.withDefault(50)
)

/** `--yes`, for what cannot be undone. */
export const yes = Flag.Boolean("yes").pipe(
  Flag.withDescription("Do it: this cannot be undone"),
  Flag.withDefault(false)
)

/** An instant in milliseconds from RFC 3339. */
export const instant = (name: string, about: string) =>
  Flag.String(name).pipe(
    Flag.withDescription(about),
    Flag.filterMap(
      (text) => Option.fromUndefinedOr(parseTimestamp(text)),
      () => "Expected a timestamp with a zone, such as 2027-01-31T00:00:00Z"
    ),
    Flag.optional
  )

/** Undefined for what was left out. */
export const orUndefined = Option.getOrUndefined
