import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import * as fc from "fast-check"
import papaparse from "papaparse"
import { columnUses, namesForRows, peopleOf, phoneColumnOf } from "../Columns.ts"
import { listText } from "../CsvText.ts"
import { faultSentence, isListFault } from "../Faults.ts"
import { readSheet } from "../Sheet.ts"

const folder = join(import.meta.dirname, "../../../test/cases/lists")

type People = ReadonlyArray<readonly [line: number, phone: string, ...values: ReadonlyArray<string>]> | string

/** Returns the people of a list with their values, or the sentence that refuses it. */
const read = (source: string | Uint8Array, phoneColumn?: string): People => {
  const sheet = readSheet(source, phoneColumn)
  if (isListFault(sheet)) return faultSentence(sheet)
  const phone = phoneColumnOf(sheet, phoneColumn)
  if (typeof phone !== "number") return faultSentence(phone)
  const people = peopleOf(sheet, columnUses(sheet, phone))
  if (isListFault(people)) return faultSentence(people)
  return people.map(({ line, metadata, phone, variables }) => {
    const values = (record: Readonly<Record<string, string>>, prefix: string) =>
      Object.entries(record).map(([name, value]) => `${prefix}${name}=${value}`)
    return [line, phone, ...values(variables, ""), ...values(metadata, "metadata.")] as const
  })
}

const lists: Readonly<Record<string, People>> = {
  "comma-inside.csv": [[2, "5511999990001", "nome=Souza, Ana", "valor=12,50"]],
  "empty-line.csv": [
    [2, "5511999990001", "valor=1,00"],
    [4, "5511999990002", "valor=2,00"]
  ],
  "exponent.csv": [[2, "5,51199E+12", "1=Ana"]],
  "final-line-end.csv": [[2, "+5511999990001", "1=Ana"]],
  "float.csv": [[2, "5511999990001.0", "1=Ana"]],
  "inner-quotes.csv": [
    [2, "+5511999990001", 'name=Ana "Juca" Silva'],
    [3, "+5511999990002", "name=Bia"]
  ],
  "no-header-decimal-comma.csv": [
    [1, "5511999990001", "1=12,50"],
    [2, "5511999990002", "1=9,90"],
    [3, "5511999990003", "1=15,00"]
  ],
  "one-column.csv": [
    [1, "5511999990001"],
    [2, "5511999990002"]
  ],
  "quoted.csv": [[2, "5511999990001", "1=R$ 12,50"]],
  "real-sheet.csv": [[2, "(11) 99999-0001", "Nome=Ana", "Plano=Ouro"]],
  "sep-line.csv": [[2, "5511999990001", "valor=1.234,56"]],
  "thousands.csv": [[2, "5511999990001", "valor=1.234,56"]],
  "trailing-column.csv": [[2, "+5511999990001", "1=Ana"]],
  "utf-16.csv": [[2, "+5511999990001", "1=Ana"]],
  "variable-first.csv": [[2, "+5511999990001", "1=Ana", "metadata.plano=ouro"]],
  "windows-1252.csv": [[2, "+5511999990001", "1=João"]]
}

it('each list of a Brazilian office is read as a person reads it gaps-2 A "Phones outside `recipient.id`"', () => {
  assert.deepStrictEqual(readdirSync(folder).toSorted(), Object.keys(lists))
  for (const [name, people] of Object.entries(lists))
    assert.deepStrictEqual(read(readFileSync(join(folder, name))), people, name)
})

const bytes = (...parts: ReadonlyArray<string | number>) =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : Buffer.from([part]))))

it("a list that cannot be read to its end is refused with its row, column and reason", () => {
  const refused: ReadonlyArray<readonly [source: string | Uint8Array, sentence: RegExp]> = [
    ['to;1\n+5511999990001;Ana\n+5511999990002;"Bia\n+5511999990003;Rui\n', /^Row 3, column B: A quotation mark opens/],
    ['to;1\n\n+5511999990002;"Bia" Sá\n', /^Row 3, column B: Text follows the quotation mark/],
    ['to;1;2\n+5511999990001;"a\nb";c\n+5511999990002;d;"e', /^Row 3, column C: /],
    [bytes("to;1\n+5511999990001;Ana\n+5511999990002;Jo", 0x81, "o\n"), /^Row 3, column B: A character cannot be read/],
    ["to;1\n+5511999990001;Jo\ufffdo\n", /^Row 2, column B: A character cannot be read/],
    [bytes("to;1\n+5511999990001;João e Jo", 0xe3, "o\n"), /^Row 2, column B: A character cannot be read/],
    [bytes(0xef, 0xbb, 0xbf, "to;1\n+5511999990001;Jo", 0xe3, "o\n"), /^Row 2, column B: A character/],
    [bytes("to;1\n+5511999990001;Jo", 0xc6, "o e Jo", 0xc6, "o\n"), /^Row 2, column B: A character/],
    [bytes("PK", 3, 4, "…"), /^The file is a workbook/],
    ["to;1\n+5511999990001;Ana;Sá\n", /^Row 2, column C: The cell has a value, and its column has no name/],
    ["to;1;1\n+5511999990001;a;b\n", /^Row 1, column C: Two columns are named 1\./],
    ["nome;plano\nAna;Ouro\n", /^No column is named to, phone or telefone. The columns are: nome, plano\.$/],
    ["telefone;celular\n1133334444;11999990001\n", /^Several columns can hold the phone number: telefone, celular\.$/],
    ["to;1\n", /^The list names its columns and has no row/],
    ["", /^The list has no row/],
    ["\ufeff\n\n  \n", /^The list has no row/]
  ]
  for (const [source, sentence] of refused) assert.match(String(read(source)), sentence)
})

