import { Redacted, Result } from "effect"
import type * as Readers from "./Readers.ts"

/** One row of the table. */
export interface Setting<A> {
  readonly name: string
  /** For `--help`: what it is for. */
  readonly about: string
  /** For `--help`: what holds when the variable is absent. */
  readonly standard: string
  readonly read: Readers.Reader<A>
  /** The value when the variable is absent. */
  readonly absent: (production: boolean) => A
  readonly requiredInProduction: boolean
  /** Never shown, not even in a refusal. */
  readonly secret: boolean
  /** An empty text is a value of its own; elsewhere it counts as absent. */
  readonly emptyCounts: boolean
}

type Extra = Partial<Pick<Setting<unknown>, "requiredInProduction" | "secret" | "emptyCounts">>

/** A setting, with everything said about it. */
export const row = <A>(
  name: string,
  about: string,
  standard: string,
  read: Readers.Reader<A>,
  absent: Setting<A>["absent"],
  extra: Extra = {}
): Setting<A> => ({
  name,
  about,
  standard,
  read,
  absent,
  requiredInProduction: extra.requiredInProduction ?? false,
  secret: extra.secret ?? false,
  emptyCounts: extra.emptyCounts ?? false
})

/** A setting with a default, written as it would be in the environment. */
export const withDefault = <A>(
  name: string,
  standard: string,
  read: Readers.Reader<A>,
  about: string,
  extra?: Extra
) => {
  const value = Result.getOrThrow(read(standard))
  return row(name, about, standard, read, () => value, extra)
}

/** A setting that may be absent. */
export const optional = <A>(name: string, standard: string, read: Readers.Reader<A>, about: string, extra?: Extra) =>
  row<A | undefined>(name, about, standard, read, () => undefined, extra)

/** Wraps what a reader answers, so that it is not printed by mistake. */
export const redacted =
  <A>(read: Readers.Reader<A>): Readers.Reader<Redacted.Redacted<A>> =>
  (text) =>
    Result.map(read(text), (value) => Redacted.make(value))
