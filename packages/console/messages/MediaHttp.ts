import type { ApiError } from "@carteiro/schema/conventions/ApiError.ts"
import {
  type MediaAsset,
  MediaLifecycle,
  MediaSource,
  MediaStatus,
  type MediaStorageUsage
} from "@carteiro/schema/media/MediaAsset.ts"
import type { MediaLine } from "@carteiro/schema/media/MediaLookupsApi.ts"
import { MediaKind } from "@carteiro/schema/messages/content/MediaContent.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Effect, Layer } from "effect"
import { textFilter, wordFilter } from "../kit/Filters.ts"
import { type Html, html, type Piece } from "../kit/Html.ts"
import { contractWord, say, statusWord } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList, fileOfLines } from "../kit/ListPage.ts"
import { countOf, decimalOf, percentOf } from "../kit/Numbers.ts"
import { makeOperationList, narrowedBy, orNothing, peoplesList } from "../kit/OperationList.ts"
import { asVisitor, Operations } from "../kit/Operations.ts"
import type { Visit } from "../kit/Pages.ts"
import { badge, instant, none, personText, type Table, type Tone, table } from "../kit/Parts.ts"
import type { EnvironmentEntry } from "../ports/Environments.ts"

const address = "/dashboard/media"

const sources = [
  ["customer", "you"],
  ["inbound_provider", "a customer"]
] as const

const filters = {
  kind: wordFilter("Kind", MediaKind.literals),
  status: wordFilter("Status", MediaStatus.literals, { thing: "file" }),
  source: wordFilter("Came from", MediaSource.literals, { texts: [["", "All"], ...sources] }),
  lifecycle: wordFilter("Kept", MediaLifecycle.literals),
  file: textFilter("File id", 64, { api: null })
}

/** Shows the storage that an environment uses, and its files. */
export const MediaHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { media, mediaLookups } = yield* Operations
    const files = (yield* makeOperationList)("media.list", media.list)
    const lines = peoplesList(mediaLookups.lines)

    /** Returns the file of an id as the rows of a list; none for an id that no file has. */
    const found = (visit: Visit, environment: EnvironmentEntry, asset_id: string) =>
      Effect.map(
        orNothing(media.get(asVisitor(visit, environment), { params: { asset_id } })),
        (file): Walked<MediaAsset> => ({ rows: file === undefined ? [] : [file], walked_to: null })
      )

    const { routes } = yield* environmentList({
      operation: "media",
      path: address,
      title: "Media",
      section: "media",
      api: "media.list",
      filters,
      read: (environment, { file, ...search }, before, count, visit) =>
        file !== undefined
          ? found(visit, environment, file)
          : files(visit, environment, before, count, narrowedBy(search)),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => fileTable(id, rows, nothing),
      file: fileOfLines<EnvironmentEntry, typeof filters, MediaLine>(
        membersOf(
          (line) => line,
          "id",
          "filename",
          "kind",
          "mime_type",
          "byte_length",
          "status",
          "failure_code",
          "lifecycle",
          "expires_at",
          "consumed_by_message_id",
          "created_at"
        ),
        (environment, { file, ...search }, before, count, visit): Effect.Effect<Walked<MediaLine>, ApiError> =>
          file !== undefined
            ? found(visit, environment, file)
            : lines(visit, environment, before, count, narrowedBy(search))
      ),
      empty: () => ({
        purpose: say("Pictures, sound, films and documents that you upload to send, and those that customers send."),
        operation: "media.uploads.create"
      }),
      around: (environment, visit) =>
        environment === undefined
          ? Effect.succeed({})
          : Effect.map(media.usage(asVisitor(visit, environment)), (usage) => ({ before: usageOf(usage) }))
    })
    return routes
  })
)

const usageOf = ({ limit_bytes: limit, used_bytes: used }: MediaStorageUsage): Html => {
  const share = limit === 0 ? 10_000 : Math.round((used / limit) * 10_000)
  return html`<div class="card"><h2>Storage</h2>
<progress max="${Math.max(1, limit)}" value="${Math.min(used, limit)}" aria-label="Storage used">${percentOf(share)}</progress>
<p>${sizeOf(used)} of ${sizeOf(limit)} used, ${percentOf(share)}${share >= 9_000 && html` ${badge("nearly full", "warn")}`}</p></div>`
}

/** Bytes in the largest unit that leaves at least one. */
const sizeOf = (bytes: number): Html => {
  const [unit, size] = units.find(([, least]) => bytes >= least) ?? ["bytes", 1]
  return html`${size === 1 ? countOf(bytes) : decimalOf(bytes / size)} ${unit}`
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

const fileTable = (environmentId: string, files: ReadonlyArray<MediaAsset>, nothing: Piece): Table =>
  table(
    "Files, newest first",
    ["File", "Kind", "Size", "Status", "Kept", "Message", "Created"],
    files.map((file) => [
      html`${file.filename === null ? none("no name") : personText(file.filename)} <code>${file.id}</code>`,
      html`${contractWord(file.kind)}, ${personText(file.mime_type)}`,
      html`<span class="whole">${sizeOf(file.byte_length)}</span>`,
      html`${badge(statusWord("file", file.status), tones[file.status])}${file.failure_code !== null && html` ${none(html`${file.failure_code}`)}`}`,
      file.expires_at === null
        ? contractWord(file.lifecycle)
        : html`${contractWord(file.lifecycle)}, until ${instant(file.expires_at)}`,
      file.consumed_by_message_id === null
        ? none("none")
        : html`<a href="/dashboard/messages/${environmentId}/${file.consumed_by_message_id}">message<span class="hidden"> of ${file.id}</span></a>`,
      instant(file.created_at)
    ]),
    nothing
  )
