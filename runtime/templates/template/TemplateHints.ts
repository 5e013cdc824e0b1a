import { findNearest } from "@carteiro/http-edge/Json.ts"
import { many } from "@carteiro/tables/Read.ts"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** The number of an environment's newest templates that are searched for a similar name. */
const newest = 1000
/** The most names of a similar length that are compared. */
const mostCompared = 100
/** The most languages that are listed. */
const mostLanguages = 20

/**
 * Suggests a template to a caller who named one that does not exist. It runs for the refusal only, and reads a bounded
 * number of rows.
 */
export class TemplateHints extends Context.Service<
  TemplateHints,
  {
    /**
     * Returns the message of the refusal: the languages of the template of that name, else the nearest name; undefined when
     * neither is known. gaps-2 B "Template resolution"
     */
    forMissing(environmentId: string, name: string): Effect.Effect<string | undefined>
  }
>()("@carteiro/runtime/templates/template/TemplateHints") {
  static readonly layer = Layer.effect(
    this,
    Effect.map(SqlClient.SqlClient, (sql) =>
      TemplateHints.of({
        forMissing: Effect.fnUntraced(function* (environmentId, name) {
          const languages = yield* many(
            sql<{ readonly language: string }>`select language from templates
              where environment_id = ${environmentId} and name = ${name} and deleted_at is null
              order by language limit ${mostLanguages}`,
            ({ language }) => language
          )
          if (languages.length > 0) {
            return `The template of this name has no such language; it has ${languages.join(", ")}.`
          }
          const names = yield* many(
            sql<{ readonly name: string }>`select distinct t.name from (
                select name, deleted_at from templates where environment_id = ${environmentId}
                order by id desc limit ${newest}) t
              where t.deleted_at is null
                and abs(length(t.name) - ${name.length}::int4) <= greatest(1, ${name.length}::int4 / 4)
              order by t.name limit ${mostCompared}`,
            (row) => row.name
          )
          const nearest = findNearest(name, names)
          return nearest === undefined
            ? undefined
            : `No template of this environment has this name. Did you mean \`${nearest}\`?`
        })
      })
    )
  )
}
