import type { PageRow } from "@carteiro/http-edge/Paging.ts"
import { BoundedMap } from "@carteiro/owners/BoundedMap.ts"
import type { EnvironmentKind } from "@carteiro/schema/conventions/Access.ts"
import type { Walked } from "@carteiro/tables/BoundedWalk.ts"
import { Context, Effect, Layer } from "effect"
import { FileDescriptors } from "../../media/Media.ts"
import { type Files, fileOf, type ItemRow, itemText, messageText } from "../message/MessageText.ts"
import { type MessageFilters, MessageRepo } from "./MessageRepo.ts"
import { type ItemVersion, idOf, type NewestPage, NewestRepo } from "./NewestRepo.ts"

/** A page of the messages of an environment. */
export interface MessagePage extends NewestPage {
  readonly environment: EnvironmentKind
}

/** One item of a page; its text is written when the page shows it. */
interface PageItem extends PageRow {
  readonly id: string
  readonly text: () => string
}

/** The most texts that a node keeps, and the most characters of each; most items have 900. */
const mostTexts = 8192
const longestText = 2048
/** The most pages that a node remembers as read before. */
const mostPages = 1024

interface KeptText {
  readonly version: ItemVersion
  readonly text: () => string
}

/**
 * Reads pages of messages as JSON text. A page that is read again is first asked for the versions of its rows; only
 * rows that are new or have changed are read and written again. Texts with a file are not kept, because a file changes
 * apart from its message. M-READ-02, M-READ-04, M-READ-08
 */
export class MessagePages extends Context.Service<
  MessagePages,
  {
    /** Returns a page of items in the form of lists. */
    items(page: MessagePage, filters: MessageFilters): Effect.Effect<Walked<PageItem>>
    /** Returns a page of items with their context and payload. */
    withPayload(page: MessagePage, filters: MessageFilters): Effect.Effect<Walked<PageItem>>
  }
>()("@carteiro/runtime/messages/read/MessagePages") {
  static readonly layer = Layer.effect(
    MessagePages,
    Effect.gen(function* () {
      const messages = yield* MessageRepo
      const newest = yield* NewestRepo
      const descriptors = yield* FileDescriptors
      const texts = new BoundedMap<string, KeptText>(mostTexts)
      const pages = new BoundedMap<string, true>(mostPages)

      /** Adds files in their present state, also when they changed after the message. M-INB-08 */
      const withFiles = <Row extends Pick<ItemRow, "content_json" | "id" | "type"> & PageRow>(
        { environment, environment_id }: MessagePage,
        { rows, walked_to }: Walked<Row>,
        textOf: (row: Row, environment: EnvironmentKind, files: Files) => string
      ) => {
        const files = rows.flatMap((row) => fileOf(row) ?? [])
        return Effect.map(descriptors.describe(environment_id, files), (described) => ({
          rows: rows.map((row) => ({
            id: row.id,
            page_bytes: row.page_bytes ?? 0,
            text: () => textOf(row, environment, described)
          })),
          walked_to
        }))
      }

      /** Reads the rows of these versions, and keeps their texts. */
      const renew = Effect.fnUntraced(function* (page: MessagePage, ids: ReadonlyArray<string>) {
        const found = yield* newest.find(page.environment_id, ids)
        const rows = found.map(([, row]) => row)
        const { rows: items } = yield* withFiles(page, { rows, walked_to: null }, itemText)
        return new Map(
          items.map((item, n) => {
            const [version, row] = found[n] as (typeof found)[number]
            if (fileOf(row) !== undefined) return [item.id, item]
            const text = item.text()
            if (text.length <= longestText) texts.set(nameOf(page, item.id), { version, text: () => text })
            return [item.id, { id: item.id, text: () => text }]
          })
        )
      })

      const again = Effect.fnUntraced(function* (page: MessagePage) {
        const versions = yield* newest.versions(page)
        const kept = versions.map((version) => {
          const id = idOf(version)
          const found = texts.get(nameOf(page, id))
          return { id, text: found?.version === version ? found.text : undefined }
        })
        const missing = kept.filter(({ text }) => text === undefined).map(({ id }) => id)
        const renewed = missing.length === 0 ? noItems : yield* renew(page, missing)
        const rows = kept.flatMap(({ id, text }) => (text === undefined ? (renewed.get(id) ?? []) : { id, text }))
        // A message may have gone between the two reads: the list does not end for that.
        const isShort = rows.length < versions.length && versions.length === page.limit
        return { rows, walked_to: isShort ? (kept.at(-1)?.id ?? null) : null }
      })

      return MessagePages.of({
        items: (page, filters) => {
          const { after, environment_id, limit } = page
          if (Object.values(filters).some((value) => value !== undefined)) {
            const walked = messages.items(environment_id, filters, after, limit)
            return Effect.flatMap(walked, (found) => withFiles(page, found, itemText))
          }
          const name = `${environment_id}/${after ?? ""}/${limit}`
          if (pages.get(name) !== undefined) return again(page)
          pages.set(name, true)
          return Effect.flatMap(newest.items(page), (rows) => withFiles(page, { rows, walked_to: null }, itemText))
        },
        withPayload: (page, filters) =>
          Effect.flatMap(messages.list(page.environment_id, filters, page.after, page.limit), (found) =>
            withFiles(page, found, messageText)
          )
      })
    })
  ).pipe(Layer.provide(NewestRepo.layer))
}

const nameOf = ({ environment_id }: MessagePage, id: string): string => `${environment_id}/${id}`

const noItems: ReadonlyMap<string, PageItem> = new Map()
