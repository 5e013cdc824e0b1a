import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import { type MediaAsset, MediaSource, MediaStatus } from "@carteiro/schema/media/MediaAsset.ts"
import { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import { Effect, Layer, Schema } from "effect"
import { MediaDirectory, type MediaUsage } from "../../media/Media.ts"
import { type Chosen, chosenEnvironment, environmentField } from "../kit/Environments.ts"
import { asked } from "../kit/Forms.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { addressOf, askedWord, choicesOf, cutWalk, pageRows } from "../kit/Lists.ts"
import { type Outcome, page, type Visit } from "../kit/Pages.ts"
import { badge, given, instant, none, pager, select, type Tone, table } from "../kit/Parts.ts"

const address = "/dashboard/media"

/** What is looked for; an unknown word does not narrow. */
interface Search {
  readonly kind?: MediaKind
  readonly status?: MediaStatus
  readonly source?: MediaSource
}

/** What the files of an environment take up, and which they are. M-MED-14, M-MED-31 */
export const MediaHttp = Layer.unwrap(
  Effect.gen(function* () {
    const media = yield* MediaDirectory

    const list = Effect.fnUntraced(function* (visit: Visit): Effect.fn.Return<Outcome, ApiError> {
      const chosen = yield* chosenEnvironment(visit)
      const { environment } = chosen
      const search = searchOf(visit)
      const before = asked(visit.request, "before")
      const usage = environment === undefined ? undefined : yield* media.usage(environment)
      const walked =
        environment === undefined
          ? { rows: [], walked_to: null }
          : yield* media.list(environment.id, search, visit.now, before, pageRows + 1)
      const { next, shown } = cutWalk(walked, ({ id }) => id)
      const here = { environment: environment?.id, ...search }
      return {
        title: "Media",
        section: "media",
        environment: environment?.id,
        body: html`${searchForm(chosen, search)}
${usage && usageOf(usage)}
<section aria-labelledby="files"><h2 id="files">Files</h2>
${fileTable(
  environment?.id ?? "",
  shown,
  Object.keys(search).length === 0
    ? html`There is no file. Upload one with <code>POST /v1/media/uploads</code>.`
    : "No file is like this."
)}
${pager("files", before && addressOf(address, here), next && addressOf(address, { ...here, before: next }))}</section>`
      }
    })

    return page({ operation: "media", path: address, handler: list })
  })
)

const searchOf = ({ request }: Visit): Search => {
  const kind = askedWord(request, "kind", Schema.is(MediaKind))
  const status = askedWord(request, "status", Schema.is(MediaStatus))
  const source = askedWord(request, "source", Schema.is(MediaSource))
  return {
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { status }),
    ...(source === undefined ? {} : { source })
  }
}

const searchForm = (chosen: Chosen, search: Search): Html =>
  html`<form method="get" action="${address}" class="search" role="search">
${environmentField(chosen)}
${select({ name: "kind", label: "Kind", choices: choicesOf(MediaKind.literals), chosen: search.kind ?? "" })}
${select({ name: "status", label: "Status", choices: choicesOf(MediaStatus.literals), chosen: search.status ?? "" })}
${select({ name: "source", label: "Came from", choices: [["", "All"], ...sources], chosen: search.source ?? "" })}
<button>Show</button>
</form>`

const sources = [
  ["customer", "you"],
  ["inbound_provider", "a customer"]
] as const

const usageOf = ({ limit, used }: MediaUsage): Html => {
  const share = limit === 0 ? 100 : (used / limit) * 100
  return html`<div class="card"><h2>Storage</h2>
<progress max="${Math.max(1, limit)}" value="${Math.min(used, limit)}" aria-label="Storage used">${share.toFixed(2)} %</progress>
<p>${sizeOf(used)} of ${sizeOf(limit)} used, ${share.toFixed(2)} %${share >= 90 && html` ${badge("nearly full", "warn")}`}</p></div>`
}

/** Bytes in the largest unit that leaves at least one. */
const sizeOf = (bytes: number): string => {
  const [unit, size] = units.find(([, least]) => bytes >= least) ?? ["bytes", 1]
  return size === 1 ? `${bytes} bytes` : `${(bytes / size).toFixed(1)} ${unit}`
}

const units = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024]
] as const

const tones: Readonly<Record<MediaStatus, Tone>> = {
  pending: "info",
  ready: "good",
  consumed: "plain",
  failed: "bad",
  expired: "warn",
  deleted: "plain"
}

const fileTable = (environmentId: string, files: ReadonlyArray<MediaAsset>, nothing: Piece): Html =>
  table(
    "Files, newest first",
    ["File", "Kind", "Size", "Status", "Kept", "Message", "Created"],
    files.map((file) => [
      html`${file.filename === null ? none("no name") : given(file.filename)} <code>${file.id}</code>`,
      html`${file.kind}, ${given(file.mime_type)}`,
      html`<span class="whole">${sizeOf(file.byte_length)}</span>`,
      html`${badge(file.status, tones[file.status])}${file.failure_code !== null && html` ${none(file.failure_code)}`}`,
      file.expires_at === null
        ? file.lifecycle.replaceAll("_", " ")
        : html`${file.lifecycle.replaceAll("_", " ")}, until ${instant(file.expires_at)}`,
      file.consumed_by_message_id === null
        ? none("none")
        : html`<a href="/dashboard/messages/${environmentId}/${file.consumed_by_message_id}">message<span class="hidden"> of ${file.id}</span></a>`,
      instant(file.created_at)
    ]),
    nothing
  )
