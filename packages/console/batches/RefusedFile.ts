import type { BytesReply } from "@carteiro/http-edge/Reply.ts"
import type { BatchPlan } from "@carteiro/schema/batches/BatchLookupsApi.ts"
import { cellOf, csvReply } from "../kit/Csv.ts"
import type { Html } from "../kit/Html.ts"
import { catalogs, type Language } from "../kit/Language.ts"
import { refusalText } from "../kit/RefusalTexts.ts"
import { badText } from "./ListParts.ts"
import type { BadRecipient, ReadList } from "./RecipientList.ts"

/**
 * Returns the rows of a list that cannot be sent as a file, each with its number as written, its values and the reason. Once
 * they are mended it is read like the list: `row` and `reason` are for nothing.
 */
export const refusedFile = (
  { bad, recipients }: ReadList,
  faulty: BatchPlan["faulty"],
  language: Language
): BytesReply => {
  const rows: ReadonlyArray<RefusedRow> = [
    ...bad.map((one) => ({ ...one, reason: badText(one) })),
    ...faulty.flatMap(({ error, index }) => {
      const listed = recipients[index]
      return listed === undefined
        ? []
        : [{ row: listed.row, written: listed.written, values: listed.recipient, reason: refusalText(error) }]
    })
  ].toSorted((one, other) => one.row - other.row)
  const namesOf = (kind: "variables" | "metadata") => [
    ...new Set(rows.flatMap((row) => Object.keys(row.values[kind] ?? {})))
  ]
  const [variables, metadata] = [namesOf("variables"), namesOf("metadata")]
  return csvReply(
    "refused-rows",
    ["row", "to", ...variables, ...metadata.map((name) => `metadata.${name}`), "reason"],
    rows.map((row) => [
      row.row,
      row.written,
      ...variables.map((name) => row.values.variables?.[name] ?? ""),
      ...metadata.map((name) => cellOf(row.values.metadata?.[name])),
      plain(row.reason, language)
    ]),
    language === "pt" ? "br" : "rfc"
  )
}

interface RefusedRow extends Pick<BadRecipient, "row" | "written" | "values"> {
  readonly reason: Html
}

/** Returns a sentence without the markup's own spelling of quotes and brackets. */
const plain = (text: Html, language: Language): string =>
  text
    .in(catalogs[language])
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&#96;", "`")
    .replaceAll("&amp;", "&")