it("no byte of a file becomes a replacement character", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (middle) => {
      const people = read(bytes("to;1\n+5511999990001;Jo", ...middle, "o\n"))
      assert.isTrue(typeof people === "string" || !JSON.stringify(people).includes("\ufffd"))
    }),
    { numRuns: 2000 }
  )
})

it("the encoding, the separator and the line end of a list change nothing that is read", () => {
  const cell = fc
    // A sign of money or a dash directly behind a letter would be one character of UTF-8.
    .string({ unit: fc.constantFrom(..."AnãçéÚ 12.,;|'\"\n", " €", " –") })
    .map((text) => `x${text.trim()}`)
    .filter((text) => text.trim() === text)
  const encoders: Readonly<Record<string, (text: string) => Uint8Array>> = {
    utf8: (text) => Buffer.from(text),
    "utf8 with a mark": (text) => Buffer.from(`\ufeff${text}`),
    utf16: (text) => Buffer.from(`\ufeff${text}`, "utf16le"),
    "utf16 big endian": (text) => Buffer.from(`\ufeff${text}`, "utf16le").swap16(),
    "windows-1252": (text) => Buffer.from(text.replaceAll("€", "\u0080").replaceAll("–", "\u0096"), "latin1")
  }
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 8 }),
      fc.constantFrom(",", ";", "\t", "|"),
      fc.constantFrom("\n", "\r\n", "\r"),
      fc.constantFrom(...Object.keys(encoders)),
      fc.boolean(),
      fc.boolean(),
      (values, delimiter, newline, encoder, hasSeparator, hasEnd) => {
        const rows = values.map(([one, other], at) => [`+55119999900${at + 10}`, one, other])
        const written = papaparse.unparse([["to", "nome", "ação"], ...rows], { delimiter, newline })
        const text = `${hasSeparator ? `sep=${delimiter}${newline}` : ""}${written}${hasEnd ? newline : ""}`
        const people = rows.map(([phone = "", one, other], at) => [at + 2, phone, `nome=${one}`, `ação=${other}`])
        assert.deepStrictEqual(read(encoders[encoder]?.(text) ?? ""), people as unknown as People)
      }
    ),
    { numRuns: 500 }
  )
})

it("the column of phone numbers is found by its name, by the name or letters that a person says, and by its cells", () => {
  const people = [[2, "11999990001", "Nome=Ana"]] as unknown as People
  assert.deepStrictEqual(read("Nome;Contato\nAna;11999990001\n", "Contato"), people)
  assert.deepStrictEqual(read("Nome;Contato\nAna;11999990001\n", "b"), people)
  assert.deepStrictEqual(read("Nome;Contáto\nAna;11999990001\n", "contato"), people)
  assert.deepStrictEqual(read("Nome;WhatsApp\nAna;11999990001\n"), people)
  assert.match(String(read("Nome;Contato\nAna;11999990001\n", "Fone")), /The list has no column Fone\./)
  assert.deepStrictEqual(read("Ana;(11) 99999-0001;Ouro\n"), [[1, "(11) 99999-0001", "1=Ana", "2=Ouro"]])
  assert.deepStrictEqual(read("to;telefone\n11999990001;1133334444\n"), [[2, "11999990001", "telefone=1133334444"]])
})

it("rows that are written for a correction are read again as the same, with and without names of columns", () => {
  const cell = fc
    .string({ unit: fc.constantFrom(..."Añ1 .,;|'\"\t\n=+-@") })
    .map((text) => text.trim())
    .filter((text) => !/^'[=+\-@]/.test(text))
  const values = fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(values, fc.boolean(), (pairs, isNamed) => {
      const numbers = pairs.map((_, at) => `+55 11 99999-00${at + 10}`)
      const rows = pairs.map(([one, other], at) => [numbers[at] ?? "", one, `x${other}`])
      const names = isNamed ? [["telefone", "nome", "total_brl"]] : []
      const sheet = readSheet(papaparse.unparse([...names, ...rows], { delimiter: ";" }))
      if (isListFault(sheet)) return assert.fail(faultSentence(sheet))
      const uses = columnUses(sheet, 0)
      const cells = sheet.rows.map((row) => Array.from({ length: sheet.width }, (_, at) => row.cells[at] ?? ""))
      const again = readSheet(listText(namesForRows(sheet, uses), cells, 0))
      if (isListFault(again)) return assert.fail(faultSentence(again))
      const people = (of: typeof sheet) => {
        const listed = peopleOf(of, columnUses(of, 0))
        return isListFault(listed) ? faultSentence(listed) : listed.map(({ line, ...rest }) => rest)
      }
      assert.deepStrictEqual(people(again), people(sheet))
    }),
    { numRuns: 200 }
  )
})
