import { readPhone } from "@carteiro/spellings/Phone.ts"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import papaparse from "papaparse"
import { columnUses, peopleOf, phoneColumnOf } from "../Columns.ts"
import { csvLines, csvText, listText } from "../CsvText.ts"
import { isListFault } from "../Faults.ts"
import { spacedPhone } from "../PhoneCells.ts"
import { readSheet } from "../Sheet.ts"

const texts = fc.string({ unit: fc.constantFrom(..."=+-@,;\t\r\n\"'a1 .") })

/** Digits up to the next separator are a number, whatever stands behind it. */
const isCalculated = (cell: string): boolean =>
  /^[\t\r]*[=+\-@]/.test(cell) && !/^[+-]?\d+(?:[. ]\d+)*(?:-\d+)?(?:[,;\t\r\n\])}]|$)/.test(cell)

it("no cell is a formula, at whichever separator a spreadsheet splits the file", () => {
  fc.assert(
    fc.property(fc.array(texts, { minLength: 1, maxLength: 4 }), fc.constantFrom("rfc", "br"), (row, form) => {
      const file = csvText(
        row.map((_, at) => `c${at}`),
        [row],
        form
      )
      for (const delimiter of [",", ";", "\t"]) {
        const split = papaparse.parse<ReadonlyArray<string>>(file.replace(/^\ufeff/, ""), {
          delimiter,
          newline: "\r\n"
        })
        assert.deepStrictEqual(split.data.flat().filter(isCalculated), [], `${JSON.stringify(file)} at ${delimiter}`)
      }
    }),
    { numRuns: 2000 }
  )
})

it("a file for Brazilian spreadsheets has a byte order mark, semicolons, decimal commas and phone numbers that stay texts", () => {
  const columns = ["phone", "amount_brl", "share", "version", "note"]
  const row = ["+5511999990001", "-1234.5000", 0.5, "7.3", 'a;"b"']
  assert.strictEqual(
    csvText(columns, [row], "br"),
    '\ufeffphone;amount_brl;share;version;note\r\n+55 11 99999-0001;-1234,5000;0,5;7.3;"a;""b"""\r\n'
  )
  assert.strictEqual(
    csvText(columns, [row]),
    'phone,amount_brl,share,version,note\r\n+5511999990001,-1234.5000,0.5,7.3,"a;""b"""\r\n'
  )
})

it("a cell is quoted where a reader would lose blanks, quotes, separators or line ends, and an empty file has no line", () => {
  const cells = ["a b", " a", "a ", 'a"', "a,", "a;", "a\n", ""]
  assert.strictEqual(csvText(["c"], [cells]), 'c\r\na b," a","a ","a""","a,",a;,"a\n",\r\n')
  assert.strictEqual(csvLines([cells]), csvText([], [cells]).slice("\r\n".length))
  assert.strictEqual(csvLines([]), "")
})

it("lines are those that papaparse writes of the same cells", () => {
  const newline = "\r\n"
  const rowsOf = (unit: string) => fc.array(fc.array(fc.string({ unit: fc.constantFrom(...unit) })), { minLength: 1 })
  // A cell that begins with a line end is guarded, as a formula is.
  fc.assert(
    fc.property(rowsOf("\ufeff;,\n\"' a1"), (rows) => {
      assert.strictEqual(csvLines(rows), `${papaparse.unparse(rows, { delimiter: ",", newline })}${newline}`)
    })
  )
  fc.assert(
    fc.property(rowsOf("\ufeff;,\r\n\"' a1"), (rows) => {
      const expected = papaparse.unparse([["c"], ...rows], { delimiter: ";", newline })
      assert.strictEqual(listText(["c"], rows, -1), `\ufeff${expected}${newline}`)
    })
  )
})

it("a formula is marked as text, a number of a list within a cell and a phone number are left", () => {
  const cells = ["=1+1", "@a", "-cmd", "-12.50", -12.5, "+5511999990001", "a;=1", "a\n@b", "[1,-2]", "x,=2", "a;-1 +b"]
  assert.deepStrictEqual(
    cells.map((cell) =>
      csvText([], [[cell]])
        .split("\r\n")
        .slice(1, -1)
        .join()
    ),
    [
      "'=1+1",
      "'@a",
      "'-cmd",
      "'-12.50",
      "-12.5",
      "+5511999990001",
      "a;'=1",
      '"a\n\'@b"',
      '"[1,-2]"',
      '"x,\'=2"',
      "a;'-1 +b"
    ]
  )
})

it('phone numbers of any country come back from a file for Brazilian spreadsheets gaps-2 A "Phones outside `recipient.id`"', () => {
  const phones = ["+5511999990001", "+552133334444", "+14155550100", "+4930123456", "+351912345678", "+59899123456"]
  const names = ["Ana", "=1+1", "-x", "'quoted", "São; Paulo", '"Juca"']
  const file = csvText(
    ["phone", "name"],
    phones.map((phone, at) => [phone, names[at] ?? ""]),
    "br"
  )
  const sheet = readSheet(Buffer.from(file))
  assert.isFalse(isListFault(sheet))
  if (isListFault(sheet)) return
  const phone = phoneColumnOf(sheet)
  const people = typeof phone === "number" ? peopleOf(sheet, columnUses(sheet, phone)) : phone
  assert.deepStrictEqual(
    isListFault(people) ? people : people.map((one) => [readPhone(one.phone, "BR").phone, one.variables.name]),
    phones.map((phone, at) => [phone, names[at]])
  )
  assert.deepStrictEqual(
    phones.map(spacedPhone).filter((cell) => !/^\+\d+ \d/.test(cell)),
    []
  )
})
