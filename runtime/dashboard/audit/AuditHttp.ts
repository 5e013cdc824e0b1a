import { type RawRequest, Routes } from "@carteiro/http-edge/Routes.ts"
import { formatTimestamp } from "@carteiro/schema/conventions/Timestamp.ts"
import { Effect, Layer } from "effect"
import { type EnvironmentEntry, type Member, Members } from "../../access/Access.ts"
import { type AuditEntry, AuditLog, type AuditSelection, type AuditSettings } from "../../audit/Audit.ts"
import { csvReply } from "../kit/Csv.ts"
import { environmentName } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { addressOf, cutPage, pageRows } from "../kit/Lists.ts"
import { page, send, signInAddress, visitOf } from "../kit/Pages.ts"
import { given, input, moment, none, pager, select, table } from "../kit/Parts.ts"

const address = "/dashboard/audit"

/** Rows of an export; the filters and `before` reach the older ones. */
const exportRows = 10_000

/** Who changed something in the console, on what and how; everybody of the organization may look. */
export const AuditHttp = Layer.unwrap(
  Effect.gen(function* () {
    const log = yield* AuditLog
    const members = yield* Members

    const download = Effect.fnUntraced(function* (request: RawRequest) {
      const visit = yield* visitOf(request)
      if (visit === undefined) return send({ to: signInAddress }, undefined)
      const rows = yield* log.list(visit.organizationId, selectionOf(request), exportRows)
      const people = yield* members.list(visit.organizationId)
      const columns = ["id", "created_at", "member_id", "member", "action", "subject"]
      return csvReply(
        "audit-log",
        [...columns, "environment_id", "before", "after", "request_id"],
        rows.map((row) => [
          row.id,
          formatTimestamp(row.created_at),
          row.member_id,
          nameOf(people, row.member_id) ?? null,
          row.action,
          row.subject,
          row.environment_id,
          row.before && JSON.stringify(row.before),
          row.after && JSON.stringify(row.after),
          row.request_id
        ])
      )
    })

    return Layer.mergeAll(
      page({
        operation: "audit",
        path: address,
        handler: Effect.fnUntraced(function* (visit) {
          const wanted = selectionOf(visit.request)
          const { last, shown } = cutPage(yield* log.list(visit.organizationId, wanted, pageRows + 1))
          const people = yield* members.list(visit.organizationId)
          const here = { action: wanted.action, member: wanted.member_id }
          const older = last && addressOf(address, { ...here, before: last.id })
          return {
            title: "Audit log",
            section: "audit",
            body: html`<p>Changes that people made here, kept for 400 days. Calls with an API key are in the request log.</p>
${filters(wanted, people)}
<p><a class="button" href="${addressOf(`${address}/export`, here)}">Download as CSV</a></p>
${entryTable(shown, people, yield* visit.environments)}
${pager("changes", wanted.before && addressOf(address, here), older)}`
          }
        })
      }),
      Routes.raw({
        operation: "console.auditExport",
        method: "GET",
        path: `${address}/export`,
        handler: download
      })
    )
  })
)

const selectionOf = (request: RawRequest): AuditSelection => ({
  action: asked(request, "action")?.trim(),
  member_id: asked(request, "member"),
  before: asked(request, "before")
})

const nameOf = (people: ReadonlyArray<Member>, id: string): string | undefined =>
  people.find((member) => member.id === id)?.name

const filters = ({ action, member_id }: AuditSelection, people: ReadonlyArray<Member>): Html =>
  html`<form method="get" action="${address}" class="search" role="search">
${input({ name: "action", label: "Action, such as member.added", value: action ?? "", plain: true, maxLength: 64 })}
${select({
  name: "member",
  label: "Who",
  choices: [["", "Everybody"], ...people.map(({ id, name }) => [id, name] as const)],
  chosen: member_id ?? ""
})}
<button>Show</button>
</form>`

const entryTable = (
  rows: ReadonlyArray<AuditEntry>,
  people: ReadonlyArray<Member>,
  environments: ReadonlyArray<EnvironmentEntry>
): Html =>
  table(
    "Changes, newest first",
    ["When", "Who", "Action", "On", "Change"],
    rows.map((row) => [
      moment(row.created_at),
      given(html`<a href="/dashboard/members/${row.member_id}">${nameOf(people, row.member_id) ?? row.member_id}</a>`),
      html`<code>${row.action}</code>`,
      on(row, environments),
      changeOf(row)
    ]),
    "No change is like this."
  )

/** Returns the thing that was changed, found by the search, and its environment. */
const on = ({ environment_id, subject }: AuditEntry, environments: ReadonlyArray<EnvironmentEntry>): Piece => {
  const environment = environments.find(({ id }) => id === environment_id)
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
  return given(
    html`${name}: ${old !== undefined && html`<del>${old || "empty"}</del> `}${now !== undefined && html`<strong>${now || "empty"}</strong>`}`
  )
}
