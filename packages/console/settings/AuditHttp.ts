import type { MemberResource } from "@carteiro/schema/access/MembersApi.ts"
import type { AuditEntry, AuditSettings } from "@carteiro/schema/audit/AuditLogApi.ts"
import { formatReais } from "@carteiro/spellings/Reais.ts"
import { Effect, Layer } from "effect"
import { environmentName } from "../kit/Environments.ts"
import { choiceFilter, textFilter } from "../kit/Filters.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, dottedWord, say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { organizationList } from "../kit/ListPage.ts"
import { addressOf, positionOf } from "../kit/Lists.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import { moment, none, personText, type Table, table } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

/** One change, with the name of its member and its environment. */
interface Entry {
  readonly entry: AuditEntry
  readonly member: string | undefined
  readonly environment: EnvironmentEntry | undefined
}

/** Who changed something in the console, on what and how; everybody of the organization may look. */
export const AuditHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { auditLog, members } = yield* Operations
    const { routes } = yield* organizationList({
      operation: "audit",
      path: "/dashboard/audit",
      title: "Audit log",
      section: "audit",
      filters: {
        action: textFilter("Action, such as member.added", 64),
        member: choiceFilter("Who", (visit) =>
          members.list(asVisitor(visit)).pipe(
            Effect.map(({ data }) => [
              ["operator", "An operator"] as const,
              ...data.map(({ id, name }) => [id, html`${name}`] as const)
            ]),
            Effect.orDie
          )
        )
      },
      read: Effect.fnUntraced(function* (_, { action, member }, before, count, visit) {
        const query = {
          ...positionOf(before, count),
          ...(action !== undefined && { action }),
          ...(member !== undefined && { member_id: member })
        }
        const { data: rows } = yield* auditLog.list(asVisitor(visit), { query })
        const { data: people } = yield* members.list(asVisitor(visit))
        const environments = yield* visit.environments
        return {
          rows: rows.map(
            (entry): Entry => ({
              entry,
              member: entry.member_id === null ? "operator" : nameOf(people, entry.member_id),
              environment: environments.find((one) => one.id === entry.environment_id)
            })
          ),
          walked_to: null
        }
      }),
      idOf: ({ entry }: Entry) => entry.id,
      table: (rows, _, nothing) => entryTable(rows, nothing),
      file: {
        id: ({ entry }) => entry.id,
        created_at: ({ entry }) => entry.created_at,
        member_id: ({ entry }) => entry.member_id,
        member: ({ member }) => member,
        ...membersOf(
          ({ entry }: Entry) => entry,
          "action",
          "subject",
          "environment_id",
          "before",
          "after",
          "request_id"
        )
      },
      empty: () => ({
        purpose: say("Changes that people and operators make: who, what, on what, and how it was before.")
      }),
      around: () =>
        Effect.succeed({
          before: html`<p>Changes that people made here and operators by command, kept for 400 days. Calls with an API key are in the request log.</p>`
        })
    })
    return routes
  })
)

const nameOf = (people: ReadonlyArray<MemberResource>, id: string): string | undefined =>
  people.find((member) => member.id === id)?.name

const entryTable = (rows: ReadonlyArray<Entry>, nothing: Piece): Table =>
  table(
    "Changes, newest first",
    ["When", "Who", "Action", "On", "Change"],
    rows.map(({ entry, environment, member }) => [
      moment(entry.created_at),
      entry.member_id === null
        ? say("an operator")
        : personText(html`<a href="/dashboard/members/${entry.member_id}">${member ?? entry.member_id}</a>`),
      html`${dottedWord(entry.action)} <code>${entry.action}</code>`,
      on(entry, environment),
      changeOf(entry)
    ]),
    nothing
  )

/** Returns the thing that was changed, found by the search, and its environment. */
const on = ({ subject }: AuditEntry, environment: EnvironmentEntry | undefined): Piece => {
  return [
    subject === null
      ? none("the organization")
      : html`<a href="${addressOf("/dashboard/search", { q: subject })}"><code>${subject}</code></a>`,
    environment && html` ${none(environmentName(environment))}`
  ]
}

const changeOf = ({ after, before }: AuditEntry): Piece => {
  const all = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  const names = [...all].filter((name) => before?.[name] !== after?.[name])
  return names.length === 0 ? none("none kept") : names.map((name) => html`<div>${changed(name, before, after)}</div>`)
}

const changed = (name: string, before: AuditSettings | null, after: AuditSettings | null): Html => {
  const [old, now] = [before?.[name], after?.[name]]
  return personText(
    html`${contractWord(name)}: ${old !== undefined && html`<del>${settingPiece(name, old)}</del> `}${now !== undefined && html`<strong>${settingPiece(name, now)}</strong>`}`
  )
}

/** Settings whose values are words of the contract; those of all others are names, ids and what a person typed. */
const worded: ReadonlySet<string> = new Set([
  "active",
  "command",
  "decision",
  "disposition",
  "enabled",
  "role",
  "status",
  "submitted",
  "turn"
])

/** Returns the value of a setting as people say it. */
const settingPiece = (name: string, value: string): Piece => {
  if (value === "") return say("empty")
  if (name.endsWith("_brl")) return formatReais(value)
  if (!worded.has(name)) return value
  return value === "true" || value === "yes" ? say("yes") : value === "false" ? say("no") : contractWord(value)
}
