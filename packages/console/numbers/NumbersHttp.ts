import { NumberSource, NumberStatus, type PhoneNumber } from "@carteiro/schema/phone-numbers/PhoneNumber.ts"
import { Effect, Layer } from "effect"
import { wordFilter } from "../kit/Filters.ts"
import { html, type Piece } from "../kit/Html.ts"
import { contractWord, say } from "../kit/Language.ts"
import { membersOf } from "../kit/ListFile.ts"
import { environmentList } from "../kit/ListPage.ts"
import { addressOf } from "../kit/Lists.ts"
import { makeOperationList, narrowedBy } from "../kit/OperationList.ts"
import { Operations } from "../kit/Operations.ts"
import { instant, none, personText, type Table, table } from "../kit/Parts.ts"
import { phoneText } from "../kit/PhoneText.ts"
import { monthsAddress, numberBadge, numbersAddress, qualityBadge } from "./NumberParts.ts"

/** Numbers of an environment with state, quality and allowance. */
export const NumbersHttp = Layer.unwrap(
  Effect.gen(function* () {
    const { phoneNumbers } = yield* Operations
    const numbers = (yield* makeOperationList)("phoneNumbers.list", phoneNumbers.list)
    const { routes } = yield* environmentList({
      operation: "phoneNumbers",
      path: numbersAddress,
      title: "Phone numbers",
      section: "numbers",
      api: "phoneNumbers.list",
      follows: "events",
      filters: {
        status: wordFilter("State", NumberStatus.literals, { thing: "number" }),
        source: wordFilter("Source", NumberSource.literals)
      },
      read: (environment, search, before, count, visit) =>
        numbers(visit, environment, before, count, narrowedBy(search)),
      idOf: ({ id }) => id,
      table: (rows, { id }, nothing) => numberTable(id, rows, nothing),
      file: membersOf(
        (number: PhoneNumber) => number,
        "id",
        "phone",
        "display_name",
        "status",
        "source",
        "quality_rating",
        "remaining_messaging_allowance_estimate",
        "created_at"
      ),
      empty: ({ id }) => ({
        purpose: say("Numbers that your business writes from: rented here, or your own behind a connection."),
        button: [addressOf("/dashboard/connections", { environment: id }), "Connect one of yours"],
        operation: "phoneNumbers.orders.create"
      }),
      around: (environment) =>
        Effect.succeed({
          before: html`<nav class="buttons" aria-label="Phone numbers"><a class="button" href="${addressOf(monthsAddress, { environment: environment?.id })}">Phone months</a></nav>`
        })
    })
    return routes
  })
)

const numberTable = (environmentId: string, numbers: ReadonlyArray<PhoneNumber>, nothing: Piece): Table =>
  table(
    "Phone numbers, newest first",
    ["Number", "Name", "State", "Quality", "New recipients left", "Rent", "Since"],
    numbers.map((number) => [
      personText(
        html`<a href="${numbersAddress}/${environmentId}/${number.id}">${phoneText(number.phone ?? number.id)}</a>`
      ),
      number.display_name === null ? none("none") : personText(number.display_name),
      numberBadge(number.status),
      qualityBadge(number.quality_rating),
      number.remaining_messaging_allowance_estimate === null
        ? none("no telling")
        : String(number.remaining_messaging_allowance_estimate),
      number.source === "byon" ? none("yours") : contractWord(number.renewal?.state ?? "free"),
      instant(number.created_at)
    ]),
    nothing
  )
